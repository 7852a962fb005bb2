"""The positions of the parts of a board's picture, in pixels.

Everything stays in its place from the first move of a game to the last: a picture's size depends
only on the board's, on whether there is a line of facts below it, and on whether moves have values.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.game import Square
from renderers.paint.theme import WIDTH

Box = tuple[int, int, int, int]
"""Left, top, right and bottom; right and bottom are just outside the box."""

EDGE = 20
"""The space beside the plates."""

TOP, PLATE = 16, 76
"""The top of the plates with the players' names, and their height."""

LARGEST, LARGEST_TILE = 112, 130
"""The greatest side of a cell with a hole, and of one with a tile."""

_SMALLEST_BOARD, _LARGEST_BOARD = 4, 8

_WIDEST, _TALLEST = 604, 564
"""The greatest width and height of all cells of a board."""

_HIGHEST = WIDTH * 4 // 3
"""The greatest height of a picture: Discord would make a higher one much smaller."""

_BOARD = 122
"""The top of a board below plates."""

VALUES = 70
"""How much lower a board is when there are values above it."""

BAND = 40
"""The upper rim of a board, with the labels of the columns."""

_SIDE, _FOOT = 17, 16
"""The rim at the sides of a board and below its cells."""

_LABELLED = 46
"""The rim at the left of a board whose rows have labels."""

_LABEL, _LABELS = (46, 32), (38, 32)
"""The width and height of a label where columns have labels, and where rows have them too."""

VALUE, _VALUE_WIDTH, _BELOW_VALUES = 88, 76, 20
"""The height and the greatest width of a value, and the space between it and the board."""

LIP = 12
"""The thickness of a board, below it."""

_TO_FOOTER, _TO_EDGE = 30, 28
"""From the lip to the middle of the small print, and from there to the edge of the picture."""

REMARK, LEGEND = 34, 36
"""The heights of the line of facts and of the legend of values, between board and small print."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of the parts of a board's picture, which is always `WIDTH` pixels wide."""

    rows: int
    columns: int
    cell: int
    """The side of a cell."""
    frame: Box
    """The board with its rim."""
    side: int
    """The rim at the left of the cells."""
    remark: bool
    """Whether there is room for a line of facts below the board."""
    legend: bool
    """Whether there is room for the legend of values below the board."""

    @property
    def height(self) -> int:
        """The height of the picture."""
        return self.footer + _TO_EDGE

    @property
    def footer(self) -> int:
        """The middle of the small print."""
        return self.below + LEGEND * self.legend + REMARK * self.remark

    @property
    def below(self) -> int:
        """The middle of the first line below the board."""
        return self.frame[3] + LIP + _TO_FOOTER

    def cell_box(self, square: Square) -> Box:
        """Return the box of a square."""
        left = self.frame[0] + self.side + square.column * self.cell
        top = self.frame[1] + BAND + square.row * self.cell
        return left, top, left + self.cell, top + self.cell

    def middle(self, square: Square) -> tuple[int, int]:
        """Return the middle of a square."""
        left, top, _, _ = self.cell_box(square)
        return left + self.cell // 2, top + self.cell // 2

    def label_box(self, column: int) -> Box:
        """Return the box of a column's label, on the rim."""
        x, _ = self.middle(Square(0, column))
        return self._label(x, self.frame[1] + BAND // 2 + 4)

    def row_label_box(self, row: int) -> Box:
        """Return the box of a row's label, on the rim."""
        _, y = self.middle(Square(row, 0))
        return self._label(self.frame[0] + self.side // 2, y)

    def _label(self, x: int, y: int) -> Box:
        width, height = _LABELS if self.side == _LABELLED else _LABEL
        return x - width // 2, y - height // 2, x + width // 2, y + height // 2

    def value_box(self, column: int) -> Box:
        """Return the box of the value above a column, without its rim and its pointer."""
        x, _ = self.middle(Square(0, column))
        bottom, half = self.frame[1] - _BELOW_VALUES, self.value_width // 2
        return x - half, bottom - VALUE, x + half, bottom

    @property
    def value_width(self) -> int:
        """The width of a value above a column."""
        return min(_VALUE_WIDTH, self.cell - 8)


def layout(
    rows: int,
    columns: int,
    *,
    largest_cell: int = LARGEST,
    row_labels: bool = False,
    remark: bool = False,
    values: bool = False,
    legend: bool = False,
) -> Layout:
    """Lay a board out.

    Args:
        rows: The number of its rows.
        columns: The number of its columns.
        largest_cell: The side of its cells where there is room enough, in pixels.
        row_labels: Whether its rows have labels.
        remark: Whether there is a line of facts below the board.
        values: Whether there is room for values above the board.
        legend: Whether there is a legend of values below the board.

    Raises:
        ValueError: when the board has fewer than 4 or more than 8 rows or columns.
    """
    sizes = range(_SMALLEST_BOARD, _LARGEST_BOARD + 1)
    if rows not in sizes or columns not in sizes:
        limits = f"{sizes[0]} to {sizes[-1]} rows and columns"
        raise ValueError(f"a board has {limits}, not {rows}x{columns}")
    top = _BOARD + VALUES * values
    below = LIP + _TO_FOOTER + LEGEND * legend + REMARK * remark + _TO_EDGE
    tallest = min(_TALLEST, _HIGHEST - top - BAND - _FOOT - below)
    side = _LABELLED if row_labels else _SIDE
    widest = min(_WIDEST, WIDTH - 2 * EDGE - side - _SIDE)
    # The middle of a cell with an even side is between two pixels, so its shapes are symmetrical.
    cell = min(largest_cell, widest // columns, tallest // rows) // 2 * 2
    width, height = columns * cell + side + _SIDE, rows * cell + BAND + _FOOT
    left = (WIDTH - width) // 2
    frame = (left, top, left + width, top + height)
    return Layout(rows, columns, cell, frame, side, remark, legend)
