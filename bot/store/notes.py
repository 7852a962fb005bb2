"""Small facts that the bot keeps about itself."""

from __future__ import annotations

from sqlalchemy import select

from bot.store.collisions import again
from bot.store.database import Database, put
from bot.store.models import NoteRow


class Notes:
    """Short texts by name."""

    def __init__(self, database: Database) -> None:
        """Keep notes in `database`."""
        self._database = database

    async def find(self, name: str) -> str | None:
        """The note with a name."""
        found = await self._database.fetch(select(NoteRow.text).where(NoteRow.name == name))
        return found[0].text if found else None

    @again
    async def put(self, name: str, text: str) -> None:
        """Write a note, replacing any earlier one with its name."""
        async with self._database.writing() as connection:
            await put(connection, NoteRow, {"name": name}, {"text": text})
