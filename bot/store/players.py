"""People and their own settings."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.collisions import again
from bot.store.database import Database, add_missing
from bot.store.models import PlayerRow
from bot.store.prepared import Prepared

_PRIVATE, _PINGS, _SPOKEN = (
    Prepared(select(column).where(PlayerRow.id == bindparam("user")))
    for column in (PlayerRow.private, PlayerRow.pings, PlayerRow.spoken)
)
"""What a `user` has set."""


class Players:
    """What people show others, and whether they want to be notified."""

    def __init__(self, database: Database) -> None:
        """Keep people in `database`."""
        self._database = database

    async def is_private(self, user_id: int) -> bool:
        """Whether a person hides their statistics; by default nobody does."""
        found = await self._database.fetch(_PRIVATE, {"user": user_id})
        return bool(found[0].private) if found else False

    async def set_private(self, user_id: int, private: bool, at: float) -> None:
        """Hide or show a person's statistics."""
        await self._set(user_id, at, private=private)

    async def wants_pings(self, user_id: int) -> bool:
        """Whether a person wants to be notified of their turns; by default everybody does."""
        found = await self._database.fetch(_PINGS, {"user": user_id})
        return bool(found[0].pings) if found else True

    async def set_pings(self, user_id: int, wanted: bool, at: float) -> None:
        """Switch a person's pings on or off."""
        await self._set(user_id, at, pings=wanted)

    async def wants_words(self, user_id: int) -> bool:
        """Whether a person's moves by button are confirmed in words; by default nobody's are."""
        found = await self._database.fetch(_SPOKEN, {"user": user_id})
        return bool(found[0].spoken) if found else False

    async def set_spoken(self, user_id: int, wanted: bool, at: float) -> None:
        """Switch the words for a person's moves on or off."""
        await self._set(user_id, at, spoken=wanted)

    @again
    async def _set(self, user_id: int, at: float, **choice: bool) -> None:
        async with self._database.writing() as connection:
            await enter(connection, (user_id,), at)
            await connection.execute(
                update(PlayerRow).where(PlayerRow.id == user_id).values(**choice)
            )


async def enter(connection: AsyncConnection, people: Iterable[int | None], at: float) -> None:
    """Add those people who are new, as of a time."""
    # In a fixed order: two that add the same people never wait for each other.
    for user_id in sorted({user_id for user_id in people if user_id is not None}):
        await add_missing(connection, PlayerRow, {"id": user_id, "joined_at": at})
