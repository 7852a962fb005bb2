"""What the store takes and gives: plain immutable values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """Who sits at one side: a person or an agent."""

    user_id: int | None
    agent: str | None


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """One move, with what it took."""

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


@dataclass(frozen=True, slots=True)
class EndRecord:
    """How a game ended, and for whom (1, 2 or nobody).

    The ending is `line`, `stuck` or `draw` by the rules, else `resigned`, `time` or `stopped`.
    """

    ending: str
    winner: int | None
    at: float


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a player is, and how sure that is."""

    value: float
    deviation: float
    """The standard error: the truth lies within two of them 19 times in 20."""
    volatility: float
    """How much the strength itself changes from game to game."""
    games: int
    """Rated games behind it."""
    surprise: float = field(default=0.0, compare=False)
    """The points by which the latest results were beyond expectation, earlier ones faded."""


@dataclass(frozen=True, slots=True)
class RatingRecord:
    """A player's rating on one ladder as it is kept: as of their last rated game there."""

    user_id: int
    ladder: str
    rating: Rating
    updated_at: float


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What one game changed in one player's rating."""

    user_id: int
    before: Rating
    """At the beginning of the game's end: what absence did to it is done already."""
    after: Rating
    opponent: float
    """The other side's rating."""


@dataclass(frozen=True, slots=True)
class RatedEnd:
    """How the end of a game changes ratings: the store reads them, asks, and writes."""

    ladder: str
    people: tuple[int, ...]
    """Whose ratings are needed."""
    rate: Callable[[Mapping[int, RatingRecord]], tuple[RatingChange, ...]]
    """From the present ratings (none for somebody without one) to what changes; pure."""


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


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A stored game with all its moves."""

    id: int
    opening: NewGameRecord
    message_id: int | None
    moves: tuple[MoveRecord, ...]
    hinted_numbers: frozenset[int]
    """The numbers of the moves at which a hint was given, one not yet made included."""
    end: EndRecord | None
    changes: tuple[RatingChange, ...] = ()
    """What its end changed in the ratings of its players."""
    undos: int = 0
    """How many times something was taken back."""
    undone_at: float | None = None
    """When that was last."""


@dataclass(frozen=True, slots=True)
class NewUndoRecord:
    """A person's request to take back the latest moves of a game between two people."""

    game_id: int
    asker: int
    made: int
    """How many moves had been made when it was asked."""
    remaining: int
    """How many of them would remain."""
    undos: int
    """How many times something had been taken back before."""
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


@dataclass(frozen=True, slots=True)
class ChallengeRecord:
    """A stored challenge."""

    id: int
    offer: NewChallengeRecord
    message_id: int | None
    answer: str | None
    """`accepted`, `declined`, `withdrawn` or `expired`; None while it is open."""


@dataclass(frozen=True, slots=True)
class ResultRecord:
    """One finished game as one player's history sees it."""

    variant: str
    agent: str | None
    """The opponent, if it was an agent."""
    auto: bool
    won: bool | None
    """None for a draw."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose games of a family a report is about: a person's, a server's or everybody's."""

    family: str
    user_id: int | None = None
    guild_id: int | None = None


@dataclass(frozen=True, slots=True)
class LevelFigures:
    """The games that people finished against one agent, summed up."""

    agent: str
    games: int
    won: int
    """By the people."""
    drawn: int
    seconds: float
    """From the start to the end, of all games together; the next ones likewise."""
    person_moves: int
    hinted: int
    engine_moves: int
    engine_nodes: int
    engine_seconds: float


@dataclass(frozen=True, slots=True)
class GameFigures:
    """One finished game between a person and an agent."""

    agent: str
    won: bool | None
    """By the person; None for a draw."""
    moves: int
    person_moves: int
    hinted: int


@dataclass(frozen=True, slots=True)
class PastGame:
    """A finished game as one player's history lists it."""

    id: int
    variant: str
    opponent: int | None
    """The other person, if it was one."""
    agent: str | None
    won: bool | None
    """None for a draw, and for a game that was stopped."""
    ending: str
    moves: int
    at: float


@dataclass(frozen=True, slots=True)
class LevelTally:
    """A player's finished games against one agent, or against people (agent None)."""

    agent: str | None
    games: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """A player's history at one game."""

    tallies: tuple[LevelTally, ...]
    recent: tuple[ResultRecord, ...]
    """The latest finished games, the newest first."""
    moves: int
    """Of both sides, in all finished games."""
    seconds: float
    """From the start to the end, of all finished games together."""
    hints: int

    @property
    def games(self) -> int:
        """Finished games."""
        return sum(tally.games for tally in self.tallies)

    @property
    def wins(self) -> int:
        """Games won."""
        return sum(tally.wins for tally in self.tallies)

    @property
    def draws(self) -> int:
        """Games drawn."""
        return sum(tally.draws for tally in self.tallies)

    @property
    def losses(self) -> int:
        """Games lost."""
        return sum(tally.losses for tally in self.tallies)
