"""Counters for what happens in the bot, and the ids that log lines name; standard library only.

The core calls a `Meter`, which does nothing by itself; that of `bot.ops.metrics` feeds Prometheus.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from time import monotonic
from types import TracebackType
from typing import Self


class Meter:
    """A metrics sink that ignores all events. Methods may be called from any thread."""

    def started(self, family: str) -> None:
        """A game of this family has begun."""

    def moved(self, family: str, by: str) -> None:
        """A move has been stored; `by` is `person` or `agent`."""

    def ended(self, family: str, reason: str) -> None:
        """The end of a game has been stored; `reason` is the ending of its `EndRecord`."""

    def discontinued(self) -> None:
        """A running game could not be read and was ended."""

    def search_queued(self) -> None:
        """A search waits for a thread."""

    def search_unqueued(self) -> None:
        """A search no longer waits: it has begun or was dropped."""

    def searched(
        self, level: str, outcome: str, *, waited: float, seconds: float, nodes: int
    ) -> None:
        """A search is over.

        Args:
            level: The agent's name, or `hint`.
            outcome: `found`, `failed`, or `stopped` if the answer is no longer needed.
            waited: Seconds until it got a thread.
            seconds: How long it ran.
            nodes: How many positions it visited.
        """

    def worked(self, where: str) -> None:
        """A job was done by the `cluster` or by `local` threads, or `lost` by the cluster."""

    def pondered(self, seconds: float, nodes: int) -> None:
        """A search on an opponent's time has ended; it visited this many positions."""

    def cluster_places(self, places: int) -> None:
        """The number of jobs that the cluster does at a time has changed."""

    def could_not_settle(self, queue: str) -> None:
        """An attempt to settle a finished game failed; `queue` is `ratings` or `judgements`."""

    def cluster_places_wanted(self, places: int) -> None:
        """The number of jobs that the cluster should do at a time, by the settings."""

    def cluster_circuit(self, state: str) -> None:
        """The cluster's circuit breaker has become `closed`, `open` or `half_open`."""

    def wrote(self, seconds: float) -> None:
        """A change is on disk this many seconds after it was requested.

        Changes that are stored in one transaction count one by one.
        """

    def refused(self, key: str) -> None:
        """A request was refused, for the reason with this key."""

    def failed(self) -> None:
        """A request, or a part of its answer, failed unexpectedly."""

    def edited(self, route: str, result: str) -> None:
        """An edit of a message was answered by Discord, or not.

        Args:
            route: `channel`, or `token` for one through an interaction.
            result: The status, or `unreachable`.
        """

    def posted(self, route: str, result: str) -> None:
        """A new message was answered by Discord, or not; see `edited`."""

    def lagged(self, seconds: float) -> None:
        """The event loop ran a callback this much too late."""


SILENT = Meter()
"""The no-op metrics sink."""


class TimedSearch:
    """Measures a block in which a search waits and runs, and reports it to a meter at its end.

    The search waits from the beginning of the block until `begin`. A block that raises has failed;
    one that is cancelled was stopped.
    """

    def __init__(self, level: str, meter: Meter) -> None:
        """Report a search for this `level` to the `meter`."""
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
        """Note how many positions the search visited, and whether it was stopped."""
        self._nodes, self._is_stopped = nodes, is_stopped

    def __enter__(self) -> Self:
        """Start to wait."""
        self._queued = monotonic()
        self._meter.search_queued()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        """Report the search."""
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


@dataclass(frozen=True, slots=True)
class LogContext:
    """The ids that log lines of the running code name; None for those that are not known."""

    game: int | None = None
    channel: int | None = None
    guild: int | None = None


_CONTEXT: ContextVar[LogContext] = ContextVar("log_context", default=LogContext())  # noqa: B039


def log_context() -> LogContext:
    """Return the ids that are known in the running task."""
    return _CONTEXT.get()


def note(game: int | None = None, channel: int | None = None, guild: int | None = None) -> None:
    """Add ids for the rest of the running task; None adds nothing."""
    _CONTEXT.set(_with(game, channel, guild))


@contextmanager
def about(
    game: int | None = None, channel: int | None = None, guild: int | None = None
) -> Iterator[None]:
    """Add ids for a block; None adds nothing."""
    token = _CONTEXT.set(_with(game, channel, guild))
    try:
        yield
    finally:
        _CONTEXT.reset(token)


def _with(game: int | None, channel: int | None, guild: int | None) -> LogContext:
    given = {"game": game, "channel": channel, "guild": guild}
    return replace(_CONTEXT.get(), **{name: id_ for name, id_ in given.items() if id_ is not None})
