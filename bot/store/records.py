"""Games, challenges, votes and ratings as the store takes and returns them: immutable values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from engine.core.analysis import Source, source_of

THE_CHANNEL = -2
"""The user id in the seat of a whole channel, which votes on each move. No user has this id."""

FORMER_PLAYER = -1
"""The user id, in other people's games, of all who have had their data deleted. They share it, so
that nothing connects the games of one of them. No user has this id."""


AUTO = "auto"
"""In place of an agent's name: the agent whose strength fits the person who requests the game."""


@dataclass(frozen=True, slots=True)
class Rating:
    """An estimate of a player's strength, its uncertainty, and the public number."""

    value: float
    deviation: float
    """The standard error: two of them are the 95 % confidence interval."""
    volatility: float
    """How much the strength itself changes from game to game."""
    games: int
    """The number of rated games that it is based on."""
    surprise: float = field(default=0.0, compare=False)
    """By how many points recent results exceeded expectation; earlier ones fade."""
    shown: float | None = None
    """The number that people see; None until the placement games are over."""


@dataclass(frozen=True, slots=True)
class RatingRecord:
    """A player's stored rating on one ladder, as of their last rated game there."""

    user_id: int
    ladder: str
    rating: Rating
    updated_at: float


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The change of one player's rating by one game."""

    user_id: int
    before: Rating
    """Just before the game ended, with the effect of absence applied."""
    after: Rating
    opponent: float
    """The other side's rating."""
    is_public: bool = True
    """Whether it is a rated game of the player; otherwise only the estimate changes, which nothing
    shows."""


class Experience(StrEnum):
    """What a person said about how often they play."""

    FIRST = "first"
    SOMETIMES = "sometimes"
    OFTEN = "often"
    CLUB = "club"
    UNKNOWN = "unknown"
    """They were asked and did not say."""


@dataclass(frozen=True, slots=True)
class Background:
    """What is known about a person's strength."""

    ratings: Mapping[str, RatingRecord] = field(default_factory=dict)
    """Their ratings, by ladder."""
    experience: Experience | None = None
    """None if they have not been asked."""


@dataclass(frozen=True, slots=True)
class RatedEnd:
    """How the end of a game changes ratings: the store reads them, calls `rate`, and writes."""

    ladder: str
    people: tuple[int, ...]
    """The people whose ratings are needed."""
    rate: Callable[[Mapping[int, RatingRecord]], tuple[RatingChange, ...]]
    """A pure function from the present ratings, of players who have one, to the changes."""
    unaided: tuple[UnaidedMoves, ...] = ()
    """The losses by each person's own moves."""
    start: Callable[[Background], Rating] | None = None
    """The rating before a person's first game on the ladder; without it, `rate` decides."""


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A player's rating right after one of their games."""

    at: float
    rating: Rating


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """The player of one side: a person, an agent or a channel."""

    user_id: int | None
    agent: str | None


def person(user_id: int) -> SeatRecord:
    """A seat for a person."""
    return SeatRecord(user_id, None)


def agent(name: str) -> SeatRecord:
    """A seat for an agent by its name, or AUTO."""
    return SeatRecord(None, name)


def free() -> SeatRecord:
    """The seat of an offered game that is still free."""
    return SeatRecord(None, None)


def channel() -> SeatRecord:
    """The seat for a whole channel."""
    return SeatRecord(THE_CHANNEL, None)


@dataclass(frozen=True, slots=True)
class Place:
    """A message in a channel, or the channel itself."""

    guild_id: int | None
    """None for a direct message."""
    channel_id: int
    message_id: int | None
    """None where no message is known."""


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """One move, with the figures of the search that found it, if any."""

    player: int
    user_id: int | None
    move: str
    hinted: bool
    at: float
    seconds: float
    nodes: int | None = None
    depth: int | None = None
    score: int | None = None
    proven: bool = False

    @property
    def source(self) -> Source:
        """How an agent's move was found."""
        return source_of(proven=self.proven, depth=self.depth or 0, nodes=self.nodes or 0)

    @property
    def is_unsearched(self) -> bool:
        """Whether an agent made it without a search, because every search had failed."""
        return self.user_id is None and self.nodes is None


@dataclass(frozen=True, slots=True)
class HintRecord:
    """One hint for one position of a game, with the figures of its search."""

    number: int
    """The number of the move it was for."""
    user_id: int
    move: str
    at: float
    position: int = 0
    """A digest of the position; 0 if unknown."""
    seconds: float = 0.0
    nodes: int | None = None
    depth: int | None = None
    score: int | None = None
    proven: bool = False
    exact: str = ""
    """The scores of all moves that are proven, such as `4:9980 2:-9990`."""
    level: int = 3
    """Its level of detail: `bot.features.hints.rules.HintLevel`."""
    given: int = 1
    """The number of times that more detail was given; each counts as a hint."""


class Ending(StrEnum):
    """How a game ended, as it is stored: the first three by the rules of the game."""

    LINE = "line"
    STUCK = "stuck"
    DRAW = "draw"
    AGREED = "agreed"
    RESIGNED = "resigned"
    TIME = "time"
    STOPPED = "stopped"
    ABORTED = "aborted"
    """Ended before it had enough moves to count."""
    HALTED = "halted"
    """Stopped by a moderator before it had enough moves to count."""
    UNREADABLE = "unreadable"
    """Ended because its rows could not be read."""

    @classmethod
    def read(cls, word: Any) -> Ending:
        """The ending stored as this word; for a damaged row, any text."""
        found: Ending = next((one for one in cls if one == word), word)
        return found

    @property
    def counts(self) -> bool:
        """Whether the game counts as played."""
        return self not in (Ending.ABORTED, Ending.HALTED, Ending.UNREADABLE)

    @property
    def has_result(self) -> bool:
        """Whether the game has a result: a winner or a draw."""
        return self.counts and self is not Ending.STOPPED

    @property
    def is_by_leaving(self) -> bool:
        """Whether a player lost the game by leaving it."""
        return self in (Ending.RESIGNED, Ending.TIME)


@dataclass(frozen=True, slots=True)
class EndRecord:
    """How a game ended, and which side won (1, 2 or None)."""

    ending: Ending
    """In a damaged row it may be any word (`bot.game.reading`)."""
    winner: int | None
    at: float


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time each person has."""

    seconds: float
    per: str = "move"
    """What the time is for: a `move`, or the whole `game`."""


@dataclass(frozen=True, slots=True)
class GameSetup:
    """The game, its place, its players and its rules.

    The same value describes a requested game, an offered one and a running one. Only a swap of
    sides changes it later. A new rule is a new field, with a column of the same name.
    """

    family: str
    variant: str
    channel_id: int
    guild_id: int | None
    locale: str
    """The language of the game's message."""
    first: SeatRecord
    second: SeatRecord
    started_by: int | None = None
    """The person who requested it, who need not play; None after their data were deleted."""
    auto: bool = False
    """Whether its agent was chosen to fit the player's strength."""
    clock: TimeControl | None = None
    """The time control; None for no limit or, before the game begins, for the default one."""
    vote_seconds: float | None = None
    """The duration of each vote in seconds; None for a game without votes."""
    pie: bool = False
    """Whether the second player may swap sides after the first turn."""
    friendly: bool = False
    """Whether it does not count for ratings, so that people may ask for hints."""
    opening: int = 0
    """How many of its first moves no player made: those of a random or balanced opening, or of a
    position that it goes on from."""
    balanced: bool = False
    """Whether its opening is a balanced one (`engine.study.balanced`), chosen when it begins."""
    match: int = 0
    """How many games the match has that it belongs to; 0 for a game of its own."""
    match_of: int | None = None
    """The first game of its match; None for that one itself, and for a game of its own."""

    @property
    def goes_on(self) -> bool:
        """Whether it goes on from a position that a person has chosen."""
        return self.opening > 0 and not self.balanced and bool(self.people)

    @property
    def seats(self) -> tuple[SeatRecord, SeatRecord]:
        """The seats of the first and the second side."""
        return self.first, self.second

    @property
    def people(self) -> tuple[int, ...]:
        """The people who play, each once, in the order of the seats; without a channel."""
        seated = dict.fromkeys(seat.user_id for seat in self.seats if seat.user_id is not None)
        return tuple(user_id for user_id in seated if user_id != THE_CHANNEL)

    @property
    def requester(self) -> int:
        """The person who requests the game; only for a game that has not begun yet."""
        assert self.started_by is not None
        return self.started_by


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A stored game with all its moves."""

    id: int
    setup: GameSetup
    started_at: float
    message_id: int | None
    moves: tuple[MoveRecord, ...]
    hints: tuple[HintRecord, ...]
    """All hints that were given, also for moves not yet made and for those taken back."""
    end: EndRecord | None
    changes: tuple[RatingChange, ...] = ()
    """How its end changed its players' ratings."""
    undos: int = 0
    """How many times moves were taken back."""
    undone_at: float | None = None
    """The time of the last undo."""
    reminded_at: float | None = None
    """When a player was last reminded that their time is running out."""
    pinged_at: float | None = None
    """When the person to move was last pinged because of their silence."""
    look_at: float | None = None
    """When the game is next due, such as for a warning or a loss on time; None for never."""
    rating_due: bool = False
    """Whether it has ended, counts for ratings, and has not been rated yet."""
    rating_failed: bool = False
    """Whether every attempt to rate it has failed; it is then tried once a day only."""
    paused: float = 0.0
    """Seconds since the latest event that do not count against players' clocks."""
    owner: str | None = None
    """The process that owns it, if one does."""
    asides: int = 0
    """The number of events other than moves and undos, such as votes."""
    vote_until: float | None = None
    """When the present vote ends; None if there is none."""
    votes: tuple[VoteRecord, ...] = ()
    """The votes on its next move and on its result."""
    swapped_at: float | None = None
    """When the players swapped sides; the seats are given as after the swap."""
    held_at: float | None = None
    """Since when it waits; None if it does not."""
    lacks_moves: bool = False
    """Whether numbers are missing among its moves, which means that its rows are damaged."""


@dataclass(frozen=True, slots=True)
class DueRecord:
    """A running game that is due."""

    id: int
    channel_id: int


@dataclass(frozen=True, slots=True)
class NewChallengeRecord:
    """A game that one person offers another."""

    setup: GameSetup
    offered_at: float
    expires_at: float
    rematch_of: int | None = None
    """The game that it follows; None if it is no rematch."""

    @property
    def challenger(self) -> int:
        """The person who offers the game."""
        return self.setup.requester

    @property
    def challenged(self) -> int:
        """The other person."""
        return next(user_id for user_id in self.setup.people if user_id != self.challenger)


@dataclass(frozen=True, slots=True)
class ChallengeRecord:
    """A stored challenge."""

    id: int
    offer: NewChallengeRecord
    message_id: int | None
    answer: str | None
    """`accepted`, `declined`, `withdrawn` or `expired`; None while it is open."""


@dataclass(frozen=True, slots=True)
class UnaidedMoves:
    """The losses by one person's moves without a hint in one game."""

    user_id: int
    ladder: str
    at: float
    """When the game ended."""
    judged: int
    """How many of these moves were judged; at least one."""
    loss: float
    """The expected score that they gave away, added up: exact for proven moves."""
    proven: int = 0
    """How many of the judged moves were judged by the results of perfect play."""
    proven_loss: float = 0.0
    """What these gave away, added up."""


@dataclass(frozen=True, slots=True)
class VoteRecord:
    """A person's choice in one vote of a game."""

    number: int
    """The number of the move that it is about; 0 for the winner of the game."""
    user_id: int
    choice: str
    """The move as players write it; in a vote on the winner the side, or 0 for a draw."""
    at: float
    """When this person began to vote for it."""


@dataclass(frozen=True, slots=True)
class GivenVote:
    """A vote, and the game that it was given in."""

    game_id: int
    family: str
    channel_id: int
    is_running: bool
    vote: VoteRecord
