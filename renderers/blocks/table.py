"""A table: names on the left, numbers on the right, with highlighted and muted rows."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from PIL import Image

from renderers.blocks.block import NOTHING, Block
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.measures import MARGIN, WIDTH
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, fit, legible, wrap
from renderers.paint.theme import Theme, Tone
from renderers.scene import Align, Table

_BAR = 6


class TableStyle(NamedTuple):
    """The type and the measures of a table, in pixels."""

    header: Font
    body: Font
    strong: Font
    """For the highlighted row."""
    header_height: int
    row_height: int
    gap: int
    """The least distance between two columns."""
    inset: int
    """The distance of the texts from either end of a row."""
    lines: int = 1
    """The most lines that a text in the first column may take."""
    line_height: int = 0
    """What each line after the first adds to the height of a row."""

    @property
    def room(self) -> int:
        """The width that the columns and the gaps between them share."""
        return WIDTH - 2 * MARGIN - 2 * self.inset


LARGE_TABLE = TableStyle(Font(24), Font(26), Font(26, bold=True), 48, 50, gap=20, inset=18)
TIGHT_TABLE = LARGE_TABLE._replace(
    header=Font(22), body=Font(24), strong=Font(24, bold=True), gap=14
)
"""For tables in which a large style would cut some text."""
SMALL_TABLE = TableStyle(
    Font(22, bold=True), Font(22), Font(22, bold=True), 42, 40, 14, 2, lines=2, line_height=26
)
"""For many rows in a picture that shows other things too."""


def table_block(table: Table | None, style: TableStyle = LARGE_TABLE) -> Block:
    """Return a table as a block.

    Columns share what room their texts leave. When there is too little, a large table becomes a
    tight one; when there still is, the texts of the widest columns end in an ellipsis.
    """
    if table is None:
        return NOTHING
    grid = _Grid(table, style)
    height = grid.style.header_height + sum(grid.heights)
    return Block(height, lambda canvas, top: _draw(canvas, grid, top))


def _draw(canvas: Canvas, grid: _Grid, top: int) -> None:
    table, style = grid.table, grid.style
    middle = top + style.header_height // 2
    _write_row(canvas, grid, table.headers, middle, style.header, Ramp(Tone.PAGE, Tone.MUTED))
    above = top + style.header_height
    for index, (row, height) in enumerate(zip(table.rows, grid.heights, strict=True)):
        ground, font = Tone.PAGE, style.body
        if index == table.highlight:
            ground, font = Tone.SURFACE, style.strong
            canvas.put(_highlight_sprite(height, canvas.theme), MARGIN, above)
        ramp = Ramp(ground, Tone.MUTED if index in table.muted else Tone.TEXT)
        _write_row(canvas, grid, row, above + height // 2, font, ramp)
        above += height


class _Grid:
    """A table with the widths of its columns and the heights of its rows."""

    def __init__(self, table: Table, style: TableStyle) -> None:
        widths = _natural_widths(table, style)
        if style is LARGE_TABLE and _spare(widths, style) < 0:
            style = TIGHT_TABLE
            widths = _natural_widths(table, style)
        self.table = table
        self.style = style
        self.widths = _shared_out(widths, _spare(widths, style))
        counts = [len(self.lines(row[0], style.body)) if row else 1 for row in table.rows]
        self.heights = [style.row_height + (count - 1) * style.line_height for count in counts]

    def lines(self, name: str, font: Font) -> tuple[str, ...]:
        """Return a text of the first column as lines; an empty one is a single line."""
        name = legible(name)
        if self.style.lines == 1 or font.width(name) <= self.widths[0]:
            return (name,)
        return wrap(name, self.widths[0], font, self.style.lines)


def _write_row(
    canvas: Canvas, grid: _Grid, row: tuple[str, ...], middle: int, font: Font, ramp: Ramp
) -> None:
    left = MARGIN + grid.style.inset
    for column, (cell, width) in enumerate(zip(row, grid.widths, strict=True)):
        side = grid.table.side(column)
        x = left if side is Align.LEFT else left + width
        lines = (cell,) if column or row is grid.table.headers else grid.lines(cell, font)
        for index, line in enumerate(lines):
            text, _ = fit(legible(line), width, font)
            drop = (2 * index - len(lines) + 1) * grid.style.line_height // 2
            canvas.write(text, x, middle + drop, font, ramp, side.value)
        left += width + grid.style.gap


def _natural_widths(table: Table, style: TableStyle) -> list[int]:
    """Return the width of the widest text in each column."""
    return [
        max(
            [
                style.header.width(legible(header)),
                *(style.strong.width(legible(cell)) for cell in cells),
            ]
        )
        for header, *cells in zip(table.headers, *table.rows, strict=True)
    ]


def _spare(widths: list[int], style: TableStyle) -> int:
    return style.room - sum(widths) - style.gap * (len(widths) - 1)


def _shared_out(widths: list[int], spare: int) -> list[int]:
    """Share spare pixels out between the columns, or take missing ones from the widest."""
    widths = list(widths)
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
def _highlight_sprite(height: int, theme: Theme) -> Image.Image:
    width = WIDTH - 2 * MARGIN
    canvas = Canvas.blank(width, height, theme, Tone.PAGE)
    canvas.paint(shapes.panel(width, height, 12), 0, 0, Ramp(Tone.PAGE, Tone.SURFACE))
    # The bar marks the row for people who cannot tell its ground from the page.
    bar = shapes.panel(_BAR, height - 20, _BAR / 2)
    canvas.paint(bar, 6, 10, Ramp(Tone.SURFACE, Tone.FIRST))
    return canvas.image
