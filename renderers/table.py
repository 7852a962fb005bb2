"""Tables: names on the left, numbers on the right, one row that may stand out."""

from __future__ import annotations

from functools import cache

from PIL import Image

from renderers import shapes
from renderers.canvas import Canvas
from renderers.layout import MARGIN, WIDTH
from renderers.palette import Ramp
from renderers.scene import Table
from renderers.text import Font, fit, legible
from renderers.theme import Theme, Tone

_INSET = 18
_ROOM = WIDTH - 2 * MARGIN - 2 * _INSET
_GAP = 20
_HEADER = Font(24)
_BODY = Font(26)
_STRONG = Font(26, bold=True)
_HEADER_HEIGHT = 48
_ROW_HEIGHT = 50
_BAR = 6


def table_height(table: Table | None) -> int:
    """Return how high a table is, in pixels; 0 for none."""
    if table is None:
        return 0
    return _HEADER_HEIGHT + len(table.rows) * _ROW_HEIGHT


def draw_table(canvas: Canvas, table: Table | None, top: int, theme: Theme) -> None:
    """Draw a table across the bare page from `top`; nothing for none.

    The first column is aligned to the left and takes what room the others leave; those are
    aligned to the right, as numbers are.
    """
    if table is None:
        return
    widths = _column_widths(table)
    middle = top + _HEADER_HEIGHT // 2
    _write_row(canvas, table.headers, widths, middle, _HEADER, Ramp(Tone.PAGE, Tone.MUTED))
    for index, row in enumerate(table.rows):
        above = top + _HEADER_HEIGHT + index * _ROW_HEIGHT
        middle = above + _ROW_HEIGHT // 2
        if index == table.highlight:
            canvas.put(_highlight_sprite(theme), MARGIN, above)
            _write_row(canvas, row, widths, middle, _STRONG, Ramp(Tone.SURFACE, Tone.TEXT))
        else:
            _write_row(canvas, row, widths, middle, _BODY, Ramp(Tone.PAGE, Tone.TEXT))


def _write_row(
    canvas: Canvas, row: tuple[str, ...], widths: list[int], middle: int, font: Font, ramp: Ramp
) -> None:
    left = MARGIN + _INSET
    for index, (cell, width) in enumerate(zip(row, widths, strict=True)):
        text, font = fit(legible(cell), width, font)
        if index == 0:
            canvas.write(text, left, middle, font, ramp)
        else:
            canvas.write(text, left + width, middle, font, ramp, "right")
        left += width + _GAP


def _column_widths(table: Table) -> list[int]:
    """Give every column what its widest text takes, and the widest less when that is too much."""
    widths = [
        max([_HEADER.width(legible(header)), *(_STRONG.width(legible(cell)) for cell in cells)])
        for header, *cells in zip(table.headers, *table.rows, strict=True)
    ]
    spare = _ROOM - sum(widths) - _GAP * (len(widths) - 1)
    if spare >= 0 and len(widths) > 1:
        share = spare // len(widths)
        # An even share for all keeps the columns apart; the rest goes to the names.
        widths = [width + share for width in widths]
        widths[0] += spare - share * len(widths)
    while spare < 0:
        widest = widths.index(max(widths))
        widths[widest] -= 1
        spare += 1
    return widths


@cache
def _highlight_sprite(theme: Theme) -> Image.Image:
    width = WIDTH - 2 * MARGIN
    canvas = Canvas.blank(width, _ROW_HEIGHT, theme, Tone.PAGE)
    canvas.paint(shapes.panel(width, _ROW_HEIGHT, 12), 0, 0, Ramp(Tone.PAGE, Tone.SURFACE))
    # The bar marks the row for those who cannot tell its ground from the page.
    bar = shapes.panel(_BAR, _ROW_HEIGHT - 20, _BAR / 2)
    canvas.paint(bar, 6, 10, Ramp(Tone.SURFACE, Tone.FIRST))
    return canvas.image
