"""What a picture shows, as plain values: a caller fills these in and a drawing reads them.

Every word in a scene is already in the reader's language; the drawings add none of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from engine.game import Cell, Player, Square


@dataclass(frozen=True, slots=True)
class Figure:
    """One number with its name, such as `Moves` and `23`."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Panel:
    """The figures of a finished game, drawn under its board in the same picture."""

    title: str
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class BoardScene:
    """A board with everything around it.

    Raises:
        ValueError: when the rows differ in length, or when there are labels but not one for
            every column (or row).
    """

    cells: tuple[tuple[Cell, ...], ...]
    """The rows from the top, each from the left."""
    column_labels: tuple[str, ...]
    """What a player says to pick a column, from the left."""
    names: tuple[str, str]
    """The first player and the second."""
    active: Player | None
    """Whose turn it is; None once the game is over."""
    status: str
    """One sentence, such as `Ana to move` or `Ana wins`."""
    footer: str = ""
    """One quiet line under the board; may be empty."""
    remark: str = ""
    """One short line on what the board does not show, such as `move 1 of 2`; may be empty."""
    row_labels: tuple[str, ...] = ()
    """The names of the rows from the top, for games that say them."""
    last: frozenset[Square] = frozenset()
    """Where the last move left its stones."""
    line: frozenset[Square] = frozenset()
    """Every square of a winning line."""
    hint: frozenset[Square] = frozenset()
    """Where a suggested move would act."""
    panel: Panel | None = None
    """What to tell under the board once the game is over."""

    def __post_init__(self) -> None:
        columns = len(self.cells[0]) if self.cells else 0
        if any(len(row) != columns for row in self.cells):
            raise ValueError("every row of a board must have the same number of cells")
        if len(self.column_labels) != columns:
            raise ValueError(f"{columns} columns need as many labels, not {self.column_labels!r}")
        if self.row_labels and len(self.row_labels) != len(self.cells):
            raise ValueError(f"{len(self.cells)} rows need as many labels, not {self.row_labels!r}")

    @property
    def rows(self) -> int:
        """How many rows the board has."""
        return len(self.cells)

    @property
    def columns(self) -> int:
        """How many columns the board has."""
        return len(self.column_labels)


class Align(StrEnum):
    """To which side of its column a text goes."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Table:
    """A small table.

    Raises:
        ValueError: when a row has not one text for every header, when the highlight or a muted row
            is no row, or when there are sides but not one for every header.
    """

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    highlight: int | None = None
    """The index of the row that stands out; None for none."""
    muted: frozenset[int] = frozenset()
    """The indices of the rows that step back, such as those of provisional players."""
    sides: tuple[Align, ...] = ()
    """The side of every column; none for the usual: the first to the left, all others right."""

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
        """Return the side to which the texts of a column go."""
        if self.sides:
            return self.sides[column]
        return Align.RIGHT if column else Align.LEFT


class Result(StrEnum):
    """How a game ended for the person whom a picture is about."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Form:
    """How somebody's latest games ended, as a row of marks.

    Raises:
        ValueError: when there are more than ten games.
    """

    label: str
    results: tuple[Result, ...]
    """The games from the oldest to the newest; at most ten."""
    won: str
    """What a game won is called where the marks are told in words."""
    drawn: str
    """What a draw is called there."""
    lost: str
    """What a loss is called there."""

    def __post_init__(self) -> None:
        if len(self.results) > 10:
            raise ValueError(f"form is at most ten games, not {len(self.results)}")

    def word(self, result: Result) -> str:
        """Return what a result is called."""
        return {Result.WON: self.won, Result.DRAWN: self.drawn, Result.LOST: self.lost}[result]


@dataclass(frozen=True, slots=True)
class Course:
    """How a number such as a rating went from game to game; whole numbers are written.

    Raises:
        ValueError: when there is no value, when there are deviations but not one for every value,
            or when a value is not finite or a deviation below 0.
    """

    label: str
    values: tuple[float, ...]
    """The value after every game, the oldest first."""
    told: str
    """The sentence that tells it, a template for `str.format`: `{first}`, `{low}`, `{high}`,
    `{last}` and `{label}`; it may leave some out."""
    deviations: tuple[float, ...] = ()
    """How far each value may be off to either side, drawn as a band; none for no band."""

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
    """A card of statistics: a title, big numbers, how it went, a table and small print."""

    title: str
    subtitle: str
    figures: tuple[Figure, ...]
    table: Table | None = None
    footer: str = ""
    note: str = ""
    """A sentence or two that stands out above the footer; may be empty."""
    course: Course | None = None
    """How a number went over the games; None for none."""
    form: Form | None = None
    """How the latest games ended; None, or one without games, for none."""
