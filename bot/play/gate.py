"""Limits how many jobs are under way at a time, by fair shares: `Pool` for an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic

from bot.play.fair_queue import Claim, FairQueue

PATIENCE = 1.0
"""Seconds after which a job that waits for a place may be done somewhere else."""
RECHECK = 0.25
"""Seconds between two checks whether it can be, from then on."""


def never() -> bool:
    """Nothing else can do a job that waits."""
    return False


class Gate:
    """A fixed number of places that are shared as `FairQueue` shares threads."""

    def __init__(self) -> None:
        """Begin with no places: nothing passes, and nothing waits."""
        self._places = 0
        self._taken = 0
        self._queue: FairQueue[asyncio.Future[bool]] = FairQueue()

    def resize(self, places: int) -> None:
        """Have so many places from now on; with none, all that waits is turned away."""
        self._places = places
        self._admit()

    @asynccontextmanager
    async def place(
        self, claim: Claim, may_leave: Callable[[], bool] = never
    ) -> AsyncIterator[bool]:
        """Wait for a place and hold it during the block; False where there is none.

        A job that has waited for `PATIENCE` gives up as soon as `may_leave` says that it can.
        """
        if not self._places:
            yield False
            return
        admitted = asyncio.get_running_loop().create_future()
        self._queue.put(claim, admitted)
        self._admit()
        try:
            is_admitted = await _admission(admitted, may_leave)
        except asyncio.CancelledError:
            if admitted.done() and not admitted.cancelled() and admitted.result():
                self._leave(claim, 0.0)
            admitted.cancel()
            raise
        if not is_admitted:
            yield False
            return
        began = monotonic()
        try:
            yield True
        finally:
            self._leave(claim, monotonic() - began)

    def _leave(self, claim: Claim, seconds: float) -> None:
        self._taken -= 1
        self._queue.done(claim, seconds)
        self._admit()

    def _admit(self) -> None:
        """Admit whoever is next while there is room, or turn everybody away."""
        while self._taken < self._places or not self._places:
            item = self._queue.take()
            if item is None:
                return
            claim, admitted = item
            if admitted.done() or not self._places:  # whoever waited has gone away, or has to
                self._queue.done(claim, 0.0)
                if not admitted.done():
                    admitted.set_result(False)
                continue
            self._taken += 1
            admitted.set_result(True)


async def _admission(admitted: asyncio.Future[bool], may_leave: Callable[[], bool]) -> bool:
    """Wait until a job is admitted or turned away, or may leave."""
    timeout = PATIENCE
    while not admitted.done():
        await asyncio.wait({admitted}, timeout=timeout)
        timeout = RECHECK
        if not admitted.done() and may_leave():
            admitted.set_result(False)
    return admitted.result()
