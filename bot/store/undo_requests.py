"""Requests to take moves back."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import requests
from bot.store.models import UndoRow
from bot.store.records import NewUndoRecord, UndoRecord


class UndoAnswered(Exception):
    """The request is no longer open."""


class UndoRequests(requests.Requests[NewUndoRecord, UndoRecord]):
    """Requests, each answered once; `Games.take_back` grants them."""

    table, new, kept = UndoRow, NewUndoRecord, UndoRecord


async def accept(connection: AsyncConnection, undo_id: int) -> None:
    """Grant a request; raises UndoAnswered if it is no longer open."""
    if not await requests.answer(connection, UndoRow, undo_id, "accepted"):
        raise UndoAnswered
