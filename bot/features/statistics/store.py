"""Finished games of players, past games and reports, and which agents a person has beaten."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Select, bindparam, case, func, select

from bot.database.database import Database
from bot.database.statements import PreparedSet
from bot.store import results as queries
from bot.store.records import THE_CHANNEL, Ending
from bot.store.results import (
    GameFigures,
    LevelFigures,
    LevelTally,
    PastGame,
    PlayerSummary,
    ResultRecord,
    Scope,
    won_by,
)
from bot.store.tables import GameRow, RatingChangeRow


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


class History:
    """Looks back on finished games."""

    def __init__(self, database: Database) -> None:
        """Read the games of `database`."""
        self._database = database

    async def summary(self, scope: Scope, *, recent: int = 10) -> PlayerSummary:
        """A player's results in one family of games, the latest `recent` of them in full."""
        tallies = await self._database.fetch(queries.tallies_query(scope))
        hints = await self._database.fetch(queries.hints_query(scope))
        sums = await self._database.fetch(queries.sums_query(scope))
        return PlayerSummary(
            tallies=tuple(_tally(row) for row in tallies),
            recent=await self.recent(scope, most=recent),
            moves=sums[0].moves,
            seconds=sums[0].seconds,
            hints=hints[0].count,
        )

    async def recent(self, scope: Scope, *, most: int) -> tuple[ResultRecord, ...]:
        """A player's latest results, newest first."""
        assert scope.user_id is not None, "results are somebody's"
        rows = await self._database.fetch(queries.results_query(scope).limit(most))
        return tuple(_result(row, scope.user_id) for row in rows)

    async def auto_results(
        self, user_id: int, family: str, variants: Collection[str], *, most: int
    ) -> tuple[ResultRecord, ...]:
        """A player's latest `auto` games on any of these variants, newest first."""
        scope = Scope(family, user_id, variants=tuple(variants))
        statement = queries.results_query(scope).where(GameRow.auto)
        rows = await self._database.fetch(statement.limit(most))
        return tuple(_result(row, user_id) for row in rows)

    async def past(self, scope: Scope, *, most: int, skip: int) -> tuple[PastGame, ...]:
        """The finished games that a person played or watched, newest first."""
        assert scope.user_id is not None, "a past is somebody's"
        statement = queries.past_query(scope).limit(most).offset(skip)
        rows = await self._database.fetch(statement)
        return tuple(_past(row, scope.user_id) for row in rows)

    async def count(self, scope: Scope) -> int:
        """How many games `past` knows of."""
        found = await self._database.fetch(queries.count_query(scope))
        return int(found[0].games)

    async def since(self, scope: Scope) -> float | None:
        """When the first game of a scope was finished; None without any."""
        found = await self._database.fetch(queries.since_query(scope))
        return None if found[0].at is None else float(found[0].at)

    async def between(self, scope: Scope, other: int) -> LevelTally:
        """A person's results against another one."""
        (row,) = await self._database.fetch(queries.between_query(scope, other))
        return LevelTally(None, row.games, row.wins, row.draws, row.games - row.wins - row.draws)

    async def level_figures(self, scope: Scope) -> tuple[LevelFigures, ...]:
        """For each agent and variant, the games people finished against it, summed up."""
        rows = await self._database.fetch(queries.level_query(scope))
        return tuple(LevelFigures(**row._mapping) for row in rows)

    async def game_figures(self, scope: Scope, *, most: int) -> tuple[GameFigures, ...]:
        """The latest games, up to `most`, between people and agents; oldest first."""
        rows = await self._database.fetch(queries.game_query(scope).limit(most))
        return tuple(_figures(row) for row in reversed(rows))


def _result(row: Any, user_id: int) -> ResultRecord:
    return ResultRecord(row.variant, _opponent(row, user_id)[1], row.auto, _won(row, user_id))


def _tally(row: Any) -> LevelTally:
    losses = row.games - row.wins - row.draws
    return LevelTally(
        row.agent, row.games, row.wins, row.draws, losses, bool(row.auto), row.variant
    )


def _past(row: Any, user_id: int) -> PastGame:
    opponent, agent = _opponent(row, user_id)
    is_watched = {row.first_user, row.second_user} <= {None, THE_CHANNEL}
    return PastGame(
        id=row.id,
        variant=row.variant,
        opponent=opponent,
        agent=agent,
        won=_won(row, user_id),
        ending=Ending.read(row.ending),
        moves=row.moves,
        at=row.finished_at,
        auto=row.auto,
        watched=(row.first_agent, row.second_agent) if is_watched else None,
        winner=row.winner if is_watched else None,
    )


def _figures(row: Any) -> GameFigures:
    won = None if row.won is None else bool(row.won)
    return GameFigures(row.agent, won, row.moves, row.person_moves, row.hinted, row.auto)


def _side(row: Any, user_id: int) -> int:
    return 1 if row.first_user == user_id else 2


def _opponent(row: Any, user_id: int) -> tuple[int | None, str | None]:
    """The person or the agent on the other side."""
    if _side(row, user_id) == 1:
        return row.second_user, row.second_agent
    return row.first_user, row.first_agent


def _won(row: Any, user_id: int) -> bool | None:
    return None if row.winner is None else row.winner == _side(row, user_id)
