"""The searches for agents' moves in running games.

If a search raises or hangs, it is tried once more; then another agent of about the same strength
searches; then a random legal move is made and marked as unsearched. When a game moves on, its
searches are stopped, and so are people's questions about it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

from bot.game.session import Session
from bot.telemetry import SILENT, Meter, TimedSearch
from bot.workers.pool import Claim, Kind, WorkHangs
from bot.workers.workers import NotPrepared, Workers
from engine.core.analysis import SearchResult
from engine.core.game import Move
from engine.core.jobs import Job
from engine.core.limits import Stop
from engine.strength.habits import Habits
from engine.strength.ladder import size_class
from engine.strength.pondering import Ponder, can_ponder
from engine.strength.roster import ChooseMove, substitute_for

logger = logging.getLogger(__name__)

PATIENCE = 20.0
"""Time limit of one search in seconds: several times what the slowest agent needs."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An agent's move and the result of its search; None for a random move."""

    move: Move
    result: SearchResult | None


@dataclass(slots=True, eq=False)
class _Search:
    """A search that a game waits for."""

    game_id: int
    stop: Stop = field(default_factory=Stop)
    is_wanted: bool = True

    def drop(self) -> None:
        """Stop the search, because its result is no longer needed."""
        self.is_wanted = False
        self.stop.set()


class Searches:
    """Searches for moves in worker threads; each search belongs to a game."""

    def __init__(
        self,
        workers: Workers,
        rng: Random,
        patience: float = PATIENCE,
        meter: Meter = SILENT,
        *,
        habits: Mapping[str, Habits] | None = None,
    ) -> None:
        """Search in `workers` with seeds from `rng`; a search fails after `patience` seconds.

        `habits` are those of people, by size class; without them people are taken for rungs.
        """
        self._meter = meter
        self._habits = habits or {}
        self._workers = workers
        self._rng = rng
        self._patience = patience
        self._searches: set[_Search] = set()
        self._is_closed = False

    async def answer(self, session: Session, opponent: float | None = None) -> Answer | None:
        """The move of the agent to move; None if the game's searches were stopped.

        `opponent` is the rating of the agent's opponent, if the agent uses it and it is known.
        """
        agent = session.mover.agent
        assert agent is not None, "only agents answer"
        self._workers.pondering.drop(session.id)
        claim = Claim(Kind.MOVE, _account(session), session.guild_id)
        is_person = session.seat(session.position.to_move.other).user_id is not None
        habits = self._habits.get(size_class(session.game)) if is_person else None
        for attempt in _attempts(session, ChooseMove(agent, opponent=opponent, habits=habits)):
            with self._under_way(session.id) as search:
                job = session.job(attempt, self._rng.getrandbits(64))
                result = await self._attempt(job, attempt.agent, search, claim)
                if not search.is_wanted:
                    return None
            if result is not None:
                return Answer(result.move, result)
        logger.error("game %s goes on with a random move: every search failed", session.id)
        moves = sorted(session.position.legal_moves())
        return Answer(moves[self._rng.randrange(len(moves))], None)

    def seconds_until_prepared(self, session: Session) -> int | None:
        """The approximate time until the engine can answer; None if it can answer now."""
        if self._workers.is_prepared:
            return None
        agent = session.mover.agent
        if agent is None:
            return None
        return self._workers.seconds_until_prepared(session.job(ChooseMove(agent)))

    def ponder(self, session: Session) -> None:
        """Search on the time of the person to move, if their opponent has use for it."""
        if session.is_over or session.awaits_agent or self._is_closed:
            return
        agents = [seat.agent for seat in session.seats if seat.agent is not None]
        if any(can_ponder(session.game, agent) for agent in agents):
            self._workers.pondering.begin(session.id, session.job(Ponder(0.0)))

    def stop(self, game_id: int) -> None:
        """Stop a game's searches and drop questions about it, because it has moved on."""
        for search in self._searches:
            if search.game_id == game_id:
                search.drop()
        self._workers.pondering.drop(game_id)
        self._workers.drop(game_id)

    def close(self) -> None:
        """Stop all searches, drop all questions about running games, and begin no more."""
        self._is_closed = True
        for search in self._searches:
            search.drop()
        self._workers.drop_all()

    @contextmanager
    def _under_way(self, game_id: int) -> Iterator[_Search]:
        """Yield a search that `stop` and `close` can stop during the block."""
        search = _Search(game_id)
        if self._is_closed:
            search.drop()
        self._searches.add(search)
        try:
            yield search
        finally:
            self._searches.discard(search)

    async def _attempt(
        self, job: Job[SearchResult], agent: str, search: _Search, claim: Claim
    ) -> SearchResult | None:
        """Return what one search finds; None if it fails or is no longer wanted."""
        try:
            await self._workers.wait_prepared(job)
            if not search.is_wanted:
                return None
            with TimedSearch(agent, self._meter) as timed:
                result = await self._workers.do(
                    job, claim, self._patience, stop=search.stop, begin=timed.begin
                )
                timed.found(result.nodes, is_stopped=search.stop.is_set)
                return result
        except NotPrepared:
            search.drop()
        except asyncio.CancelledError:
            # Closing the worker threads cancels the tasks that wait for them.
            if not self._is_closed:
                raise
        except WorkHangs:
            logger.error("%s hangs in game %s", job.task, search.game_id)
        except Exception:
            logger.exception("%s failed in game %s", job.task, search.game_id)
        return None


def _account(session: Session) -> int | None:
    """The user whose share a search uses: the opponent, or the starter of a watched game."""
    return next(iter(session.people), session.setup.started_by)


def _attempts(session: Session, task: ChooseMove) -> Iterator[ChooseMove]:
    """Yield the attempts in order: the agent twice, then the agent nearest to it in strength."""
    yield task
    yield task
    try:
        stand_in = substitute_for(session.game, task.agent)
    except Exception:
        logger.exception("no agent can take the place of %s in game %s", task.agent, session.id)
        return
    logger.warning("%s takes the place of %s in game %s", stand_in, task.agent, session.id)
    yield ChooseMove(stand_in)
