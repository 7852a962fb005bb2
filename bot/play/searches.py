"""The searches that running games wait for, and what happens if one fails.

Nobody waits for ever. If a search raises or hangs, it is tried once more; then another agent of
about the same strength is asked; then a random legal move is made, and marked as unsearched.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from random import Random

from bot.play.pool import WorkHangs
from bot.play.readiness import NotPrepared
from bot.play.workers import Workers
from bot.table.fingerprints import fingerprint
from bot.table.refusal import Refusal
from bot.table.session import Session
from bot.telemetry import SILENT, Meter, TimedSearch
from engine.game import Move
from engine.jobs import ChooseMove, GiveHint, Task, find_move
from engine.roster import stand_in_for
from engine.search import SearchResult, Stop

logger = logging.getLogger(__name__)

PATIENCE = 20.0
"""Seconds that one search may run: several times what the slowest agent takes."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An agent's move and the search that found it, if one did."""

    move: Move
    result: SearchResult | None


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
        self._stops: dict[int, Stop] = {}

    async def answer(self, session: Session) -> Answer | None:
        """The move of the agent whose turn it is; None if the game's searches were stopped."""
        task = session.mover.task()
        assert task is not None, "only agents answer"
        for attempt in _attempts(session, task):
            result, is_stopped = await self._attempt(session, attempt)
            if is_stopped:
                return None
            if result is not None:
                return Answer(result.move, result)
        logger.error("game %s goes on with a random move: every search failed", session.id)
        moves = sorted(session.position.legal_moves())
        return Answer(moves[self._rng.randrange(len(moves))], None)

    async def hint(self, session: Session) -> SearchResult | None:
        """The move that the engine would make; None if the game's searches were stopped.

        Refused if the search fails: no hint is better than a bad one.
        """
        # Chance follows from the position, so that the same one has the same hint in every game.
        seed = fingerprint(session.position)
        result, is_stopped = await self._attempt(session, GiveHint(), seed)
        if result is None and not is_stopped:
            raise Refusal("hint_failed")
        return result

    def seconds_until_prepared(self, session: Session) -> int | None:
        """About how long the engine takes until it can answer at all; None if it can now."""
        task = session.mover.task()
        return None if task is None else self._workers.seconds_until_prepared(session.job(task))

    def stop(self, game_id: int) -> None:
        """Stop a game's searches; their results are dropped."""
        stop = self._stops.pop(game_id, None)
        if stop is not None:
            stop.set()

    def close(self) -> None:
        """Stop all searches."""
        for stop in self._stops.values():
            stop.set()

    async def _attempt(
        self, session: Session, task: Task, seed: int | None = None
    ) -> tuple[SearchResult | None, bool]:
        """The result of one search, None if it failed; and whether it was stopped."""
        stop = self._stops.setdefault(session.id, Stop())
        seed = self._rng.getrandbits(64) if seed is None else seed
        job = session.job(task, seed)
        result = None
        try:
            await self._workers.prepared(job)
            search = partial(find_move, job, stop)
            with TimedSearch(search, _level(task), self._meter) as timed:
                result = await self._workers.search(timed, self._patience)
                timed.found(result.nodes, is_stopped=stop.is_set)
        except NotPrepared:
            return None, True
        except WorkHangs:
            logger.error("%s hangs in game %s", task, session.id)
            if not stop.is_set:
                # If it ever comes back it must stop; the game's next search gets a flag of its own.
                del self._stops[session.id]
                stop.set()
                return None, False
        except Exception:
            logger.exception("%s failed in game %s", task, session.id)
        return (None, True) if stop.is_set else (result, False)


def _level(task: Task) -> str:
    """Under which name a task's searches are counted."""
    return task.agent if isinstance(task, ChooseMove) else "hint"


def _attempts(session: Session, task: Task) -> Iterator[Task]:
    """What to try in turn: the agent twice, then the one nearest to it in strength."""
    yield task
    yield task
    if isinstance(task, ChooseMove):
        stand_in = stand_in_for(session.game, task.agent)
        logger.warning("%s takes the place of %s in game %s", stand_in, task.agent, session.id)
        yield ChooseMove(stand_in)
