"""What people's moves without a hint gave away, game by game."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, bindparam, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.database import Database
from bot.store.models import GameRow
from bot.store.prepared import Prepared
from bot.store.unaided_models import UnaidedRow


@dataclass(frozen=True, slots=True)
class UnaidedMoves:
    """What one person's moves without a hint gave away in one game."""

    user_id: int
    ladder: str
    at: float
    """When the game ended."""
    judged: int
    """How many of these moves could be judged and were not all about equal; at least one."""
    loss: float
    """The expected score that they gave away, added up."""


class Unaided:
    """The moves that people made without help."""

    def __init__(self, database: Database) -> None:
        """Read from `database`; games are added when they are judged."""
        self._database = database

    async def of(
        self, user_id: int, ladders: Collection[str], since: float
    ) -> tuple[UnaidedMoves, ...]:
        """A person's games on some ladders that ended since a time, oldest first."""
        rows = await self._database.fetch(unaided_query(user_id, since))
        return tuple(
            UnaidedMoves(row.user_id, row.ladder, row.at, row.judged, row.loss)
            for row in rows
            if row.ladder in ladders
        )


def unaided_query(user_id: int, since: float) -> Select[Any]:
    """A person's games that ended since a time, oldest first."""
    mine = (UnaidedRow.user_id == user_id, UnaidedRow.at >= since)
    return select(UnaidedRow).where(*mine).order_by(UnaidedRow.at)


_SEATS = Prepared(
    select(GameRow.first_user, GameRow.second_user).where(GameRow.id == bindparam("game"))
)


async def add_unaided(
    connection: AsyncConnection, game_id: int, moves: Sequence[UnaidedMoves]
) -> None:
    """Add what a judgement has found, in the transaction that settles it.

    Whoever has been deleted meanwhile is left out.
    """
    if not moves:
        return
    found = await _SEATS.rows(connection, {"game": game_id})
    present = found[0] if found else ()
    rows = [
        {
            "game_id": game_id,
            "user_id": one.user_id,
            "ladder": one.ladder,
            "at": one.at,
            "judged": one.judged,
            "loss": one.loss,
        }
        for one in moves
        if one.user_id in present
    ]
    if rows:
        await connection.execute(insert(UnaidedRow), rows)
