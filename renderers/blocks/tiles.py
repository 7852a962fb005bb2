"""A grid of tiles, each with a small label over a large value.

The last tile may hold a player's recent form instead: a mark for each of the latest games, distinct
in shape and in colour.
"""

from __future__ import annotations

from functools import cache

from PIL import Image

from renderers.blocks.text import NOTHING, Block
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, fit, legible
from renderers.paint.theme import MARGIN, WIDTH, Theme, Tone
from renderers.scene import Figure, Form, Result

_ROOM = WIDTH - 2 * MARGIN

_HEIGHT, _GAP, _INSET = 94, 12, 16
"""The height of a tile, the space between two, and that between an edge and the text, in pixels."""

_LABEL = Font(28)
_VALUES = (Font(44, bold=True), Font(36, bold=True), Font(28, bold=True))
_LABEL_MIDDLE, _VALUE_MIDDLE = 28, 67

MARK, _MARK_GAP = 26, 2
"""The side of a mark for a game, and the space between two, in pixels."""


def tiles_block(figures: tuple[Figure, ...], form: Form | None = None) -> Block:
    """Return figures as a grid of tiles, and recent form as the last of them."""
    tiles: list[Figure | Form] = [*figures]
    if form is not None and form.results:
        tiles.append(form)
    if not tiles:
        return NOTHING
    columns = _columns(tiles)
    rows = -(-len(tiles) // columns)
    width = _tile_width(columns)

    def draw(canvas: Canvas, top: int) -> None:
        ground = _tile_sprite(width, canvas.theme)
        for index, tile in enumerate(tiles):
            row, column = divmod(index, columns)
            left = MARGIN + column * (width + _GAP)
            above = top + row * (_HEIGHT + _GAP)
            canvas.put(ground, left, above)
            _draw_tile(canvas, tile, left + _INSET, above, width - 2 * _INSET)

    return Block(rows * (_HEIGHT + _GAP) - _GAP, draw)


def _draw_tile(canvas: Canvas, tile: Figure | Form, left: int, top: int, room: int) -> None:
    label, font = fit(legible(tile.label), room, _LABEL)
    canvas.write(label, left, top + _LABEL_MIDDLE, font, Ramp(Tone.PANEL, Tone.MUTED_TEXT))
    if isinstance(tile, Form):
        draw_form(canvas, tile, left, top + _VALUE_MIDDLE - MARK // 2)
        return
    value, font = fit(legible(tile.value), room, *_VALUES)
    canvas.write(value, left, top + _VALUE_MIDDLE, font, Ramp(Tone.PANEL, Tone.TEXT))


def _columns(tiles: list[Figure | Form]) -> int:
    """Choose the most columns that need no text to be cut; two at least."""
    for columns in range(2 if len(tiles) in (1, 2, 4) else 3, 2, -1):
        room = _tile_width(columns) - 2 * _INSET
        if all(_width(tile) <= room for tile in tiles):
            return columns
    return 2


def _width(tile: Figure | Form) -> int:
    label = _LABEL.width(legible(tile.label))
    if isinstance(tile, Form):
        return max(label, form_width(tile))
    return max(label, _VALUES[0].width(legible(tile.value)))


def _tile_width(columns: int) -> int:
    return (_ROOM - (columns - 1) * _GAP) // columns


@cache
def _tile_sprite(width: int, theme: Theme) -> Image.Image:
    """Draw a slightly raised tile, like the board."""
    canvas = Canvas.blank(width, _HEIGHT, theme, Tone.BACKGROUND)
    body = shapes.panel(width, _HEIGHT - 4, 16)
    canvas.paint(body, 0, 4, Ramp(Tone.BACKGROUND, Tone.HOLE))
    canvas.paint(body, 0, 0, Ramp(Tone.BACKGROUND, Tone.PANEL))
    return canvas.image


def form_width(form: Form) -> int:
    """Return the width of a form's marks, in pixels."""
    return len(form.results) * (MARK + _MARK_GAP) - _MARK_GAP


def draw_form(canvas: Canvas, form: Form, left: int, top: int) -> None:
    """Draw recent form on the background of a tile as a row of marks, the newest on the right."""
    for index, result in enumerate(form.results):
        sprite = _result_sprite(result, canvas.theme)
        canvas.put(sprite, left + index * (MARK + _MARK_GAP), top)


@cache
def _result_sprite(result: Result, theme: Theme) -> Image.Image:
    """Draw a tick on a disc, a dash on a tile or a bare cross."""
    canvas = Canvas.blank(MARK, MARK, theme, Tone.PANEL)
    if result is Result.WON:
        canvas.paint(shapes.disc(MARK, MARK / 2), 0, 0, Ramp(Tone.PANEL, Tone.DISC_1))
        tick = shapes.curve(MARK, [(-5.5, 0.5), (-1.5, 4.5), (5.5, -4)], 3.5)
        canvas.paint(tick, 0, 0, Ramp(Tone.DISC_1, Tone.BACKGROUND))
    elif result is Result.DRAWN:
        side = MARK - 2
        canvas.paint(shapes.panel(side, side, 6), 1, 1, Ramp(Tone.PANEL, Tone.MUTED_TEXT))
        dash = shapes.curve(MARK, [(-5.5, 0), (5.5, 0)], 3.5)
        canvas.paint(dash, 0, 0, Ramp(Tone.MUTED_TEXT, Tone.BACKGROUND))
    else:
        # The pale rim separates the blue from a dark page for people who see little contrast.
        rim, arms = shapes.cross(MARK, 9.5, 7.5), shapes.cross(MARK, 9.5, 4)
        canvas.paint(rim, 0, 0, Ramp(Tone.PANEL, Tone.DISC_2_MARK))
        canvas.paint(arms, 0, 0, Ramp(Tone.DISC_2_MARK, Tone.DISC_2))
    return canvas.image
