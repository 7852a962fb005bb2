"""The content of pictures of single games, as plain values: boards and reviewed games.

Callers create scenes and drawings read them. Every word in a scene is already in the reader's
language; drawings add none of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.core.game import Cell, Player, Square


@dataclass(frozen=True, slots=True)
class Movement:
    """A single action of a player in a turn."""

    square: Square | None = None
    """The square on which it acted; None if there is no single one."""
    word: str = ""
    """A word for an action that is more than putting a stone; otherwise empty."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Everything that a player did in one turn, which may be several movements."""

    player: Player
    movements: tuple[Movement, ...]


class Outlook(StrEnum):
    """The result of a move for its player; unknown if nothing is proven."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class MoveValue:
    """The value of one move, as a short text."""

    square: Square
    """The square on which the move would act."""
    text: str
    """The value in words, such as `win in 6`, or `62%` for an estimate; its first word is on a line
    of its own."""
    outlook: Outlook
    is_best: bool = False
    """Whether no move has a greater value."""
    number: str = ""
    """The number in the text, for where the words do not fit and a legend explains them."""


@dataclass(frozen=True, slots=True)
class ThreatMark:
    """An empty square that completes a line."""

    square: Square
    players: tuple[Player, ...]
    """Who completes a line on it: one player or both."""
    is_playable: bool = False
    """Whether it can be filled now."""
    is_odd: bool | None = None
    """Whether it is in an odd row from the bottom; None where rows and playing make no
    difference."""


@dataclass(frozen=True, slots=True)
class ThreatLegend:
    """What the signs of threats mean."""

    odd: str
    """The sign of an odd row."""
    even: str
    """That of an even one."""
    now: str
    """That of a square which can be filled now."""


@dataclass(frozen=True, slots=True)
class Banner:
    """The result of a game, in place of the players' plates."""

    title: str
    """The winner, such as `Ana wins!`, or that there is none."""
    subtitle: str = ""
    """How, and against whom."""
    change: str = ""
    """How many points of rating the winner gained; may be empty."""


@dataclass(frozen=True, slots=True)
class Task:
    """What to find on a board, in place of the players' plates.

    Raises:
        ValueError: when the difficulty is not from 0 to `MAX_STARS`.
    """

    title: str
    """The task, such as `Win in 3 moves`."""
    question: str
    """A line below it, such as whose turn it is."""
    stars: int = 0
    """The difficulty, from 1 to `MAX_STARS`; 0 to show none."""

    def __post_init__(self) -> None:
        if not 0 <= self.stars <= MAX_STARS:
            raise ValueError(f"a difficulty has at most {MAX_STARS} stars, not {self.stars}")


MAX_STARS = 3
"""The stars of the greatest difficulty."""


@dataclass(frozen=True, slots=True)
class BoardScene:
    """A board with everything around it.

    Raises:
        ValueError: when the rows differ in length, when there is not one label for every column,
            when there are row labels but not one for every row, when one column has two
            values above it, or when a square with a threat is not empty.
    """

    cells: tuple[tuple[Cell, ...], ...]
    """The rows from top to bottom, each from left to right."""
    column_labels: tuple[str, ...]
    """The text by which a player chooses a column, from left to right."""
    names: tuple[str, str]
    """The names of the first player and the second."""
    active: Player | None
    """The player to move; None once the game is over."""
    status: str
    """One sentence, such as `Ana to move` or `Ana wins`; used in the alternative text only, since
    the picture highlights a name instead."""
    footer: str = ""
    """A muted line below the board; may be empty."""
    remark: str = ""
    """A short line about facts that the board does not show, such as `move 1 of 2`; may be
    empty."""
    row_labels: tuple[str, ...] = ()
    """The names of the rows from top to bottom, in games that name them; empty in others."""
    last: frozenset[Square] = frozenset()
    """The squares on which the last turn left its stones; there are several in some games."""
    line: frozenset[Square] = frozenset()
    """Every square of a winning line."""
    hint: frozenset[Square] = frozenset()
    """The squares on which a suggested move would act."""
    marked: frozenset[Square] = frozenset()
    """The squares that the text beside the picture is about."""
    at_risk: frozenset[Square] = frozenset()
    """The squares that an announced move would empty now; their rows are marked from edge to
    edge."""
    removed: frozenset[Square] = frozenset()
    """The squares whose stones leave the board at this moment of an animation."""
    winner: Player | None = None
    """The winner, in whose colour the banner is."""
    stand_ins: tuple[str, str] = ("1", "2")
    """The replacements of names that the typeface cannot write, such as `Player 1`."""
    turn: Turn | None = None
    """The latest turn, finished or not, for the alternative text; None before the first move."""
    marks: tuple[str, str] = ("1", "2")
    """The names of the first and of the second player's stones in the alternative text."""
    values: tuple[MoveValue, ...] = ()
    """The values of moves: above their columns or, if rows have names, on their squares."""
    has_values: bool = False
    """Whether there is space for values above the columns, even if there are none now; a line of
    advice takes the place of the players."""
    advice: str = ""
    """What to play, in a picture with values."""
    verdict: str = ""
    """What that leads to, such as `win in 6`."""
    task: Task | None = None
    """What the player to move is to find; takes the place of the players."""
    legend: tuple[tuple[Outlook, str], ...] = ()
    """The words of values without their numbers, such as `win in`."""
    full: str = ""
    """The word above a full column, in a picture with values."""
    plates: tuple[str, str] = ("", "")
    """The players' names on their plates, where those are shorter; empty for `names`."""
    details: tuple[str, str] = ("", "")
    """A second line about the first player and about the second, such as `to move · 1038`."""
    banner: Banner | None = None
    """The result of a game that is over; None before that, and where no player may be named."""
    has_remark: bool = False
    """Whether there is space for a remark, even if there is none now."""
    threats: tuple[ThreatMark, ...] = ()
    """The empty squares that complete a line."""
    threat_legend: ThreatLegend | None = None
    """What their signs mean, in place of a remark; None where they have no signs."""

    def __post_init__(self) -> None:
        columns = len(self.cells[0]) if self.cells else 0
        if any(len(row) != columns for row in self.cells):
            raise ValueError("every row of a board must have the same number of cells")
        if len(self.column_labels) != columns:
            raise ValueError(f"{columns} columns need as many labels, not {self.column_labels!r}")
        if self.row_labels and len(self.row_labels) != len(self.cells):
            raise ValueError(f"{len(self.cells)} rows need as many labels, not {self.row_labels!r}")
        above = [value.square.column for value in self.values] if not self.row_labels else []
        if len(set(above)) < len(above):
            raise ValueError("there is room for one value above a column")
        if any(self.cells[row][column].owner for row, column in (t.square for t in self.threats)):
            raise ValueError("a threat is an empty square")

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.cells)

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.column_labels)


@dataclass(frozen=True, slots=True)
class ReviewedPly:
    """One move of a reviewed game.

    Raises:
        ValueError: when the expectation is not from 0 to 1, or the weight is below 0.
    """

    player: Player
    """The player who made it."""
    expected: float
    """The first player's expected score after it, from 0 to 1."""
    mark: str = ""
    """The sign for the class of the move, such as `??`; empty for a move without one."""
    weight: int = 0
    """The importance of the mark: where marks would overlap, those with more weight are written."""

    def __post_init__(self) -> None:
        if not 0 <= self.expected <= 1:
            raise ValueError(f"{self.expected} is no share of a point")
        if self.weight < 0:
            raise ValueError("a weight is at least 0")


@dataclass(frozen=True, slots=True)
class ReviewScene:
    """The course of a game with the marks of its moves.

    Raises:
        ValueError: when there are no moves, or when the turning point is none of them.
    """

    title: str
    subtitle: str
    names: tuple[str, str]
    """The names of the first player and the second."""
    accuracies: tuple[str, str]
    """The accuracy of each player, in a text as short as `accuracy 87`; empty if not shown."""
    plies: tuple[ReviewedPly, ...]
    """The moves in order."""
    turning: int | None = None
    """The index of the turning point, if there is one."""
    footer: str = ""
    """The meaning of the marks; may be empty."""
    sentences: tuple[str, ...] = ()
    """The course and the marks in sentences, for the alternative text."""

    def __post_init__(self) -> None:
        if not self.plies:
            raise ValueError("a review needs a move")
        if self.turning is not None and not 0 <= self.turning < len(self.plies):
            raise ValueError(f"there is no move {self.turning} for the game to turn at")
