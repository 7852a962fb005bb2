"""Stones, bombs and the holes that hold them, cached by look, size and theme."""

from __future__ import annotations

from functools import cache

from PIL import Image, ImageChops

from engine.game import Player
from renderers.boards.style import Look
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.theme import Theme, Tone

_STONE = {Player.FIRST: Tone.FIRST, Player.SECOND: Tone.SECOND}
_MARK = {Player.FIRST: Tone.FIRST_MARK, Player.SECOND: Tone.SECOND_MARK}
_SPARK = 0.285
"""How far a bomb's spark is right of and above the middle of its cell, in cells."""
_ASIDE = 0.18
"""How far a bomb's body moves left and down to make room for its fuse, in radii."""


@cache
def cell_sprite(look: Look, size: int, theme: Theme) -> Image.Image:
    """Draw one cell of a board with holes.

    Returns:
        A square of `size` pixels in palette indices. It is cached, so callers must not draw on it.
    """
    canvas = Canvas.blank(size, size, theme, Tone.BOARD)
    _paint_hole(canvas, look, size)
    if look.last:
        ring = shapes.ring(size, size * 0.415, size * 0.352)
        _paint_around(canvas, look, size, ring, Tone.TEXT)
    if look.hint:
        dashes = shapes.dashes(size, size * 0.4, size * 0.335, 8)
        _paint_around(canvas, look, size, dashes, Tone.HINT)
    player = look.cell.owner
    # A stone in a ring is smaller, so that both stay clear of the hole's edge.
    ringed = look.last or look.hint
    if player is None:
        if look.hint:
            canvas.paint(shapes.disc(size, size * 0.1), 0, 0, Ramp(Tone.HOLE, Tone.HINT))
    elif look.cell.is_bomb:
        _paint_bomb(canvas, player, size, size * (0.275 if ringed else 0.33))
    else:
        _paint_stone(canvas, player, 0, 0, size, size * (0.318 if ringed else 0.4))
    return canvas.image


def paint_token(
    canvas: Canvas, player: Player, left: int, top: int, size: int, ground: Tone
) -> None:
    """Paint a stone in its hole beside a name, on flat `ground`.

    The hole fills a square of `size` pixels from `left` and `top`.
    """
    canvas.paint(shapes.disc(size, size * 0.5), left, top, Ramp(ground, Tone.HOLE))
    _paint_stone(canvas, player, left, top, size, size * 0.44)


def _paint_hole(canvas: Canvas, look: Look, size: int) -> None:
    ground = Tone.BOARD
    if look.line:
        ground = Tone.TEXT
        inset = round(size * 0.02)
        plate = shapes.panel(size - 2 * inset, size - 2 * inset, size * 0.16)
        canvas.paint(plate, inset, inset, Ramp(Tone.BOARD, ground))
    hole = shapes.disc(size, size * 0.445)
    if look.cell.is_bomb:
        # The bulge shows in the outline and keeps the spark off the pale plate of a line.
        hole = ImageChops.lighter(hole, _bulge(size))
    canvas.paint(hole, 0, 0, Ramp(ground, Tone.HOLE))


def _paint_around(canvas: Canvas, look: Look, size: int, ring: Image.Image, tone: Tone) -> None:
    """Paint a ring around what the hole holds, with a gap for a bomb's spark."""
    if look.cell.is_bomb:
        ring = ImageChops.subtract(ring, _bulge(size))
    canvas.paint(ring, 0, 0, Ramp(Tone.HOLE, tone))


def _paint_stone(
    canvas: Canvas, player: Player, left: int, top: int, size: int, radius: float
) -> None:
    """Paint a stone in the middle of the square of `size` pixels from `left` and `top`."""
    tone = _STONE[player]
    canvas.paint(shapes.disc(size, radius), left, top, Ramp(Tone.HOLE, tone))
    engrave = shapes.diamond if player is Player.FIRST else shapes.plus
    mark = engrave(size, radius * 0.5, radius * 0.19)
    canvas.paint(mark, left, top, Ramp(tone, _MARK[player]))


def _paint_bomb(canvas: Canvas, player: Player, size: int, radius: float) -> None:
    """Paint a bomb into the hole of a cell: a stone with a cap, a fuse and a spark."""
    aside = round(radius * _ASIDE)
    _paint_stone(canvas, player, -aside, aside, size, radius)
    # The fuse runs diagonally, so one number serves for right and up.
    edge = radius / 2**0.5 - aside
    cap, half = edge + size * 0.015, size * 0.055
    across = [(cap - half, -cap - half), (cap + half, half - cap)]
    spark = _spark(size)
    fuse = shapes.curve(size, [(cap, -cap), spark], size * 0.05)
    fuse = ImageChops.lighter(fuse, shapes.curve(size, across, size * 0.075))
    canvas.paint(fuse, 0, 0, Ramp(Tone.HOLE, Tone.MUTED))
    star = shapes.star(size, size * 0.152, size * 0.075, 8)
    canvas.paint(star, *spark, Ramp(Tone.HOLE, Tone.TEXT))


def _bulge(size: int) -> Image.Image:
    """Return the bulge that a bomb's spark makes in the edge of its hole."""
    return shapes.curve(size, [_spark(size)], size * 0.33)


def _spark(size: int) -> tuple[int, int]:
    """Return the middle of a bomb's spark, measured from the middle of its cell."""
    away = round(size * _SPARK)
    return away, -away
