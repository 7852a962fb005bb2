"""Wide tables turned on their side, so that they fit a narrow picture."""

from __future__ import annotations

from renderers.blocks.table import TableStyle
from renderers.paint.text import fit, legible
from renderers.scene import Table

_NAMES = 166
"""The least width of the first column, in pixels: two lines of two words."""
_HEADER = 110
"""The greatest width of a name above narrower numbers, in pixels."""


def turned(table: Table, style: TableStyle) -> tuple[Table, ...]:
    """Turn rows into columns, in as many tables as it takes to cut no number.

    The tables go below each other and share the columns out about evenly; a table without rows
    becomes none. The first cell of a row becomes a header and is cut when it is long.
    """
    if not table.rows or not table.headers:
        return ()
    widths = [_width(row, style) for row in table.rows]
    rows = [
        (fit(legible(name), width, style.header)[0], *cells)
        for (name, *cells), width in zip(table.rows, widths, strict=True)
    ]
    size = _size(widths, style)
    blocks = [rows[start : start + size] for start in range(0, len(rows), size)]
    return tuple(_turned(table.headers, block) for block in blocks)


def _turned(headers: tuple[str, ...], rows: list[tuple[str, ...]]) -> Table:
    first, *others = zip(headers, *rows, strict=True)
    return Table(first, tuple(others))


def _width(row: tuple[str, ...], style: TableStyle) -> int:
    """Return the width of a row once it is a column, in pixels."""
    name, *cells = row
    header = min(style.header.width(legible(name)), _HEADER)
    return max([header, *(style.body.width(legible(cell)) for cell in cells)])


def _size(widths: list[int], style: TableStyle) -> int:
    """Return how many columns each table should have for there to be as few tables as possible."""
    for count in range(1, len(widths)):
        size = -(-len(widths) // count)
        blocks = (widths[start : start + size] for start in range(0, len(widths), size))
        if all(sum(block) + len(block) * style.gap <= style.room - _NAMES for block in blocks):
            return size
    return 1
