"""Moves that are taken back, and requests for that: stored, answered, lapsed."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sqlalchemy import Select, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.models import GameRow, HintRow, MoveRow, UndoRow
from bot.store.records import NewUndoRecord, UndoRecord
from bot.store.store import Store


class UndoAnswered(Exception):
    """The request is no longer open."""


async def take_back(
    store: Store, game_id: int, remaining: int, at: float, accepting: int | None = None
) -> None:
    """Remove a game's moves beyond the first so many, with the hints that were given for them.

    With `accepting` that request is granted in the same transaction; raises UndoAnswered where it
    was not open.
    """
    async with store.transaction() as connection:
        if accepting is not None and not await _answer(connection, accepting, "accepted"):
            raise UndoAnswered
        await connection.execute(
            update(GameRow)
            .where(GameRow.id == game_id)
            .values(undos=GameRow.undos + 1, undone_at=at)
        )
        for table in (MoveRow, HintRow):
            await connection.execute(
                delete(table).where(table.game_id == game_id, table.number > remaining)
            )


async def add_undo(store: Store, request: NewUndoRecord) -> UndoRecord:
    """Store a request."""
    async with store.transaction() as connection:
        result = await connection.execute(insert(UndoRow).values(**asdict(request)))
        assert result.inserted_primary_key is not None
        return UndoRecord(int(result.inserted_primary_key[0]), request, None, None)


async def find_undo(store: Store, undo_id: int) -> UndoRecord | None:
    """A request by its id."""
    found = await store.fetch(select(UndoRow).where(UndoRow.id == undo_id))
    return _record(found[0]) if found else None


async def open_undos(store: Store, game_id: int | None = None) -> list[UndoRecord]:
    """The requests that nobody has answered, of one game or of all, the oldest first."""
    return [_record(row) for row in await store.fetch(undo_query(game_id))]


def undo_query(game_id: int | None) -> Select[UndoRow]:
    """The rows of these requests."""
    statement = select(UndoRow).where(UndoRow.answer.is_(None)).order_by(UndoRow.id)
    return statement if game_id is None else statement.where(UndoRow.game_id == game_id)


async def answer_undo(store: Store, undo_id: int, word: str) -> bool:
    """Answer a request without granting it; False, and no change, where it is no longer open."""
    async with store.transaction() as connection:
        return await _answer(connection, undo_id, word)


async def set_undo_message(store: Store, undo_id: int, message_id: int) -> None:
    """Note which message shows a request."""
    async with store.transaction() as connection:
        await connection.execute(
            update(UndoRow).where(UndoRow.id == undo_id).values(message_id=message_id)
        )


async def latest_game(store: Store, channel_id: int) -> int | None:
    """The id of the game that was begun last in a channel, running or over."""
    found = await store.fetch(latest_query(channel_id))
    return int(found[0].id) if found else None


def latest_query(channel_id: int) -> Select[int]:
    """The row of that game."""
    games = select(GameRow.id).where(GameRow.channel_id == channel_id)
    return games.order_by(GameRow.id.desc()).limit(1)


async def _answer(connection: AsyncConnection, undo_id: int, word: str) -> bool:
    result = await connection.execute(
        update(UndoRow).where(UndoRow.id == undo_id, UndoRow.answer.is_(None)).values(answer=word)
    )
    return result.rowcount == 1


def _record(row: Any) -> UndoRecord:
    fields = NewUndoRecord.__dataclass_fields__
    request = NewUndoRecord(**{name: getattr(row, name) for name in fields})
    return UndoRecord(row.id, request, row.message_id, row.answer)
