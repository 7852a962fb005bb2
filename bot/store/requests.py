"""What one player of a game asks the other to agree to: the part that all such requests share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, fields
from typing import Any, Generic, TypeVar

from sqlalchemy import Select, exists, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.shards import Shards
from bot.store.collisions import again
from bot.store.database import Database, add, change
from bot.store.models import GameRow
from bot.store.owner_rows import in_shards
from bot.store.rate_limits import Quota, take

New = TypeVar("New")
Kept = TypeVar("Kept")


class Requests(Generic[New, Kept]):
    """Requests of one kind, each answered once."""

    table: Any
    """Their table."""
    new: type[New]
    """A request that is about to be stored; its fields are columns."""
    kept: Callable[[int, New, int | None, str | None], Kept]
    """A stored one: its id, the request, its message and its answer."""

    def __init__(self, database: Database) -> None:
        """Keep requests in `database`."""
        self._database = database

    @again
    async def add(self, request: New, quota: Quota | None = None) -> Kept:
        """Store a request, which may count towards a limit; raises LimitReached."""
        async with self._database.writing() as connection:
            if quota is not None:
                await take(connection, quota)
            values = asdict(request)  # type: ignore[call-overload]  # it is a dataclass
            return self.kept(await add(connection, self.table, values), request, None, None)

    async def find(self, request_id: int) -> Kept | None:
        """A request by its id."""
        found = await self._database.fetch(select(self.table).where(self.table.id == request_id))
        return self._record(found[0]) if found else None

    async def open(self, game_id: int | None = None, *, shards: Shards | None = None) -> list[Kept]:
        """The unanswered requests of one game or of all, oldest first.

        With `shards` those in games of their servers.
        """
        query = open_query(self.table, game_id)
        if shards is not None:
            here = (GameRow.id == self.table.game_id, in_shards(GameRow.guild_id, shards))
            query = query.where(exists().where(*here))
        return [self._record(row) for row in await self._database.fetch(query)]

    @again
    async def answer(self, request_id: int, word: str) -> bool:
        """Answer a request without granting it; False, and no change, if it is no longer open."""
        async with self._database.writing() as connection:
            return await answer(connection, self.table, request_id, word)

    async def set_message(self, request_id: int, message_id: int) -> None:
        """Note which message shows a request."""
        row = self.table
        await self._database.change(
            update(row).where(row.id == request_id).values(message_id=message_id)
        )

    def _record(self, row: Any) -> Kept:
        names = (field.name for field in fields(self.new))  # type: ignore[arg-type]
        request = self.new(**{name: getattr(row, name) for name in names})
        return self.kept(row.id, request, row.message_id, row.answer)


def open_query(table: Any, game_id: int | None) -> Select[Any]:
    """The open requests of one game or of all."""
    statement = select(table).where(table.answer.is_(None)).order_by(table.id)
    return statement if game_id is None else statement.where(table.game_id == game_id)


async def answer(connection: AsyncConnection, table: Any, request_id: int, word: str) -> bool:
    """Answer a request; False, and no change, if it is no longer open."""
    is_open = (table.id == request_id) & table.answer.is_(None)
    return await change(connection, update(table).where(is_open).values(answer=word)) == 1
