"""One search, with the time that it waited and ran."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from types import TracebackType
from typing import Generic, Self, TypeVar

from bot.telemetry.meter import Meter

T = TypeVar("T")


class TimedSearch(Generic[T]):
    """A search as a function for a thread, and a block that tells a meter how it went.

    It waits from the beginning of the block until it is called. What leaves the block with an
    exception has failed; a block that is cancelled was stopped.
    """

    def __init__(self, function: Callable[[], T], level: str, meter: Meter) -> None:
        """Search with `function`; tell the `meter` that it was for this `level`."""
        self._function = function
        self._level = level
        self._meter = meter
        self._queued = monotonic()
        self._began: float | None = None
        self._nodes = 0
        self._is_stopped = False

    def __call__(self) -> T:
        """Search, in whichever thread this is."""
        self.begin()
        return self._function()

    def begin(self) -> None:
        """Wait no longer: the search begins, here or elsewhere."""
        if self._began is None:
            self._began = monotonic()
            self._meter.search_unqueued()

    def found(self, nodes: int, *, is_stopped: bool) -> None:
        """Note what the search has found, and whether anybody still wants it."""
        self._nodes, self._is_stopped = nodes, is_stopped

    def __enter__(self) -> Self:
        """Begin to wait."""
        self._queued = monotonic()
        self._meter.search_queued()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        """Tell how it went."""
        now, began = monotonic(), self._began
        if began is None:
            self._meter.search_unqueued()
            began = now
        is_stopped = self._is_stopped or (kind is not None and not issubclass(kind, Exception))
        outcome = "stopped" if is_stopped else "found" if kind is None else "failed"
        self._meter.searched(
            self._level,
            outcome,
            waited=began - self._queued,
            seconds=now - began,
            nodes=self._nodes,
        )
