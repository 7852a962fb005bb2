"""Which agents a person has beaten without help, on which ladder, and in which game first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Select, bindparam, case, func, select

from bot.store.database import Database
from bot.store.history_queries import won_by
from bot.store.models import GameRow
from bot.store.prepared import PreparedSet
from bot.store.rating_models import RatingChangeRow


@dataclass(frozen=True, slots=True)
class CrownRecord:
    """An agent that a person has beaten in a rated game, which is one without help."""

    agent: str
    ladder: str
    game_id: int
    """The first such game."""


class Crowns:
    """What people have won, derived from their rated games."""

    def __init__(self, database: Database) -> None:
        """Read from `database`."""
        self._database = database
        self._statements = PreparedSet()

    async def of(self, user_id: int, ladders: Collection[str]) -> tuple[CrownRecord, ...]:
        """The agents that a person has beaten on some ladders."""
        user, key = bindparam("user", type_=BigInteger), tuple(ladders)
        statement = self._statements.get(key, lambda: crowns_query(user, key))
        rows = await self._database.fetch(statement, {"user": user_id})
        return tuple(CrownRecord(row.agent, row.ladder, row.game_id) for row in rows)


def crowns_query(user_id: int | ColumnElement[int], ladders: Collection[str]) -> Select[Any]:
    """The first rated win of a person against each agent on each ladder."""
    agent = case((GameRow.first_user == user_id, GameRow.second_agent), else_=GameRow.first_agent)
    return (
        select(
            agent.label("agent"),
            RatingChangeRow.ladder,
            func.min(RatingChangeRow.game_id).label("game_id"),
        )
        .join(GameRow, GameRow.id == RatingChangeRow.game_id)
        .where(
            RatingChangeRow.user_id == user_id,
            RatingChangeRow.ladder.in_(ladders),
            won_by(user_id),
            agent.is_not(None),
        )
        .group_by(agent, RatingChangeRow.ladder)
    )
