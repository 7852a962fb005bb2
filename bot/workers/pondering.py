"""Searching on the opponents' time, while no request waits for the engine.

After a move of the strongest level, where it cannot prove every move, its tables are filled for
the next one (`engine.strength.pondering`). One thread does that, with a low priority, for a limited
time after each move. It stops as soon as anything is asked of the engine, and goes on when all of
that is answered. Nothing is stored, and no one waits for it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from contextvars import Context
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic

from bot.telemetry import SILENT, Meter
from bot.workers.pool import GRACE, Pool
from engine.core.jobs import Job
from engine.core.limits import Stop
from engine.strength.pondering import Ponder

logger = logging.getLogger(__name__)

NICE = 5
"""The nice value of the thread: other programs come first. With a higher one a busy machine might
not run it for long while it holds the interpreter's lock, and everything would wait for that."""

LEAST = 0.05
"""Seconds below which going on is not worth it."""

HALT = 0.1
"""Seconds for which a request waits at most until the tables are kept again: a hundred times what
that takes."""

MOST = 64
"""The most games whose positions wait; of more, the oldest are dropped."""


@dataclass(frozen=True, slots=True)
class _Thought:
    """A game whose opponent is to move, and the seconds that may still be spent on it."""

    game_id: int
    job: Job[int]
    seconds: float
    stop: Stop = field(default_factory=Stop)


class Pondering:
    """Fills tables on the opponents' time, for one game at a time: that of the latest move."""

    def __init__(self, seconds: float, meter: Meter = SILENT) -> None:
        """Spend at most `seconds` after each move; 0 for not at all."""
        self._seconds = seconds
        self._meter = meter
        self._waiting: dict[int, _Thought] = {}
        self._present: _Thought | None = None
        self._work: asyncio.Task[None] | None = None
        self._requests = 0
        self._pool: Pool | None = None

    @property
    def is_on(self) -> bool:
        """Whether it ever does anything."""
        return self._seconds > 0

    @property
    def is_busy(self) -> bool:
        """Whether it searches now."""
        return self._work is not None

    def begin(self, game_id: int, job: Job[int]) -> None:
        """Fill the tables for the position of a job, in which the opponent is to move."""
        if not self.is_on:
            return
        self.drop(game_id)
        self._waiting[game_id] = _Thought(game_id, job, self._seconds)
        if len(self._waiting) > MOST:
            del self._waiting[next(iter(self._waiting))]
        self._go_on()

    def drop(self, game_id: int) -> None:
        """Stop for a game, because it has moved on."""
        self._waiting.pop(game_id, None)
        if self._present is not None and self._present.game_id == game_id:
            self._present.stop.set()
            self._present = None

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Stop during the block, in which something is asked of the engine.

        The block begins when the tables are kept again, so that what is asked can use them.
        """
        self._requests += 1
        try:
            if self._present is not None:
                self._present.stop.set()
            if self._work is not None:
                await asyncio.wait({self._work}, timeout=HALT)
            yield
        finally:
            self._requests -= 1
            self._go_on()

    def close(self, *, wait: bool = False) -> None:
        """Stop for good; with `wait`, return once the thread has ended."""
        self._seconds = 0.0
        self._waiting.clear()
        if self._present is not None:
            self.drop(self._present.game_id)
        if self._pool is not None:
            self._pool.shutdown(wait=wait, cancel_futures=True)

    def _go_on(self) -> None:
        """Search on for the latest move, unless something is asked or a search still runs."""
        if not self.is_on or self._requests or self._work is not None or not self._waiting:
            return
        _, self._present = self._waiting.popitem()
        self._pool = self._pool or Pool(1, "ponder")
        # An empty context: this outlives the request that began it.
        work = self._ponder(self._present, self._pool)
        self._work = asyncio.get_running_loop().create_task(work, context=Context())

    async def _ponder(self, thought: _Thought, pool: Pool) -> None:
        began, left = monotonic(), thought.seconds
        try:
            if not thought.stop.is_set:
                nodes = await self._searched(thought, pool)
                left -= monotonic() - began
                self._meter.pondered(thought.seconds - left, nodes)
        except Exception:
            logger.exception("searching on the opponent's time failed in game %s", thought.game_id)
            self._present = None
        finally:
            if self._present is thought and thought.stop.is_set and left > LEAST:
                following = replace(thought, seconds=left, stop=Stop())
                self._waiting = {thought.game_id: following, **self._waiting}
            self._work = self._present = None
            self._go_on()

    async def _searched(self, thought: _Thought, pool: Pool) -> int:
        """Search for a game in the thread; returns the positions visited."""
        job = replace(thought.job, task=Ponder(thought.seconds))
        work = partial(_humbly, job, thought.stop)
        return await pool.run(work, thought.seconds + GRACE, stop=thought.stop)


def _humbly(job: Job[int], stop: Stop) -> int:
    """Do a job in this thread, which everything else on the machine may interrupt from now on."""
    if sys.platform == "linux":
        # There, a thread has a priority of its own. Elsewhere this number may be a process's.
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
    return job.run(stop)
