"""What is counted, and what log lines are about; standard library only.

The core calls a `Meter`, which by itself forgets everything; `bot.ops.metrics` has the one that is
Prometheus. Log lines name the game, channel and server that the running code is about.
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
    """Is told what happens; this one forgets it. Methods may be called from any thread."""

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
        """A search waits no longer: it has begun, or has been dropped."""

    def searched(
        self, level: str, outcome: str, *, waited: float, seconds: float, nodes: int
    ) -> None:
        """A search is over.

        Args:
            level: The agent's name, or `hint`.
            outcome: `found`, `failed`, or `stopped` where nobody wants the answer any more.
            waited: Seconds until it got a thread.
            seconds: How long it ran.
            nodes: How many positions it visited.
        """

    def worked(self, where: str) -> None:
        """A job of the engine: `cluster` has done it, `lost` it, or `local` threads do it."""

    def cluster_places(self, places: int) -> None:
        """The cluster does so many jobs at a time from now on."""

    def could_not_settle(self, queue: str) -> None:
        """An attempt to settle a finished game has failed; `queue` is `ratings` or `judgements`."""

    def cluster_places_wanted(self, places: int) -> None:
        """The settings want the cluster to do at least so many jobs at a time."""

    def cluster_circuit(self, state: str) -> None:
        """The circuit breaker of the cluster is `closed`, `open` or `half_open` from now on."""

    def wrote(self, seconds: float) -> None:
        """A change is on disk; the seconds begin when it was wanted, its turn included.

        Changes that are stored together in one transaction count one by one.
        """

    def refused(self, key: str) -> None:
        """Somebody was refused something, for the reason with this key."""

    def failed(self) -> None:
        """Somebody was told that something unexpected has gone wrong."""

    def edited(self, route: str, result: str) -> None:
        """Discord has answered the edit of a message, or not.

        Args:
            route: `channel`, or `token` for one through an interaction.
            result: The status, or `unreachable`.
        """

    def posted(self, route: str, result: str) -> None:
        """Discord has answered a new message, or not; see `edited`."""

    def lagged(self, seconds: float) -> None:
        """The event loop came to something this much late."""


SILENT = Meter()
"""For all that nobody watches."""


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


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The ids that are known; None for those that are not."""

    game: int | None = None
    channel: int | None = None
    guild: int | None = None


_HERE: ContextVar[Whereabouts] = ContextVar("whereabouts", default=Whereabouts())  # noqa: B039


def here() -> Whereabouts:
    """What the running code is about."""
    return _HERE.get()


def note(game: int | None = None, channel: int | None = None, guild: int | None = None) -> None:
    """Add what has become known, for the rest of the running task; None adds nothing."""
    _HERE.set(_with(game, channel, guild))


@contextmanager
def about(
    game: int | None = None, channel: int | None = None, guild: int | None = None
) -> Iterator[None]:
    """Add what is known for a block."""
    token = _HERE.set(_with(game, channel, guild))
    try:
        yield
    finally:
        _HERE.reset(token)


def _with(game: int | None, channel: int | None, guild: int | None) -> Whereabouts:
    given = {"game": game, "channel": channel, "guild": guild}
    return replace(_HERE.get(), **{name: id_ for name, id_ in given.items() if id_ is not None})
