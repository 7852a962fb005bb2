"""A table: names on the left, numbers on the right, with highlighted and muted rows."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from PIL import Image

from renderers.blocks.text import NOTHING, Block
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, fit, legible, wrap, wrap_whole
from renderers.paint.theme import MARGIN, WIDTH, Theme, Tone
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
    """The most lines that a text may take."""
    line_height: int = 0
    """The height that each line after the first adds to a row."""

    @property
    def room(self) -> int:
        """The width available to the columns and the gaps between them."""
        return WIDTH - 2 * MARGIN - 2 * self.inset


TABLE = TableStyle(
    Font(28), Font(28), Font(28, bold=True), 40, 42, gap=12, inset=14, lines=2, line_height=29
)


def table_block(table: Table | None, style: TableStyle = TABLE) -> Block:
    """Return a table as a block.

    Columns share the width that their texts leave. If it is too small, the texts of the widest
    columns take a second line, and end in an ellipsis if that is not enough.
    """
    if table is None:
        return NOTHING
    grid = _Grid(table, style)
    height = grid.style.header_height + sum(grid.heights)
    return Block(height, lambda canvas, top: _draw(canvas, grid, top))


def _draw(canvas: Canvas, grid: _Grid, top: int) -> None:
    table, style = grid.table, grid.style
    middle = top + style.header_height // 2
    _write_row(
        canvas, grid, table.headers, middle, style.header, Ramp(Tone.BACKGROUND, Tone.MUTED_TEXT)
    )
    above = top + style.header_height
    for index, (row, height) in enumerate(zip(table.rows, grid.heights, strict=True)):
        ground, font = Tone.BACKGROUND, grid.font(index)
        if index == table.highlight:
            ground = Tone.PANEL
            canvas.put(_highlight_sprite(height, canvas.theme), MARGIN, above)
        ramp = Ramp(ground, Tone.MUTED_TEXT if index in table.muted else Tone.TEXT)
        _write_row(canvas, grid, row, above + height // 2, font, ramp)
        above += height


class _Grid:
    """A table with the widths of its columns and the heights of its rows."""

    def __init__(self, table: Table, style: TableStyle) -> None:
        widths = _natural_widths(table, style)
        self.table = table
        self.style = style
        self.widths = _shared_out(widths, _spare(widths, style))
        self.heights = [self._height(index, row) for index, row in enumerate(table.rows)]

    def lines(self, text: str, column: int, font: Font) -> tuple[str, ...]:
        """Return a text as lines; an empty one is a single line."""
        text, width = legible(text), self.widths[column]
        if self.style.lines == 1 or font.width(text) <= width:
            return (fit(text, width, font)[0],)
        whole = wrap_whole(text, width, font)
        return (
            whole if len(whole) <= self.style.lines else wrap(text, width, font, self.style.lines)
        )

    def font(self, index: int) -> Font:
        """Return the type of a row."""
        return self.style.strong if index == self.table.highlight else self.style.body

    def _height(self, index: int, row: tuple[str, ...]) -> int:
        counts = [len(self.lines(text, n, self.font(index))) for n, text in enumerate(row)]
        return self.style.row_height + (max(counts, default=1) - 1) * self.style.line_height


def _write_row(
    canvas: Canvas, grid: _Grid, row: tuple[str, ...], middle: int, font: Font, ramp: Ramp
) -> None:
    left = MARGIN + grid.style.inset
    for column, (cell, width) in enumerate(zip(row, grid.widths, strict=True)):
        side = grid.table.side(column)
        x = left if side is Align.LEFT else left + width
        header = row is grid.table.headers
        lines = (fit(legible(cell), width, font)[0],) if header else grid.lines(cell, column, font)
        for index, line in enumerate(lines):
            drop = (2 * index - len(lines) + 1) * grid.style.line_height // 2
            canvas.write(line, x, middle + drop, font, ramp, side.value)
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
    """Share spare pixels between the columns, or take missing ones from the widest."""
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
    canvas = Canvas.blank(width, height, theme, Tone.BACKGROUND)
    canvas.paint(shapes.panel(width, height, 12), 0, 0, Ramp(Tone.BACKGROUND, Tone.PANEL))
    # The bar marks the row for people who cannot tell its background from the page.
    bar = shapes.panel(_BAR, height - 20, _BAR / 2)
    canvas.paint(bar, 6, 10, Ramp(Tone.PANEL, Tone.DISC_1))
    return canvas.image
