"""Where everything of a board's picture lies, in pixels."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Square

Box = tuple[int, int, int, int]
"""Left, top, right and bottom; the right and bottom edges are outside."""

WIDTH = 680
MARGIN = 18
_SMALLEST, _LARGEST = 4, 8
_EXTENT = 616
_LARGEST_CELL = 96
_FRAME = 14
_BOARD_TOP = 214
_FOOTER = 60


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of a board's picture; every picture is `WIDTH` pixels wide."""

    rows: int
    columns: int
    cell: int
    """The side of a cell."""
    frame: Box
    """The whole board with its rim."""

    @property
    def height(self) -> int:
        """How high the picture is without a panel."""
        return self.frame[3] + _FOOTER

    @property
    def footer(self) -> int:
        """The height of the middle of the footer's capitals."""
        return self.frame[3] + _FOOTER // 2

    def cell_box(self, square: Square) -> Box:
        """Return the box of one square."""
        left = self.frame[0] + _FRAME + square.column * self.cell
        top = self.frame[1] + _FRAME + square.row * self.cell
        return left, top, left + self.cell, top + self.cell

    def label_box(self, column: int) -> Box:
        """Return the box of one column's label above the board."""
        left, _, right, _ = self.cell_box(Square(0, column))
        return left, self.frame[1] - 52, right, self.frame[1] - 8


def layout(rows: int, columns: int) -> Layout:
    """Lay a board out.

    Raises:
        ValueError: when the board has fewer than 4 or more than 8 rows or columns.
    """
    if not (_SMALLEST <= rows <= _LARGEST and _SMALLEST <= columns <= _LARGEST):
        limits = f"{_SMALLEST} to {_LARGEST} rows and columns"
        raise ValueError(f"a board has {limits}, not {rows}x{columns}")
    cell = min(_LARGEST_CELL, _EXTENT // max(rows, columns))
    width, height = columns * cell + 2 * _FRAME, rows * cell + 2 * _FRAME
    left = (WIDTH - width) // 2
    return Layout(rows, columns, cell, (left, _BOARD_TOP, left + width, _BOARD_TOP + height))
