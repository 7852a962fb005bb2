"""What people's games against agents took, as read from the sums over their moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, case, func, or_

from bot.database.database import Database
from bot.features.statistics.store import against_agents, agent_met, won_by_person
from bot.store.results import Scope
from bot.store.rows import total
from bot.store.tables import GameFiguresRow, GameRow


@dataclass(frozen=True, slots=True)
class LevelEffort:
    """What the games of people against one agent in one variant took, summed up."""

    agent: str
    auto: bool
    variant: str
    games: int
    won: int
    """Games won by the people."""
    drawn: int
    moves: int
    """The moves of both sides."""
    won_moves: int
    """Those in games won by the people."""
    lost_moves: int
    """Those in games won by the agent."""
    seconds: float
    """From the beginnings of the games to their ends."""
    person_moves: int
    hinted: int
    """How many of the people's moves were made after a hint."""
    engine_moves: int
    engine_nodes: int
    engine_seconds: float

    @property
    def lost(self) -> int:
        """Games won by the agent."""
        return self.games - self.won - self.drawn


class Efforts:
    """The repository of what people's games against agents took."""

    def __init__(self, database: Database) -> None:
        """Read from `database`."""
        self._database = database

    async def of(self, scope: Scope) -> tuple[LevelEffort, ...]:
        """For each agent and variant, what people's finished games against it took."""
        rows = await self._database.fetch(effort_query(scope))
        return tuple(LevelEffort(**{**row._mapping, "auto": bool(row.auto)}) for row in rows)


def effort_query(scope: Scope) -> Select[Any]:
    """For each agent and variant, the sums over the moves of people's games against it."""
    agent, moves = agent_met(), GameFiguresRow.moves
    won, drawn = won_by_person(), GameRow.winner.is_(None)
    own = ("person_moves", "hinted", "engine_moves", "engine_nodes", "engine_seconds")
    summed = against_agents(
        scope,
        agent.label("agent"),
        GameRow.auto,
        GameRow.variant,
        func.count().label("games"),
        total(case((won, 1), else_=0)).label("won"),
        total(case((drawn, 1), else_=0)).label("drawn"),
        total(moves).label("moves"),
        total(case((won, moves), else_=0)).label("won_moves"),
        total(case((or_(won, drawn), 0), else_=moves)).label("lost_moves"),
        total(GameRow.finished_at - GameRow.started_at).label("seconds"),
        *(total(getattr(GameFiguresRow, name)).label(name) for name in own),
    )
    figures = summed.join(GameFiguresRow, GameFiguresRow.game_id == GameRow.id)
    return figures.group_by(agent, GameRow.auto, GameRow.variant)
