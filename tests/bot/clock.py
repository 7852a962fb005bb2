"""A clock that tests move forward."""

from __future__ import annotations

import time


class StepClock:
    """The real time, plus the time that a test has let pass."""

    def __init__(self, start: float | None = None) -> None:
        """Follow the real time, or stay at `start` until the test moves the clock."""
        self._start = start
        self._passed = 0.0

    def __call__(self) -> float:
        """Seconds since 1970."""
        return (time.time() if self._start is None else self._start) + self._passed

    def forward(self, seconds: float) -> None:
        """Let time pass."""
        self._passed += seconds
