"""The content of pictures, as plain values: boards, cards and reviewed games.

Callers create scenes and drawings read them. Every word in a scene is already in the reader's
language; drawings add none of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from engine.core.game import Cell, Player, Square


@dataclass(frozen=True, slots=True)
class Figure:
    """A labelled number, such as `Moves` and `23`."""

    label: str
    value: str


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
class Banner:
    """The result of a game, in place of the players' plates."""

    title: str
    """The winner, such as `Ana wins!`, or that nobody won."""
    subtitle: str = ""
    """How, and against whom."""
    change: str = ""
    """How many points of rating the winner gained; may be empty."""


@dataclass(frozen=True, slots=True)
class BoardScene:
    """A board with everything around it.

    Raises:
        ValueError: when the rows differ in length, when there is not one label for every column,
            when there are row labels but not one for every row, or when one column has two
            values above it.
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
    area: frozenset[Square] = frozenset()
    """The part of the board that matters: the labels of its columns and rows are marked."""
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
    legend: tuple[tuple[Outlook, str], ...] = ()
    """The words of values without their numbers, such as `win in`."""
    full: str = ""
    """The word above a full column, in a picture with values."""
    plates: tuple[str, str] = ("", "")
    """The players' names on their plates, where those are shorter; empty for `names`."""
    details: tuple[str, str] = ("", "")
    """A second line about the first player and about the second, such as `to move · 1038`."""
    banner: Banner | None = None
    """The result of a game that is over; None while it goes on, and where nobody is to be named."""
    has_remark: bool = False
    """Whether there is space for a remark, even if there is none now."""

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

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.cells)

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.column_labels)


class Align(StrEnum):
    """The side of its column on which a text is aligned."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Table:
    """A small table.

    Raises:
        ValueError: when a row does not have one text for every header, when the highlight or a
            muted row is not a row, or when there are sides but not one for every header.
    """

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    highlight: int | None = None
    """The index of the highlighted row, if there is one."""
    muted: frozenset[int] = frozenset()
    """The indices of dimmed rows, such as those of provisional players."""
    sides: tuple[Align, ...] = ()
    """The side of every column; if empty, the first is aligned left and the others right."""

    def __post_init__(self) -> None:
        if any(len(row) != len(self.headers) for row in self.rows):
            raise ValueError("every row of a table must have one text for every header")
        if self.highlight is not None and not 0 <= self.highlight < len(self.rows):
            raise ValueError(f"there is no row {self.highlight} to highlight")
        if not self.muted <= set(range(len(self.rows))):
            raise ValueError(f"not every one of the rows {sorted(self.muted)} is there to be muted")
        if self.sides and len(self.sides) != len(self.headers):
            raise ValueError("the columns of a table need a side each, or none at all")

    def side(self, column: int) -> Align:
        """Return the side on which the texts of a column are aligned."""
        if self.sides:
            return self.sides[column]
        return Align.RIGHT if column else Align.LEFT


class Result(StrEnum):
    """How a game ended for the person a picture is about."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Form:
    """A player's recent form: the results of the latest games, drawn as a row of marks.

    Raises:
        ValueError: when there are more than ten games.
    """

    label: str
    results: tuple[Result, ...]
    """The results from the oldest game to the newest; at most ten."""
    won: str
    """The word for a win in the alternative text."""
    drawn: str
    """The word for a draw."""
    lost: str
    """The word for a loss."""

    def __post_init__(self) -> None:
        if len(self.results) > 10:
            raise ValueError(f"form is at most ten games, not {len(self.results)}")

    def word(self, result: Result) -> str:
        """Return the word for a result."""
        return {Result.WON: self.won, Result.DRAWN: self.drawn, Result.LOST: self.lost}[result]


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a number such as a rating from game to game; written as whole numbers.

    Raises:
        ValueError: when there is no value, when there are deviations but not one for every value,
            when a value is not finite, or when a deviation is not finite or is below 0.
    """

    label: str
    values: tuple[float, ...]
    """The value after every game, from the oldest to the newest."""
    summary: str
    """The course in a sentence, as a template for `str.format` with any of the fields `{label}`,
    `{first}`, `{low}`, `{high}` and `{last}`."""
    deviations: tuple[float, ...] = ()
    """The possible error of each value in either direction, drawn as a band; empty for no band."""

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError("a course needs a value")
        if self.deviations and len(self.deviations) != len(self.values):
            raise ValueError("every value of a course needs a deviation, or none")
        if not all(isfinite(value) for value in self.values):
            raise ValueError("the values of a course must be finite")
        if not all(0 <= deviation < float("inf") for deviation in self.deviations):
            raise ValueError("the deviations of a course must be finite and not below 0")


@dataclass(frozen=True, slots=True)
class CardScene:
    """A card of statistics: a title, large numbers, their course, a table and small print."""

    title: str
    subtitle: str
    figures: tuple[Figure, ...]
    table: Table | None = None
    footer: str = ""
    note: str = ""
    """A sentence or two that stand out above the footer; may be empty."""
    course: Course | None = None
    """The course of a number over the games, if it is shown."""
    form: Form | None = None
    """The results of the latest games, if they are shown; nothing is drawn for no games."""


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
    """The accuracy of each player, in a text as short as `accuracy 87`."""
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
