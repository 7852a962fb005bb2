"""One search, with the time that it waited and ran."""

from __future__ import annotations

from time import monotonic
from types import TracebackType
from typing import Self

from bot.telemetry.meter import Meter


class TimedSearch:
    """A block in which a search waits and runs; at its end a meter is told how that went.

    The search waits from the beginning of the block until `begin`. A block that raises has failed;
    one that is cancelled was stopped.
    """

    def __init__(self, level: str, meter: Meter) -> None:
        """Tell the `meter` that the search was for this `level`."""
        self._level = level
        self._meter = meter
        self._queued = monotonic()
        self._began: float | None = None
        self._nodes = 0
        self._is_stopped = False

    def begin(self) -> None:
        """End the wait: the search begins. Any thread may call this, also more than once."""
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
