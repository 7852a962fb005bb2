"""Where everything of a board's picture lies, in pixels."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Square
from renderers.paint.measures import MARGIN, WIDTH

Box = tuple[int, int, int, int]
"""Left, top, right and bottom; the right and bottom edges are outside."""

USUAL_CELL = 96
"""How large a cell is where nothing speaks against it."""
_SMALLEST, _LARGEST = 4, 8
_EXTENT = 616
_FRAME = 14
_BOARD_TOP = 214
_REMARK = 42
"""How much lower the board is for a remark above it."""
_LABEL_GAP = 8
_LABEL_SIDE = 44
"""How high a column's label is, and how high and wide a row's."""
_GUTTER = _LABEL_SIDE + _LABEL_GAP
"""What labels take from the board's side."""
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
        return left, self.frame[1] - _GUTTER, right, self.frame[1] - _LABEL_GAP

    def row_label_box(self, row: int) -> Box:
        """Return the box of one row's label at the left of the board."""
        _, top, _, bottom = self.cell_box(Square(row, 0))
        above = (top + bottom - _LABEL_SIDE) // 2
        return self.frame[0] - _GUTTER, above, self.frame[0] - _LABEL_GAP, above + _LABEL_SIDE


def layout(
    rows: int,
    columns: int,
    *,
    largest_cell: int = USUAL_CELL,
    row_labels: bool = False,
    remark: bool = False,
) -> Layout:
    """Lay a board out.

    Args:
        rows: How many rows it has.
        columns: How many columns.
        largest_cell: The side of its cells when there is room enough, in pixels.
        row_labels: Whether its rows have labels.
        remark: Whether a line stands between the status and the board.

    Raises:
        ValueError: when the board has fewer than 4 or more than 8 rows or columns.
    """
    if not (_SMALLEST <= rows <= _LARGEST and _SMALLEST <= columns <= _LARGEST):
        limits = f"{_SMALLEST} to {_LARGEST} rows and columns"
        raise ValueError(f"a board has {limits}, not {rows}x{columns}")
    gutter = _GUTTER if row_labels else 0
    cell = min(largest_cell, (_EXTENT - gutter) // max(rows, columns))
    width, height = columns * cell + 2 * _FRAME, rows * cell + 2 * _FRAME
    # The board stands in the middle as long as the labels beside it have room.
    left = max((WIDTH - width) // 2, MARGIN + gutter)
    top = _BOARD_TOP + (_REMARK if remark else 0)
    return Layout(rows, columns, cell, (left, top, left + width, top + height))
