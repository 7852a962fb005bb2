"""Games, challenges and undo requests, as the store takes and returns them: immutable values."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.rating_records import RatingChange
from bot.store.vote_records import VoteRecord


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """Who sits at one side: a person or an agent."""

    user_id: int | None
    agent: str | None


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """One move, and what it cost to find."""

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
    def is_unsearched(self) -> bool:
        """Whether an agent made it without a search, because every search had failed."""
        return self.user_id is None and self.nodes is None


@dataclass(frozen=True, slots=True)
class HintRecord:
    """One hint, for one position of a game, and what it cost to find."""

    number: int
    """The number of the move it was for."""
    user_id: int
    move: str
    at: float
    position: int = 0
    """A digest of the position; 0 where nobody knows it."""
    seconds: float = 0.0
    nodes: int | None = None
    depth: int | None = None
    score: int | None = None
    proven: bool = False
    exact: str = ""
    """The scores of all moves that are proven, such as `4:9980 2:-9990`."""
    level: int = 3
    """How much of it was said: `bot.table.hints.HintLevel`."""
    given: int = 1
    """How many times more of it was said: each counts as a hint."""


@dataclass(frozen=True, slots=True)
class EndRecord:
    """How a game ended, and for whom (1, 2 or nobody).

    The ending is `line`, `stuck` or `draw` by the rules, else `agreed`, `resigned`, `time`,
    `stopped`, before the game had really begun `aborted`, or `unreadable` if it could not be
    continued because its rows could not be read.
    """

    ending: str
    winner: int | None
    at: float


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time each person has."""

    seconds: float
    per: str = "move"
    """What the time is for: a `move`, or the whole `game`."""


@dataclass(frozen=True, slots=True)
class NewGameRecord:
    """A game that is about to begin."""

    family: str
    variant: str
    channel_id: int
    guild_id: int | None
    locale: str
    first: SeatRecord
    second: SeatRecord
    auto: bool
    started_at: float
    started_by: int | None = None
    clock: TimeControl | None = None
    """None for a game without a time limit."""
    vote_seconds: float | None = None
    """How long votes take in it; None for a game without any."""
    pie: bool = False
    """Whether the second player may swap sides after the first turn."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A stored game with all its moves."""

    id: int
    opening: NewGameRecord
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
    """When they were last."""
    reminded_at: float | None = None
    """When a player was last reminded that their time is running out."""
    look_at: float | None = None
    """When the clock next requires something; None if it does not."""
    rating_due: bool = False
    """Whether it has ended, counts for ratings, and has not been rated yet."""
    rating_failed: bool = False
    """Whether every attempt to rate it has failed; it is then tried once a day only."""
    paused: float = 0.0
    """Seconds since its latest event that are nobody's time."""
    owner: str | None = None
    """The process whose game it is, if it is somebody's."""
    asides: int = 0
    """How much has happened in it that is neither a move nor an undo, such as votes."""
    vote_until: float | None = None
    """When the vote that is under way ends, if one is."""
    votes: tuple[VoteRecord, ...] = ()
    """The votes on its next move and on its result."""
    swapped_at: float | None = None
    """When its players swapped sides, if they did; the seats are as they are since then."""
    lacks_moves: bool = False
    """Whether the numbers of its moves leave some out: its rows are damaged."""

    @property
    def hinted_numbers(self) -> frozenset[int]:
        """The numbers of the moves for which a hint was given."""
        return frozenset(hint.number for hint in self.hints)


@dataclass(frozen=True, slots=True)
class NewUndoRecord:
    """A person's request to take back the latest moves of a game between two people."""

    game_id: int
    asker: int
    made: int
    """How many moves had been made by then."""
    remaining: int
    """How many would remain."""
    undos: int
    """How many times moves had been taken back before."""
    asked_at: float


@dataclass(frozen=True, slots=True)
class UndoRecord:
    """A stored request to take moves back."""

    id: int
    request: NewUndoRecord
    message_id: int | None
    answer: str | None
    """`accepted`, `declined` or `lapsed`; None while it is open."""


@dataclass(frozen=True, slots=True)
class DueRecord:
    """A running game that must be looked at."""

    id: int
    channel_id: int


@dataclass(frozen=True, slots=True)
class NewDrawRecord:
    """A person's offer of a draw in a game between two people."""

    game_id: int
    asker: int
    made: int
    """How many moves had been made by then."""
    undos: int
    """How many times moves had been taken back before."""
    asked_at: float


@dataclass(frozen=True, slots=True)
class DrawRecord:
    """A stored offer of a draw."""

    id: int
    request: NewDrawRecord
    message_id: int | None
    answer: str | None
    """`accepted`, `declined` or `lapsed`; None while it is open."""


@dataclass(frozen=True, slots=True)
class NewChallengeRecord:
    """A game that one person offers another."""

    family: str
    variant: str
    channel_id: int
    guild_id: int | None
    locale: str
    challenger: int
    challenged: int
    challenger_first: bool
    offered_at: float
    expires_at: float
    clock: TimeControl | None = None
    """The time control of the game that is offered."""
    pie: bool = False
    """Whether that game has the pie rule."""


@dataclass(frozen=True, slots=True)
class ChallengeRecord:
    """A stored challenge."""

    id: int
    offer: NewChallengeRecord
    message_id: int | None
    answer: str | None
    """`accepted`, `declined`, `withdrawn` or `expired`; None while it is open."""
