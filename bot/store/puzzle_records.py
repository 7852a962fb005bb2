"""Puzzles as the store takes and returns them: immutable values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from bot.store.rating_records import Rating


@dataclass(frozen=True, slots=True)
class PuzzleRecord:
    """How strong a person is at the puzzles of one ladder."""

    user_id: int
    ladder: str
    rating: Rating
    """Of which `games` are the first tries."""
    solved: int
    """How many of them found everything at once."""
    updated_at: float


@dataclass(frozen=True, slots=True)
class PuzzleTry:
    """A person's first try at a puzzle."""

    user_id: int
    puzzle: str
    ladder: str
    begun_at: float
    had_at: float
    """When the person last had to do with the puzzle."""
    settled_at: float | None
    """When the first wrong move was made, or all was found; None until then."""
    solved: bool | None
    """Whether all was found without a wrong move."""
    value_before: float | None
    value_after: float | None

    @property
    def seconds(self) -> float | None:
        """How long it took; None while it is open."""
        return None if self.settled_at is None else self.settled_at - self.begun_at


@dataclass(frozen=True, slots=True)
class DailyKey:
    """The puzzle of a day in one family of games."""

    family: str
    day: int
    """Counted from 1970 on, in UTC."""


@dataclass(frozen=True, slots=True)
class DailyTry:
    """A person's first try at a puzzle of the day."""

    user_id: int
    key: DailyKey
    puzzle: str
    guild_id: int | None
    """The server on which it was begun; None in private."""
    begun_at: float
    settled_at: float | None
    solved: bool | None


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of a first try."""

    attempt: PuzzleTry
    counted: bool
    """Whether this settled it; False where that had been done before."""


@dataclass(frozen=True, slots=True)
class Solver:
    """Somebody who solved a puzzle of the day at the first try, and may be named."""

    user_id: int
    streak: int
    """On how many days in a row, this one included."""


@dataclass(frozen=True, slots=True)
class SolverBoard:
    """Who of a server has tried the puzzle of a day."""

    tried: int
    solved: int
    """At the first try; who hides their statistics is counted and not named."""
    first: tuple[Solver, ...] = ()
    """The earliest ones."""
    more: bool = False
    """Whether there are others who may be named."""


Rate = Callable[[PuzzleRecord | None, PuzzleTry], tuple[Rating, Rating]]
"""From a person's stored rating and a try that has just been settled to the rating before it, as
of now, and after it; pure."""


@dataclass(frozen=True, slots=True)
class DailyChannel:
    """Where a server wants its puzzle of the day."""

    guild_id: int
    channel_id: int
    family: str
    locale: str
    hour: int
    """From which hour on, in UTC."""
    since: float
    closed_at: float | None = None
    """Since when the bot may not post there."""


@dataclass(frozen=True, slots=True)
class DailyPost:
    """A server's message with the puzzle of a day."""

    guild_id: int
    key: DailyKey
    puzzle: str
    channel_id: int
    locale: str
    message_id: int | None
    """None until it is known to be there; 0 where nobody can reach it."""
    sent_at: float | None
    """When it was sent before without anybody knowing whether it arrived."""
    state: int
    """A number that grows with everything that the message is to show."""


@dataclass(frozen=True, slots=True)
class Today:
    """What is due on servers at a moment."""

    at: float
    day: int
    hour: int
    puzzles: Mapping[str, str]
    """The puzzle of the day of each family that has one."""


def streak(days: Collection[int], last: int) -> int:
    """How many days in a row are among `days`, up to and with the day `last`."""
    length = 0
    while last - length in days:
        length += 1
    return length
