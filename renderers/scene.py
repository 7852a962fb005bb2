"""What a picture shows, as plain values: a caller fills these in and a drawing reads them.

Every word in a scene is already in the reader's language; the drawings add none of their own.
"""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Table:
    """A small table.

    Raises:
        ValueError: when a row has not one text for every header, or the highlight is no row.
    """

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    highlight: int | None = None
    """The index of the row that stands out; None for none."""

    def __post_init__(self) -> None:
        if any(len(row) != len(self.headers) for row in self.rows):
            raise ValueError("every row of a table must have one text for every header")
        if self.highlight is not None and not 0 <= self.highlight < len(self.rows):
            raise ValueError(f"there is no row {self.highlight} to highlight")


@dataclass(frozen=True, slots=True)
class CardScene:
    """A card of statistics: a title, big numbers, a table and small print."""

    title: str
    subtitle: str
    figures: tuple[Figure, ...]
    table: Table | None = None
    footer: str = ""
    note: str = ""
    """A sentence or two that stands out above the footer; may be empty."""
