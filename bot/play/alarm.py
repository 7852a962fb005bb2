"""One timer, set to the next time any game must be looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context

from bot.table.clocks import Clock

AT_MOST = 60.0
"""Seconds after which the alarm rings whatever it is set to. Deadlines go by a clock that may be
corrected; timers run on the loop's monotonic clock, which knows nothing of that."""


class Alarm:
    """Rings at the earliest of the times it has been set to."""

    def __init__(self, clock: Clock) -> None:
        """Go by `clock`; the alarm is off until `start`."""
        self._clock = clock
        self._ring: Callable[[], None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._at: float | None = None

    def start(self, ring: Callable[[], None]) -> None:
        """Call `ring` at once, and then whenever a time set with `ring_by` has come."""
        self._ring = ring
        self.ring_by(self._clock())

    def stop(self) -> None:
        """Turn the alarm off."""
        self._ring = None
        self._disarm()

    def ring_by(self, at: float | None) -> None:
        """Ring at a time, unless the alarm is set to an earlier one; None changes nothing."""
        if self._ring is None or at is None or (self._at is not None and self._at <= at):
            return
        self._disarm()
        self._at = at
        left = min(max(0.0, at - self._clock()), AT_MOST)
        self._timer = self._wait(left)

    def _wait(self, seconds: float) -> asyncio.TimerHandle | None:
        """Have `_due` called after this many seconds."""
        # A timer outlives what set it, such as somebody's request, and takes nothing of it along.
        call_later = asyncio.get_running_loop().call_later
        return Context().run(call_later, seconds, self._due)

    def _due(self) -> None:
        self._timer = self._at = None
        if self._ring is not None:
            self._ring()

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._at = None
