"""One timer for the next time at which any game must be looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context

from bot.table.clocks import Clock

AT_MOST = 3600.0
"""Seconds after which the alarm rings whatever it is set to: the clock that deadlines are told by
may be set, and stands apart from the one that timers run on."""


class Alarm:
    """Rings at the earliest of the times that it has been asked to ring by."""

    def __init__(self, clock: Clock) -> None:
        """Go by `clock`; nothing rings before `start`."""
        self._clock = clock
        self._ring: Callable[[], None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._at: float | None = None

    def start(self, ring: Callable[[], None]) -> None:
        """Call `ring` from now on, at once for the first time; then it has to be set again."""
        self._ring = ring
        self.ring_by(self._clock())

    def stop(self) -> None:
        """Ring no more."""
        self._ring = None
        self._disarm()

    def ring_by(self, at: float | None) -> None:
        """Ring at a time, unless it rings earlier anyway; None asks for nothing."""
        if self._ring is None or at is None or (self._at is not None and self._at <= at):
            return
        self._disarm()
        self._at = at
        left = min(max(0.0, at - self._clock()), AT_MOST)
        # A timer outlives what set it, such as somebody's request, and takes nothing of it along.
        call_later = asyncio.get_running_loop().call_later
        self._timer = Context().run(call_later, left, self._due)

    def _due(self) -> None:
        self._timer = self._at = None
        if self._ring is not None:
            self._ring()

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._at = None
