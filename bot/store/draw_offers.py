"""Offers of a draw."""

from __future__ import annotations

from sqlalchemy import Select, select

from bot.store.models import DrawRow
from bot.store.records import DrawRecord, NewDrawRecord
from bot.store.requests import Requests


class DrawOffers(Requests[NewDrawRecord, DrawRecord]):
    """Offers, each answered once; the game that an accepted one ends is ended first."""

    table, new, kept = DrawRow, NewDrawRecord, DrawRecord

    async def latest(self, game_id: int, asker: int) -> DrawRecord | None:
        """The latest offer that somebody has made in a game, whatever became of it."""
        found = await self._database.fetch(latest_query(game_id, asker))
        return self._record(found[0]) if found else None


def latest_query(game_id: int, asker: int) -> Select[DrawRow]:
    """The latest offer that somebody has made in a game."""
    theirs = select(DrawRow).where(DrawRow.game_id == game_id, DrawRow.asker == asker)
    return theirs.order_by(DrawRow.id.desc()).limit(1)
