"""Crosses, noughts and the tiles that hold them, cached by look, size and theme."""

from __future__ import annotations

from functools import cache
from math import ceil

from PIL import Image

from engine.core.game import Cell, Player
from renderers.boards.style import Look
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.shapes import Pen
from renderers.paint.theme import Theme, Tone

_MARK = 0.335
"""Half the size of a cross or nought, in cells."""

_RISE = 2
"""How far a mark is above the middle of its tile, because its shaded edge is below it."""

_TONES = {
    Player.FIRST: (Tone.DISC_1, Tone.DISC_1_LIGHT, Tone.DISC_1_EDGE),
    Player.SECOND: (Tone.DISC_2, Tone.DISC_2_LIGHT, Tone.DISC_2_EDGE),
}
"""The face, the light and the edge of a player's marks."""

_USUAL = 130
"""The side of a cell for which lines are given in pixels."""


@cache
def cell_sprite(look: Look, size: int, theme: Theme) -> Image.Image:
    """Draw one cell of a flat grid.

    Returns:
        A square of `size` pixels in palette indices. It is cached, so callers must not draw on it.

    Raises:
        ValueError: when the cell holds a bomb, which a grid cannot show.
    """
    if look.cell.is_bomb:
        raise ValueError("a grid has no bombs")
    canvas = Canvas.blank(size, size, theme, Tone.BOARD)
    _paint_tile(canvas, size)
    if look.cell.owner is not None:
        x, y = size / 2, size / 2 - _RISE
        _paint_mark(canvas, look.cell.owner, x, y, size * _MARK, quiet=look.quiet)
    if look.last or look.marked or look.at_risk:
        tone = Tone.HINT if look.marked else Tone.LAST_MOVE if look.last else Tone.BLAST
        canvas.cover(_square(size, 6, 6), 0, 0, tone)
    if look.hint:
        canvas.cover(_dashes(size), 0, 0, Tone.HINT)
        if look.cell.owner is None:
            canvas.cover(_round(size, size * 0.07), 0, 0, Tone.HINT)
    return canvas.image


def paint_piece(canvas: Canvas, cell: Cell, middle: tuple[int, int], size: int) -> None:
    """Paint the mark of a winning line, in a cell of this size around a point."""
    assert cell.owner is not None, "an empty cell holds no piece"
    x, y = middle
    _paint_mark(canvas, cell.owner, x, y - _RISE, size * _MARK)


def paint_token(
    canvas: Canvas, player: Player, left: int, top: int, size: int, ground: Tone
) -> None:
    """Paint a player's cross or nought on a dark disc beside a name, on a flat background.

    The disc fills a square of `size` pixels from `left` and `top`.
    """
    canvas.paint(shapes.disc(size, size / 2), left, top, Ramp(ground, Tone.HOLE))
    reach = size * (0.31 if player is Player.FIRST else 0.33)
    _paint_mark(canvas, player, left + size / 2, top + size / 2, reach)


def link(size: int, more: float) -> tuple[Image.Image, float]:
    """Return the mark of a winning tile, and the width of the band that joins two."""
    shape = _tile(size, -round(more) + 1, 20 * size / _USUAL + more)
    return shape, size * 0.3 + 2 * more


def tray(size: int) -> Image.Image:
    """Return the ground of a winning tile."""
    return _tile(size, round(10 * size / _USUAL), 12 * size / _USUAL)


def _paint_tile(canvas: Canvas, size: int) -> None:
    """Paint an empty tile, lit on its lower rim and shaded on the upper one, or outlined."""
    inset, corner = round(5 * size / _USUAL), 16 * size / _USUAL
    if canvas.theme.is_outlined:
        canvas.cover(_tile(size, inset, corner), 0, 0, Tone.HOLE_LIGHT)
        canvas.cover(_tile(size, inset + 2, corner - 2), 0, 0, Tone.HOLE)
        return
    canvas.cover(_tile(size, inset, corner, lower=3), 0, 0, Tone.HOLE_LIGHT)
    canvas.cover(_tile(size, inset, corner), 0, 0, Tone.HOLE_SHADE)
    canvas.cover(_tile(size, inset, corner - 2, shade=5), 0, 0, Tone.HOLE)


@cache
def _tile(
    size: int, inset: int, corner: float, *, lower: float = 0, shade: float = 0
) -> Image.Image:
    """A tile in the middle of an image as large as a cell, or larger where the tile is.

    It is `lower` pixels lower, and ends `shade` pixels further down at its top.
    """
    more = max(1 - inset, 0)
    side = size + 2 * more
    near, far = inset + more, side - inset - more
    edges = (near, near + lower + shade, far, far + lower)
    return shapes.shape(side, side, lambda pen: pen.box(edges, corner))


def _paint_mark(
    canvas: Canvas, player: Player, x: float, y: float, reach: float, *, quiet: bool = False
) -> None:
    """Paint a cross or nought around a point, light above and dark below, as if it were thick."""
    face, light, edge = _TONES[player]
    layers = [(0.2, edge), (-0.04, light), (0.05, face)]
    for share, tone in layers if not quiet else [layers[0], layers[2]]:
        shape = _mark(player, reach, x % 1, y % 1, share)
        canvas.cover(shape, int(x) - shape.width // 2, int(y) - shape.height // 2, tone)


@cache
def _mark(player: Player, reach: float, right: float, down: float, share: float) -> Image.Image:
    """A cross or nought around the middle of an image, a share of its stroke lower."""
    half, width = ceil(reach * 1.1) + 1, reach * 0.46
    x, y, end = half + right, half + down + width * share, reach - width / 2

    def draw(pen: Pen) -> None:
        if player is Player.FIRST:
            pen.path([(x - end, y - end), (x + end, y + end)], width)
            pen.path([(x + end, y - end), (x - end, y + end)], width)
        else:
            pen.ring(x, y, end, width)

    return shapes.shape(2 * half, 2 * half, draw)


@cache
def _square(size: int, inset: float, width: float) -> Image.Image:
    """The outline of a tile."""

    def draw(pen: Pen) -> None:
        pen.box((inset, inset, size - inset, size - inset), 16 * size / _USUAL)
        near, far = inset + width, size - inset - width
        pen.box((near, near, far, far), 10 * size / _USUAL, 0)

    return shapes.shape(size, size, draw)


@cache
def _dashes(size: int) -> Image.Image:
    half = size / 2
    return shapes.shape(
        size, size, lambda pen: pen.dashes(half, half, size * 0.38, size * 0.055, 8)
    )


@cache
def _round(size: int, radius: float) -> Image.Image:
    return shapes.shape(size, size, lambda pen: pen.circle(size / 2, size / 2, radius))
