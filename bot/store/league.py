"""Finished games between agents: who beat whom, and how each of them played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    select,
)

from bot.store.collisions import again
from bot.store.database import Database, change
from bot.store.due_claims import (
    Unsettled,
    claim,
    is_ready,
    next_attempt,
    put_off,
    retry_parked,
    unsettled,
)
from bot.store.history_queries import COUNTED, is_nobodys
from bot.store.league_models import LeagueDueRow, LeagueSideRow
from bot.store.league_records import (
    AgentFigures,
    LeagueScope,
    PairFigures,
    SideFigures,
    WatchedGame,
)
from bot.store.models import GameRow
from bot.store.owner_rows import Owner
from bot.store.prepared import PreparedSet
from bot.store.tally_rows import total
from bot.store.unaided import UnaidedMoves, add_unaided


class League:
    """Watched games that have ended with a result."""

    def __init__(self, database: Database) -> None:
        """Keep figures in `database`."""
        self._database = database
        self._statements = PreparedSet()

    async def pairs(self, scope: LeagueScope) -> tuple[PairFigures, ...]:
        """For each agent that moved first and each that moved second, their games."""
        rows = await self._database.fetch(pairs_query(scope))
        return tuple(PairFigures(**row._mapping) for row in rows)

    async def agents(self, scope: LeagueScope) -> tuple[AgentFigures, ...]:
        """How each agent played, in the games that have been judged."""
        rows = await self._database.fetch(agents_query(scope))
        return tuple(AgentFigures(**row._mapping) for row in rows)

    async def latest(self, scope: LeagueScope, most: int) -> tuple[WatchedGame, ...]:
        """The latest games, newest first; those of the channel too, which count nowhere else."""
        rows = await self._database.fetch(latest_query(scope).limit(most))
        return tuple(WatchedGame(**row._mapping) for row in rows)

    async def due(self, limit: int) -> list[int]:
        """The games that are to be judged now, in the order in which their ends were stored.

        Not those that wait for their next attempt.
        """
        most, ready = bindparam("most", type_=Integer), is_ready(self._database, LeagueDueRow)
        statement = self._statements.get("due", lambda: due_query(most).where(ready))
        return [row.game_id for row in await self._database.fetch(statement, {"most": limit})]

    @again
    async def claim(self, limit: int, owner: Owner) -> list[int]:
        """The games that a process is to judge, in order; they are its own then, or were."""
        if not self._database.is_shared:
            return await self.due(limit)
        return await claim(self._database, LeagueDueRow, self._statements, owner, limit)

    @again
    async def put_off(self, game_id: int) -> int:
        """Note that judging a game has failed, and when it is retried; returns how often it has."""
        return await put_off(self._database, LeagueDueRow, game_id)

    async def next_attempt(self, owner: Owner) -> float | None:
        """Seconds until a process is to retry a game; None if no game has failed."""
        return await next_attempt(self._database, LeagueDueRow, self._statements, owner)

    async def retry_parked(self) -> None:
        """Make the games due whose judgement has failed too often to be retried soon."""
        await retry_parked(self._database, LeagueDueRow)

    async def unsettled(self) -> Unsettled:
        """How many games could not be judged so far."""
        return await unsettled(self._database, LeagueDueRow)

    @again
    async def settle(
        self,
        game_id: int,
        sides: Sequence[SideFigures] = (),
        unaided: Sequence[UnaidedMoves] = (),
    ) -> None:
        """Store how the sides of a game that is due played, or its people without help, once."""
        async with self._database.writing() as connection:
            is_game = LeagueDueRow.game_id == game_id
            if await change(connection, delete(LeagueDueRow).where(is_game)):
                rows = [{"game_id": game_id, **asdict(side)} for side in sides]
                if rows:
                    await connection.execute(insert(LeagueSideRow), rows)
                await add_unaided(connection, game_id, unaided)


def due_query(limit: int | ColumnElement[int]) -> Select[int]:
    """The games that have yet to be judged, by when their ends were stored."""
    return select(LeagueDueRow.game_id).order_by(LeagueDueRow.id).limit(limit)


def pairs_query(scope: LeagueScope) -> Select[Any]:
    """The games of every pair of agents, counted by who won."""
    return (
        select(
            GameRow.first_agent.label("first"),
            GameRow.second_agent.label("second"),
            func.count().label("games"),
            total(case((GameRow.winner == 1, 1), else_=0)).label("first_wins"),
            total(case((GameRow.winner == 2, 1), else_=0)).label("second_wins"),
        )
        .where(_watched(scope))
        .group_by(GameRow.first_agent, GameRow.second_agent)
    )


def agents_query(scope: LeagueScope) -> Select[Any]:
    """What every agent's moves add up to, whichever side it played."""
    agent = case((LeagueSideRow.side == 1, GameRow.first_agent), else_=GameRow.second_agent)
    sums = ("moves", "nodes", "seconds", "judged", "loss")
    return (
        select(
            agent.label("agent"),
            *(total(getattr(LeagueSideRow, name)).label(name) for name in sums),
        )
        .select_from(GameRow)
        .join(LeagueSideRow, LeagueSideRow.game_id == GameRow.id)
        .where(_watched(scope))
        .group_by(agent)
    )


def latest_query(scope: LeagueScope) -> Select[*tuple[Any, ...]]:
    """The watched games and those of a channel, newest first."""
    return (
        select(
            GameRow.id,
            GameRow.variant,
            GameRow.first_agent.label("first"),
            GameRow.second_agent.label("second"),
            GameRow.winner,
        )
        .where(_finished(scope), is_nobodys())
        .order_by(GameRow.finished_at.desc(), GameRow.id.desc())
    )


def _watched(scope: LeagueScope) -> ColumnElement[bool]:
    """The finished games between agents in a scope."""
    agents = [
        and_(user.is_(None), agent.is_not(None))
        for user, agent in (
            (GameRow.first_user, GameRow.first_agent),
            (GameRow.second_user, GameRow.second_agent),
        )
    ]
    return and_(_finished(scope), *agents)


def _finished(scope: LeagueScope) -> ColumnElement[bool]:
    """The games in a scope that have ended with a result."""
    here = GameRow.guild_id == scope.guild_id
    if scope.guild_id is None:
        here = and_(GameRow.guild_id.is_(None), GameRow.channel_id == scope.channel_id)
    finished = and_(here, GameRow.family == scope.family, GameRow.ending.in_(COUNTED))
    if scope.variant is not None:
        finished = and_(finished, GameRow.variant == scope.variant)
    return finished
