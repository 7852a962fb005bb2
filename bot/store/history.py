"""Finished games: a player's results, past games and reports."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from bot.store import history_queries as queries
from bot.store.database import Database
from bot.store.history_records import (
    GameFigures,
    LevelFigures,
    LevelTally,
    PastGame,
    PlayerSummary,
    ResultRecord,
    Scope,
)
from bot.store.models import GameRow


class History:
    """Looks back on finished games."""

    def __init__(self, database: Database) -> None:
        """Read the games of `database`."""
        self._database = database

    async def summary(self, user_id: int, family: str, *, recent: int = 10) -> PlayerSummary:
        """A player's results in one family of games, the latest `recent` of them in full."""
        tallies = await self._database.fetch(queries.tallies_query(user_id, family))
        hints = await self._database.fetch(queries.hints_query(user_id, family))
        sums = await self._database.fetch(queries.sums_query(user_id, family))
        return PlayerSummary(
            tallies=tuple(_tally(row) for row in tallies),
            recent=await self.recent(user_id, family, most=recent),
            moves=sums[0].moves,
            seconds=sums[0].seconds,
            hints=hints[0].count,
        )

    async def recent(
        self, user_id: int, family: str, *, variant: str | None = None, most: int
    ) -> tuple[ResultRecord, ...]:
        """A player's latest results in one variant or all, newest first."""
        statement = queries.results_query(user_id, family)
        if variant is not None:
            statement = statement.where(GameRow.variant == variant)
        rows = await self._database.fetch(statement.limit(most))
        return tuple(_result(row, user_id) for row in rows)

    async def last_auto(self, user_id: int, family: str, variants: Collection[str]) -> str | None:
        """The agent of the player's latest `auto` game on any of these variants."""
        statement = queries.results_query(user_id, family)
        statement = statement.where(GameRow.auto, GameRow.variant.in_(variants))
        found = await self._database.fetch(statement.limit(1))
        return _result(found[0], user_id).agent if found else None

    async def past(
        self, user_id: int, family: str, *, most: int, skip: int
    ) -> tuple[PastGame, ...]:
        """A person's finished games, newest first."""
        statement = queries.past_query(user_id, family).limit(most).offset(skip)
        return tuple(_past(row, user_id) for row in await self._database.fetch(statement))

    async def count(self, user_id: int, family: str) -> int:
        """How many games a person has finished."""
        found = await self._database.fetch(queries.count_query(user_id, family))
        return int(found[0].games)

    async def level_figures(self, scope: Scope) -> tuple[LevelFigures, ...]:
        """For each agent, the games people finished against it, summed up."""
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
    return LevelTally(row.agent, row.games, row.wins, row.draws, losses)


def _past(row: Any, user_id: int) -> PastGame:
    opponent, agent = _opponent(row, user_id)
    return PastGame(
        id=row.id,
        variant=row.variant,
        opponent=opponent,
        agent=agent,
        won=_won(row, user_id),
        ending=row.ending,
        moves=row.moves,
        at=row.finished_at,
    )


def _figures(row: Any) -> GameFigures:
    won = None if row.won is None else bool(row.won)
    return GameFigures(row.agent, won, row.moves, row.person_moves, row.hinted)


def _side(row: Any, user_id: int) -> int:
    return 1 if row.first_user == user_id else 2


def _opponent(row: Any, user_id: int) -> tuple[int | None, str | None]:
    """The person or the agent on the other side."""
    if _side(row, user_id) == 1:
        return row.second_user, row.second_agent
    return row.first_user, row.first_agent


def _won(row: Any, user_id: int) -> bool | None:
    return None if row.winner is None else row.winner == _side(row, user_id)
