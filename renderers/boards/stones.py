"""Discs, bombs and the holes that hold them, cached by look, size and theme.

The first player's disc is deep with a pale diamond, the second's bright with a dark star: shape,
polarity and luminance all differ.
"""

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

DISC, HOLE = 0.405, 0.452
"""The radii of a disc and of a hole, in cells."""

_WINNING = 0.415
"""The radius of a disc in a winning line."""

_QUIET = 0.94
"""The size of a disc without light, compared with others."""

_TONES = {
    Player.FIRST: (Tone.DISC_1, Tone.DISC_1_LIGHT, Tone.DISC_1_EDGE, Tone.DISC_1_MARK),
    Player.SECOND: (Tone.DISC_2, Tone.DISC_2_LIGHT, Tone.DISC_2_EDGE, Tone.DISC_2_MARK),
}
"""The face, the light, the edge and the mark of a player's discs."""

_BODY = 0.88
"""The radius of a bomb's body, compared with a disc."""

_CORNER = 0.705
"""The share of a distance that lies to the right and up, along a bomb's fuse."""


@cache
def cell_sprite(look: Look, size: int, theme: Theme) -> Image.Image:
    """Draw one cell of a board with holes.

    Returns:
        A square of `size` pixels in palette indices. It is cached, so callers must not draw on it.
    """
    canvas = Canvas.blank(size, size, theme, Tone.BOARD)
    middle = size // 2
    _paint_hole(canvas, size)
    if look.last:
        _paint_ring(canvas, size, Tone.LAST_MOVE)
    if look.marked:
        _paint_ring(canvas, size, Tone.HINT)
    if look.cell.owner is not None and not look.cell.is_bomb:
        _paint_piece(canvas, look.cell, (middle, middle), size * DISC, quiet=look.quiet)
    if look.at_risk:
        _cover(canvas, _ring(size, size * 0.45, size * 0.095), Tone.HOLE_SHADE)
        _cover(canvas, _dashes(size, size * 0.45, size * 0.065, 9), Tone.BLAST)
    if look.hint:
        free = look.cell.owner is None
        radius = size * (0.38 if free else 0.45)
        _cover(canvas, _dashes(size, radius, size * 0.07, 8), Tone.HINT)
        if free:
            _cover(canvas, _arrow(size), Tone.HINT)
    if look.cell.is_bomb:
        # Its spark lies over every ring.
        _paint_piece(canvas, look.cell, (middle, middle), size * DISC, quiet=look.quiet)
    return canvas.image


def paint_piece(canvas: Canvas, cell: Cell, middle: tuple[int, int], size: int) -> None:
    """Paint the disc or bomb of a winning line, in a cell of this size around a point."""
    _paint_piece(canvas, cell, middle, size * _WINNING)


def paint_token(
    canvas: Canvas, player: Player, left: int, top: int, size: int, ground: Tone
) -> None:
    """Paint a disc beside a name, on a flat background.

    The disc fills a square of `size` pixels from `left` and `top`.
    """
    edge = _TONES[player][2]
    canvas.paint(shapes.disc(size, size / 2), left, top, Ramp(ground, edge))
    paint_disc(canvas, player, (left + size / 2, top + size / 2), size / 2)


def paint_disc(
    canvas: Canvas,
    player: Player,
    middle: tuple[float, float],
    radius: float,
    *,
    quiet: bool = False,
) -> None:
    """Paint a disc around a point; one that is quiet is smaller and has no light."""
    face, light, edge, mark = _TONES[player]
    radius *= _QUIET if quiet else 1
    x, y = middle
    masks = _disc_masks(player, radius, x % 1, y % 1, quiet)
    tones = (edge, face, edge) if quiet else (edge, light, face, mark)
    for shape, tone in zip(masks, tones, strict=True):
        canvas.cover(shape, int(x) - shape.width // 2, int(y) - shape.height // 2, tone)


def link(size: int, more: float) -> tuple[Image.Image, float]:
    """Return the mark of a winning disc, and the width of the band that joins two."""
    return _round(size, size * 0.515 + more), size * 0.34 + 2 * more


def tray(size: int) -> Image.Image:
    """Return the ground of a winning disc."""
    return _round(size, size * 0.442)


@cache
def _disc_masks(
    player: Player, radius: float, right: float, down: float, quiet: bool
) -> tuple[Image.Image, ...]:
    """The shapes of a disc from its edge to its mark, around the middle of an image."""
    half = ceil(radius) + 1
    x, y = half + right, half + down

    def circle(share: float, rise: float = 0) -> Image.Image:
        return shapes.shape(
            2 * half, 2 * half, lambda pen: pen.circle(x, y - rise * radius, share * radius)
        )

    sign = shapes.shape(2 * half, 2 * half, lambda pen: _draw_mark(pen, player, x, y, radius))
    if quiet:
        return circle(1), circle(0.92), sign
    return circle(1), circle(0.94, 0.04), circle(0.915), sign


def _draw_mark(pen: Pen, player: Player, x: float, y: float, radius: float) -> None:
    if player is Player.FIRST:
        reach = radius * 0.43
        corners = [(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)]
    else:
        corners = shapes.spikes(x, y + radius * 0.02, radius * 0.48, radius * 0.215, 5)
    pen.polygon(corners, radius * 0.05)


def _paint_hole(canvas: Canvas, size: int) -> None:
    """Paint an empty hole, lit on its lower rim and shaded on the upper one, or outlined."""
    if canvas.theme.is_outlined:
        _cover(canvas, _round(size, size * HOLE), Tone.HOLE_LIGHT)
        _cover(canvas, _round(size, size * (HOLE - 0.025)), Tone.HOLE)
        return
    _cover(canvas, _round(size, size * HOLE, size * 0.022), Tone.HOLE_LIGHT)
    _cover(canvas, _round(size, size * HOLE), Tone.HOLE_SHADE)
    _cover(canvas, _round(size, size * (HOLE - 0.03), size * 0.03), Tone.HOLE)


def _paint_ring(canvas: Canvas, size: int, tone: Tone) -> None:
    """Paint a ring around a hole, with a dark line on both sides of it."""
    _cover(canvas, _ring(size, size * 0.454, size * 0.092), Tone.HOLE_SHADE)
    _cover(canvas, _ring(size, size * 0.454, size * 0.056), tone)


def _paint_piece(
    canvas: Canvas, cell: Cell, middle: tuple[int, int], radius: float, *, quiet: bool = False
) -> None:
    assert cell.owner is not None, "an empty cell holds no piece"
    if not cell.is_bomb:
        paint_disc(canvas, cell.owner, middle, radius, quiet=quiet)
        return
    x, y = middle
    aside = round(radius * 0.13)
    back, front = _fuse_masks(radius)
    half = back.width // 2
    canvas.cover(back, x - half, y - half, Tone.HOLE_SHADE)
    paint_disc(canvas, cell.owner, (x - aside, y + aside), radius * _BODY, quiet=quiet)
    canvas.cover(front, x - half, y - half, Tone.BOMB)
    for shape, tone in zip(
        _spark_masks(radius), (Tone.HOLE_SHADE, Tone.BLAST, Tone.SPARK), strict=True
    ):
        canvas.cover(shape, x - half, y - half, tone)


@cache
def _fuse_masks(radius: float) -> tuple[Image.Image, Image.Image]:
    """The dark outline of a bomb's cap and fuse, and both themselves."""
    half = ceil(radius / DISC / 2)
    body = radius * _BODY * _CORNER
    x, y = half - radius * 0.13, half + radius * 0.13
    base, top, tip = body * 0.8, body * 1.24, half + radius * 0.86

    def back(pen: Pen) -> None:
        pen.bar((x + base, y - base), (x + top + 2, y - top - 2), radius * 0.76)
        pen.path([(x + top, y - top), (tip, 2 * half - tip)], radius * 0.34)

    def front(pen: Pen) -> None:
        pen.bar((x + body, y - body), (x + top, y - top), radius * 0.58)
        pen.path([(x + top, y - top), (tip, 2 * half - tip)], radius * 0.15)

    return shapes.shape(2 * half, 2 * half, back), shapes.shape(2 * half, 2 * half, front)


@cache
def _spark_masks(radius: float) -> tuple[Image.Image, Image.Image, Image.Image]:
    """The outline, the flame and the heart of a bomb's spark, in the corner of its cell."""
    half = ceil(radius / DISC / 2)
    x, y = half + radius * 0.82, half - radius * 0.82

    def star(outer: float, inner: float, rim: float, turn: float = 0) -> Image.Image:
        corners = shapes.spikes(x, y, outer * radius, inner * radius, 8, turn)
        return shapes.shape(2 * half, 2 * half, lambda pen: pen.polygon(corners, rim * radius))

    return star(0.38, 0.22, 0.07), star(0.38, 0.22, 0), star(0.25, 0.13, 0, 0.2)


def _cover(canvas: Canvas, shape: Image.Image, tone: Tone) -> None:
    """Paint a shape in the middle of a cell's canvas."""
    left, top = (canvas.image.width - shape.width) // 2, (canvas.image.height - shape.height) // 2
    canvas.cover(shape, left, top, tone)


@cache
def _round(size: int, radius: float, down: float = 0) -> Image.Image:
    half = max(size // 2, ceil(radius) + 1)
    return shapes.shape(2 * half, 2 * half, lambda pen: pen.circle(half, half + down, radius))


@cache
def _ring(size: int, radius: float, width: float) -> Image.Image:
    return shapes.shape(size, size, lambda pen: pen.ring(size / 2, size / 2, radius, width))


@cache
def _dashes(size: int, radius: float, width: float, count: int) -> Image.Image:
    half = size / 2
    return shapes.shape(size, size, lambda pen: pen.dashes(half, half, radius, width, count))


@cache
def _arrow(size: int) -> Image.Image:
    x, y, reach = size / 2, size * 0.52, size * 0.18
    corners = [
        (x, y + reach * 0.6),
        (x + reach * 0.7, y - reach * 0.45),
        (x - reach * 0.7, y - reach * 0.45),
    ]
    return shapes.shape(size, size, lambda pen: pen.polygon(corners))
