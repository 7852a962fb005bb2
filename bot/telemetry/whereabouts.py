"""Which game, channel and server the running code is about, for every log line that it writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace


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
