"""Lets so much work pass at a time, by fair shares: what `Pool` is for threads, for a loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

from bot.play.fair_queue import Claim, FairQueue


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
    async def place(self, claim: Claim) -> AsyncIterator[bool]:
        """Wait for a place and hold it during the block; False where there are none."""
        if not self._places:
            yield False
            return
        admitted = asyncio.get_running_loop().create_future()
        self._queue.put(claim, admitted)
        self._admit()
        try:
            is_admitted = await admitted
        except asyncio.CancelledError:
            if admitted.done() and not admitted.cancelled() and admitted.result():
                self._leave(claim, 0.0)
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
