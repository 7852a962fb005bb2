"""A grid of tiles, each with a small label over a large value."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from PIL import Image

from renderers.blocks.block import NOTHING, Block
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.measures import MARGIN, WIDTH
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, fit, legible
from renderers.paint.theme import Theme, Tone
from renderers.scene import Figure

_ROOM = WIDTH - 2 * MARGIN
_GAP = 16
_INSET = 18
_LABEL = Font(24)


class TileStyle(NamedTuple):
    """The measures of a tile; heights are in pixels from its top."""

    height: int
    value: Font
    label_middle: int
    value_middle: int


SMALL_TILES = TileStyle(92, Font(32, bold=True), 29, 64)
LARGE_TILES = TileStyle(116, Font(48, bold=True), 33, 79)


def tiles_block(figures: tuple[Figure, ...], style: TileStyle) -> Block:
    """Return figures as a grid of tiles."""
    if not figures:
        return NOTHING
    columns = _columns(figures, style)
    rows = -(-len(figures) // columns)
    width = _tile_width(columns)

    def draw(canvas: Canvas, top: int) -> None:
        tile = _tile_sprite(width, style.height, canvas.theme)
        for index, figure in enumerate(figures):
            row, column = divmod(index, columns)
            left = MARGIN + column * (width + _GAP)
            above = top + row * (style.height + _GAP)
            canvas.put(tile, left, above)
            _write(canvas, figure, left, above, width, style)

    return Block(rows * (style.height + _GAP) - _GAP, draw)


def _write(
    canvas: Canvas, figure: Figure, left: int, top: int, width: int, style: TileStyle
) -> None:
    room = width - 2 * _INSET
    label, font = fit(legible(figure.label), room, _LABEL)
    ramp = Ramp(Tone.SURFACE, Tone.MUTED)
    canvas.write(label, left + _INSET, top + style.label_middle, font, ramp)
    value, font = fit(legible(figure.value), room, style.value, SMALL_TILES.value, _LABEL)
    ramp = Ramp(Tone.SURFACE, Tone.TEXT)
    canvas.write(value, left + _INSET, top + style.value_middle, font, ramp)


def _columns(figures: tuple[Figure, ...], style: TileStyle) -> int:
    """Choose the most columns in which no text has to be cut; two at least."""
    most = 2 if len(figures) in (2, 4) else 3
    for columns in range(most, 1, -1):
        room = _tile_width(columns) - 2 * _INSET
        if all(
            _LABEL.width(legible(figure.label)) <= room
            and style.value.width(legible(figure.value)) <= room
            for figure in figures
        ):
            return columns
    return 2


def _tile_width(columns: int) -> int:
    return (_ROOM - (columns - 1) * _GAP) // columns


@cache
def _tile_sprite(width: int, height: int, theme: Theme) -> Image.Image:
    canvas = Canvas.blank(width, height, theme, Tone.PAGE)
    canvas.paint(shapes.panel(width, height, 16), 0, 0, Ramp(Tone.PAGE, Tone.SURFACE))
    return canvas.image
