"""Which watched games are due, in the transaction that ends them."""

from __future__ import annotations

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.history_queries import COUNTED
from bot.store.league_models import LeagueDueRow
from bot.store.models import GameRow


async def note_watched(connection: AsyncConnection, game_id: int) -> None:
    """Note that a game is due if it was between two agents and has a result."""
    watched = select(GameRow.id).where(
        GameRow.id == game_id,
        GameRow.first_user.is_(None),
        GameRow.second_user.is_(None),
        GameRow.ending.in_(COUNTED),
    )
    await connection.execute(insert(LeagueDueRow).from_select(["game_id"], watched))
