"""Crosses, circles and the tiles they stand on, each drawn once for a size and kept."""

from __future__ import annotations

from functools import cache

from PIL import Image

from engine.game import Player
from renderers.boards.style import Look
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.theme import Theme, Tone

_TILE = 0.035
"""How far a tile's edge is from its cell's, as a share of the cell's side; half a grid line."""
_ROUND = 0.1
"""The radius of a tile's corners, as a share of the cell's side."""


@cache
def cell_sprite(look: Look, size: int, theme: Theme) -> Image.Image:
    """Draw one cell of a flat grid.

    Returns:
        A square of `size` pixels in palette indices. It is kept and handed out again, so nobody
        may draw on it.

    Raises:
        ValueError: when a bomb stands there, which a grid has no sign for.
    """
    if look.cell.is_bomb:
        raise ValueError("a grid has no bombs")
    canvas = Canvas.blank(size, size, theme, Tone.BOARD)
    inset = round(size * _TILE)
    if look.line:
        _paint_tile(canvas, size, 1, Ramp(Tone.BOARD, Tone.TEXT))
        # The rim is wide enough to be seen at half the size.
        inset = round(size * 0.085)
    _paint_tile(canvas, size, inset, Ramp(Tone.TEXT if look.line else Tone.BOARD, Tone.HOLE))
    if look.cell.owner is not None:
        # A marker of the whole square takes room from the mark inside it.
        _paint_mark(canvas, look.cell.owner, 0, 0, size, 0.76 if look.last or look.hint else 1)
    if look.last:
        corners = shapes.corners(size, size * 0.34, size * 0.12, size * 0.055)
        canvas.paint(corners, 0, 0, Ramp(Tone.HOLE, Tone.TEXT))
    if look.hint:
        dashes = shapes.dashes(size, size * 0.36, size * 0.31, 8)
        canvas.paint(dashes, 0, 0, Ramp(Tone.HOLE, Tone.HINT))
        if look.cell.owner is None:
            canvas.paint(shapes.disc(size, size * 0.09), 0, 0, Ramp(Tone.HOLE, Tone.HINT))
    return canvas.image


def paint_token(
    canvas: Canvas, player: Player, left: int, top: int, size: int, ground: Tone
) -> None:
    """Paint a player's mark on a dark disc onto flat `ground`, as it stands beside a name.

    The disc fills a square of `size` pixels from `left` and `top`.
    """
    canvas.paint(shapes.disc(size, size * 0.5), left, top, Ramp(ground, Tone.HOLE))
    _paint_mark(canvas, player, left, top, size, 0.96)


def _paint_tile(canvas: Canvas, size: int, inset: int, ramp: Ramp) -> None:
    side = size - 2 * inset
    canvas.paint(shapes.panel(side, side, size * _ROUND), inset, inset, ramp)


def _paint_mark(
    canvas: Canvas, player: Player, left: int, top: int, size: int, scale: float
) -> None:
    """Paint a mark in the middle of the square of `size` pixels from `left` and `top`."""
    if player is Player.FIRST:
        mark, tone = shapes.cross(size, size * 0.4 * scale, size * 0.14 * scale), Tone.FIRST
    else:
        outer, inner = size * 0.35 * scale, size * 0.2 * scale
        mark, tone = shapes.ring(size, outer, inner), Tone.SECOND
    canvas.paint(mark, left, top, Ramp(Tone.HOLE, tone))
