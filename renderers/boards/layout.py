"""Where the parts of a board's picture are, in pixels."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Square
from renderers.paint.measures import MARGIN, WIDTH

Box = tuple[int, int, int, int]
"""Left, top, right and bottom; right and bottom are just outside the box."""

USUAL_CELL = 96
"""The side of a cell where there is room enough."""
_SMALLEST, _LARGEST = 4, 8
_EXTENT = 616
_FRAME = 14
_BOARD_TOP = 214
_REMARK = 42
"""How much a remark moves the board down."""
_LABEL_GAP = 8
_LABEL_SIDE = 44
"""The height of a column's label, and both sides of a row's."""
_GUTTER = _LABEL_SIDE + _LABEL_GAP
"""The room that labels take beside the board."""
_FOOTER = 60


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of the parts of a board's picture, which is always `WIDTH` pixels wide."""

    rows: int
    columns: int
    cell: int
    """The side of a cell."""
    frame: Box
    """The board with its rim."""

    @property
    def height(self) -> int:
        """The height of the picture without a panel."""
        return self.frame[3] + _FOOTER

    @property
    def footer(self) -> int:
        """How far down the middle of the footer's capitals is."""
        return self.frame[3] + _FOOTER // 2

    def cell_box(self, square: Square) -> Box:
        """Return the box of a square."""
        left = self.frame[0] + _FRAME + square.column * self.cell
        top = self.frame[1] + _FRAME + square.row * self.cell
        return left, top, left + self.cell, top + self.cell

    def label_box(self, column: int) -> Box:
        """Return the box of a column's label, above the board."""
        left, _, right, _ = self.cell_box(Square(0, column))
        return left, self.frame[1] - _GUTTER, right, self.frame[1] - _LABEL_GAP

    def row_label_box(self, row: int) -> Box:
        """Return the box of a row's label, left of the board."""
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
        rows: The number of its rows.
        columns: The number of its columns.
        largest_cell: The side of its cells where there is room enough, in pixels.
        row_labels: Whether its rows have labels.
        remark: Whether there is a line between the status and the board.

    Raises:
        ValueError: when the board has fewer than 4 or more than 8 rows or columns.
    """
    if not (_SMALLEST <= rows <= _LARGEST and _SMALLEST <= columns <= _LARGEST):
        limits = f"{_SMALLEST} to {_LARGEST} rows and columns"
        raise ValueError(f"a board has {limits}, not {rows}x{columns}")
    gutter = _GUTTER if row_labels else 0
    cell = min(largest_cell, (_EXTENT - gutter) // max(rows, columns))
    width, height = columns * cell + 2 * _FRAME, rows * cell + 2 * _FRAME
    # The board is centred unless its row labels need the room.
    left = max((WIDTH - width) // 2, MARGIN + gutter)
    top = _BOARD_TOP + (_REMARK if remark else 0)
    return Layout(rows, columns, cell, (left, top, left + width, top + height))
