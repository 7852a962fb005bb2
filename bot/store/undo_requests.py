"""Requests to take moves back."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sqlalchemy import Select, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.database import Database, add, change
from bot.store.models import UndoRow
from bot.store.records import NewUndoRecord, UndoRecord


class UndoAnswered(Exception):
    """The request is no longer open."""


class UndoRequests:
    """Requests, each answered once; `Games.take_back` grants them."""

    def __init__(self, database: Database) -> None:
        """Keep requests in `database`."""
        self._database = database

    async def add(self, request: NewUndoRecord) -> UndoRecord:
        """Store a request."""
        async with self._database.writing() as connection:
            return UndoRecord(await add(connection, UndoRow, asdict(request)), request, None, None)

    async def find(self, undo_id: int) -> UndoRecord | None:
        """A request by its id."""
        found = await self._database.fetch(select(UndoRow).where(UndoRow.id == undo_id))
        return _record(found[0]) if found else None

    async def open(self, game_id: int | None = None) -> list[UndoRecord]:
        """The unanswered requests of one game or of all, oldest first."""
        return [_record(row) for row in await self._database.fetch(open_query(game_id))]

    async def answer(self, undo_id: int, word: str) -> bool:
        """Answer a request without granting it; False, and no change, if it is no longer open."""
        async with self._database.writing() as connection:
            return await answer(connection, undo_id, word)

    async def set_message(self, undo_id: int, message_id: int) -> None:
        """Note which message shows a request."""
        await self._database.change(
            update(UndoRow).where(UndoRow.id == undo_id).values(message_id=message_id)
        )


def open_query(game_id: int | None) -> Select[UndoRow]:
    """The open requests of one game or of all."""
    statement = select(UndoRow).where(UndoRow.answer.is_(None)).order_by(UndoRow.id)
    return statement if game_id is None else statement.where(UndoRow.game_id == game_id)


async def accept(connection: AsyncConnection, undo_id: int) -> None:
    """Grant a request; raises UndoAnswered if it is no longer open."""
    if not await answer(connection, undo_id, "accepted"):
        raise UndoAnswered


async def answer(connection: AsyncConnection, undo_id: int, word: str) -> bool:
    """Answer a request; False, and no change, if it is no longer open."""
    is_open = (UndoRow.id == undo_id) & UndoRow.answer.is_(None)
    return await change(connection, update(UndoRow).where(is_open).values(answer=word)) == 1


def _record(row: Any) -> UndoRecord:
    fields = NewUndoRecord.__dataclass_fields__
    request = NewUndoRecord(**{name: getattr(row, name) for name in fields})
    return UndoRecord(row.id, request, row.message_id, row.answer)
