"""The searches that running games wait for, and what happens if one fails.

Nobody waits for ever. If a search raises or hangs, it is tried once more; then another agent of
about the same strength is asked; then a random legal move is made, and marked as unsearched.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from random import Random

from bot.game.refusal import Refusal
from bot.game.session import Session, fingerprint
from bot.telemetry import SILENT, Meter, TimedSearch
from bot.workers.fair_queue import Claim, Kind
from bot.workers.pool import WorkHangs
from bot.workers.workers import NotPrepared, Workers
from engine.core.analysis import SearchResult
from engine.core.game import Move
from engine.core.jobs import Job
from engine.core.limits import Limit, Stop
from engine.strength.roster import ChooseMove, stand_in_for
from engine.study.hints import GiveHint

HINT_SECONDS = 2.0
"""How long one search for a hint may keep a thread, on the largest board too. Proofs that take
longer are rare on boards of the usual size, and on larger ones ten seconds would not do either; two
are what people take for an answer that is being worked on."""

logger = logging.getLogger(__name__)

PATIENCE = 20.0
"""Seconds that one search may run: several times what the slowest agent takes."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An agent's move and the search that found it, if one did."""

    move: Move
    result: SearchResult | None


@dataclass(slots=True, eq=False)
class _Search:
    """A search and the games that wait for it; several can wait for one hint."""

    games: set[int]
    stop: Stop = field(default_factory=Stop)

    def leave(self, game_id: int) -> None:
        """A game has moved on; the search ends with the last one."""
        self.games.discard(game_id)
        if not self.games:
            self.stop.set()


@dataclass(frozen=True, slots=True)
class _Hint:
    search: _Search
    result: asyncio.Task[SearchResult | None]


class Searches:
    """Searches in worker threads; each search belongs to a game."""

    def __init__(
        self,
        workers: Workers,
        rng: Random,
        patience: float = PATIENCE,
        meter: Meter = SILENT,
    ) -> None:
        """Search in `workers`, seeding from `rng`; give up a search after `patience` seconds."""
        self._meter = meter
        self._workers = workers
        self._rng = rng
        self._patience = patience
        self._searches: set[_Search] = set()
        self._hints: dict[int, _Hint] = {}
        self._is_closed = False

    async def answer(self, session: Session, opponent: float | None = None) -> Answer | None:
        """The move of the agent whose turn it is; None if the game's searches were stopped.

        `opponent` is the rating of whoever it plays, where that matters to it and is known.
        """
        task = session.mover.task()
        assert task is not None, "only agents answer"
        claim = Claim(Kind.MOVE, _account(session), session.guild_id)
        for attempt in _attempts(session, replace(task, opponent=opponent)):
            with self._under_way(_Search({session.id})) as search:
                job = session.job(attempt, self._rng.getrandbits(64))
                result = await self._attempt(session.id, job, attempt.agent, search, claim)
                if session.id not in search.games:
                    return None
            if result is not None:
                return Answer(result.move, result)
        logger.error("game %s goes on with a random move: every search failed", session.id)
        moves = sorted(session.position.legal_moves())
        return Answer(moves[self._rng.randrange(len(moves))], None)

    async def hint(self, session: Session, user_id: int) -> SearchResult | None:
        """The move that the engine would make; None if the game's searches were stopped.

        All who ask in the same position share one search. Refused if that fails, since no hint is
        better than a bad one, and for whoever waits for another answer.
        """
        here = fingerprint(session.position)
        hint = self._hints.get(here)
        if hint is None or hint.search.stop.is_set:
            hint = self._begin_hint(session, user_id, here)
        hint.search.games.add(session.id)
        # Whoever stops waiting does not take it from the others.
        result = await asyncio.shield(hint.result)
        if session.id not in hint.search.games:
            return None
        if result is None:
            raise Refusal("hint_failed")
        return result

    def seconds_until_prepared(self, session: Session) -> int | None:
        """About how long the engine takes until it can answer at all; None if it can now."""
        if self._workers.is_prepared:
            return None
        task = session.mover.task()
        return None if task is None else self._workers.seconds_until_prepared(session.job(task))

    def stop(self, game_id: int) -> None:
        """Stop a game's searches; their results are dropped."""
        for search in self._searches:
            search.leave(game_id)

    def close(self) -> None:
        """Stop all searches, and begin no more."""
        self._is_closed = True
        for search in self._searches:
            search.games.clear()
            search.stop.set()

    def _begin_hint(self, session: Session, user_id: int, here: int) -> _Hint:
        self._workers.askers.begin(user_id)
        search = _Search({session.id})
        finding = self._find_hint(session, user_id, here, search)
        hint = _Hint(search, asyncio.get_running_loop().create_task(finding))
        self._hints[here] = hint

        def end(_: object) -> None:
            self._workers.askers.end(user_id)
            if self._hints.get(here) is hint:
                del self._hints[here]

        hint.result.add_done_callback(end)
        return hint

    async def _find_hint(
        self, session: Session, user_id: int, seed: int, search: _Search
    ) -> SearchResult | None:
        # Chance follows from the position, so that the same one has the same hint in every game.
        claim = Claim(Kind.HINT, user_id, session.guild_id)
        job = replace(session.job(GiveHint(), seed), limit=Limit(seconds=HINT_SECONDS))
        with self._under_way(search):
            return await self._attempt(session.id, job, "hint", search, claim)

    @contextmanager
    def _under_way(self, search: _Search) -> Iterator[_Search]:
        """Let `stop` and `close` find a search."""
        if self._is_closed:
            search.games.clear()
        self._searches.add(search)
        try:
            yield search
        finally:
            self._searches.discard(search)

    async def _attempt(
        self, game_id: int, job: Job[SearchResult], level: str, search: _Search, claim: Claim
    ) -> SearchResult | None:
        """Return the result of one search; None if it failed or no game waits for it any more.

        The search is counted under the name `level`.
        """
        try:
            await self._workers.prepared(job)
            if not search.games:
                return None
            with TimedSearch(level, self._meter) as timed:
                result = await self._workers.do(
                    job, claim, self._patience, stop=search.stop, begin=timed.begin
                )
                timed.found(result.nodes, is_stopped=search.stop.is_set)
                return result
        except NotPrepared:
            search.games.clear()
        except asyncio.CancelledError:
            # The closing of the workers cancels what waits in them.
            if not self._is_closed:
                raise
        except WorkHangs:
            logger.error("%s hangs in game %s", job.task, game_id)
        except Exception:
            logger.exception("%s failed in game %s", job.task, game_id)
        return None


def _account(session: Session) -> int | None:
    """On whose account an agent moves: its opponent, or whoever began a game to watch."""
    return next(iter(session.people), session.started_by)


def _attempts(session: Session, task: ChooseMove) -> Iterator[ChooseMove]:
    """Yield what to try in turn: the agent twice, then the one nearest to it in strength."""
    yield task
    yield task
    try:
        stand_in = stand_in_for(session.game, task.agent)
    except Exception:
        logger.exception("nobody takes the place of %s in game %s", task.agent, session.id)
        return
    logger.warning("%s takes the place of %s in game %s", stand_in, task.agent, session.id)
    yield ChooseMove(stand_in)
