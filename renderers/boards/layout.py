"""The positions of the parts of a board's picture, in pixels.

Discord fits a picture into about 550 x 350 pixels on a desktop and into a width of about 330 on a
phone. A page that is a little higher than wide loses least in both, so boards of every size are.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.game import Square
from renderers.paint.theme import MARGIN, WIDTH

Box = tuple[int, int, int, int]
"""Left, top, right and bottom; right and bottom are just outside the box."""

USUAL_CELL = 112
"""The side of a cell if there is enough space."""

_SMALLEST, _LARGEST = 4, 8

_HIGHEST = 890
"""The greatest height of a page: on a higher one the letters would be too small."""

_TOP = 14

PILLS = (82, 88, 124)
"""The height of the pills with names of one, two and three lines."""

_BELOW_PILLS = 26
"""The height below a pill for the pointer of the player to move, or a winner's stars."""

FRAME = 14
"""The width of the rim around the cells."""

LIP = 12
"""The height of the board's lower edge and its shadow, which lie below its frame."""

_LABEL_GAP = 6

_LABEL_SIDE = 44
"""The height of a column's label, and both sides of a row's."""

_GUTTER = _LABEL_SIDE + _LABEL_GAP
"""The width of the labels beside the board."""

VALUES = 54
"""The height for the values of moves, between the columns' labels and the board."""

LINE = 42
"""The height of a line of text below the board."""

_AROUND_LINES = 12

_MOST_LINES = 3
"""There is always space for this many lines of text, so that a board keeps its size in a game."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of the parts of a board's picture, which is always `WIDTH` pixels wide."""

    rows: int
    columns: int
    cell: int
    """The side of a cell."""
    frame: Box
    """The board with its rim."""
    pill: int
    """The height of the pills with the names."""
    lines: int
    """The lines of text below the board."""
    values: int = 0
    """The height for values above the board."""

    @property
    def height(self) -> int:
        """The height of the picture."""
        return self.below + LINE * self.lines + _AROUND_LINES

    @property
    def pills(self) -> tuple[int, int]:
        """The top and bottom of the pills with the names."""
        return _TOP, _TOP + self.pill

    @property
    def below(self) -> int:
        """The distance of the lines of text below the board from the top."""
        return self.frame[3] + LIP + _AROUND_LINES

    def cell_box(self, square: Square) -> Box:
        """Return the box of a square."""
        left = self.frame[0] + FRAME + square.column * self.cell
        top = self.frame[1] + FRAME + square.row * self.cell
        return left, top, left + self.cell, top + self.cell

    def label_box(self, column: int) -> Box:
        """Return the box of a column's label, above the board."""
        left, _, right, _ = self.cell_box(Square(0, column))
        edge = self.frame[1] - self.values
        return left, edge - _GUTTER, right, edge - _LABEL_GAP

    def value_box(self, column: int) -> Box:
        """Return the box of the value above a column."""
        left, _, right, _ = self.cell_box(Square(0, column))
        return left, self.frame[1] - self.values, right, self.frame[1] - _LABEL_GAP

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
    name_lines: int = 1,
    lines: int = 1,
    values: bool = False,
) -> Layout:
    """Lay a board out.

    Args:
        rows: The number of its rows.
        columns: The number of its columns.
        largest_cell: The side of its cells where there is room enough, in pixels.
        row_labels: Whether its rows have labels.
        name_lines: How many lines the longer name takes, 1 to 3.
        lines: How many lines of words there are below the board, 0 to 3.
        values: Whether there is room for values above the board.

    Raises:
        ValueError: when the board has fewer than 4 or more than 8 rows or columns.
    """
    if not (_SMALLEST <= rows <= _LARGEST and _SMALLEST <= columns <= _LARGEST):
        limits = f"{_SMALLEST} to {_LARGEST} rows and columns"
        raise ValueError(f"a board has {limits}, not {rows}x{columns}")
    gutter = _GUTTER if row_labels else 0
    pill = PILLS[name_lines - 1]
    above = VALUES if values else 0
    top = _TOP + pill + _BELOW_PILLS + _GUTTER + above
    room = _HIGHEST - top - LIP - 2 * _AROUND_LINES - _MOST_LINES * LINE
    across = (WIDTH - 2 * MARGIN - gutter - 2 * FRAME) // columns
    # Files are smaller when equal cells begin on equal halves of a byte.
    cell = min(largest_cell, across, (room - 2 * FRAME) // rows) // 2 * 2
    width, height = columns * cell + 2 * FRAME, rows * cell + 2 * FRAME
    # The board is centred unless its row labels need the space.
    left = max((WIDTH - width) // 2, MARGIN + gutter)
    frame = (left, top, left + width, top + height)
    return Layout(rows, columns, cell, frame, pill, lines, above)
