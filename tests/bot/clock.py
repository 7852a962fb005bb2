"""A clock that tests move forward."""

from __future__ import annotations

import time


class StepClock:
    """The present time, and as much more as a test has let pass."""

    def __init__(self, start: float | None = None) -> None:
        """Run with the real time, or stay fixed at `start`."""
        self._start = start
        self._passed = 0.0

    def __call__(self) -> float:
        """Seconds since 1970."""
        return (time.time() if self._start is None else self._start) + self._passed

    def forward(self, seconds: float) -> None:
        """Let time pass."""
        self._passed += seconds
