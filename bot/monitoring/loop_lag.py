"""How late the event loop is with what it has to do."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from time import monotonic
from types import TracebackType
from typing import Self

from bot.telemetry import Meter

TICK = 0.25
"""Seconds between two measurements."""
KEPT = 60.0
"""Seconds for which measurements are kept."""


class LoopLag:
    """Sleeps a little again and again, and measures by how much each sleep was too long."""

    def __init__(self, meter: Meter) -> None:
        """Tell the `meter` each measurement; `async with` measures meanwhile."""
        self._meter = meter
        self._late: deque[tuple[float, float]] = deque(maxlen=int(KEPT / TICK))

    async def __aenter__(self) -> Self:
        """Begin to measure."""
        self._task = asyncio.get_running_loop().create_task(self._measure())
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        """Measure no more."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    def worst(self, seconds: float = KEPT) -> float:
        """The longest lag of the last seconds, at most `KEPT`."""
        since = monotonic() - seconds
        return max((lag for at, lag in self._late if at >= since), default=0.0)

    async def _measure(self) -> None:
        while True:
            began = monotonic()
            await asyncio.sleep(TICK)
            now = monotonic()
            lag = max(0.0, now - began - TICK)
            self._late.append((now, lag))
            self._meter.lagged(lag)
