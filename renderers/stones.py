"""Stones and the cells they stand in, each drawn once for a size and kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from PIL import Image

from engine.game import Cell, Player
from renderers import shapes
from renderers.canvas import Canvas
from renderers.palette import Ramp
from renderers.theme import Theme, Tone

_STONE = {Player.FIRST: Tone.FIRST, Player.SECOND: Tone.SECOND}
_MARK = {Player.FIRST: Tone.FIRST_MARK, Player.SECOND: Tone.SECOND_MARK}


@dataclass(frozen=True, slots=True)
class Look:
    """Everything that decides how one cell of a board looks."""

    cell: Cell
    last: bool = False
    line: bool = False
    hint: bool = False


@cache
def cell_sprite(look: Look, size: int, theme: Theme) -> Image.Image:
    """Draw one cell of a board with holes.

    Returns:
        A square of `size` pixels in palette indices. It is kept and handed out again, so nobody
        may draw on it.
    """
    canvas = Canvas.blank(size, size, theme, Tone.BOARD)
    ground = Tone.BOARD
    if look.line:
        ground = Tone.TEXT
        inset = round(size * 0.02)
        plate = shapes.panel(size - 2 * inset, size - 2 * inset, size * 0.16)
        canvas.paint(plate, inset, inset, Ramp(Tone.BOARD, ground))
    canvas.paint(shapes.disc(size, size * 0.445), 0, 0, Ramp(ground, Tone.HOLE))
    if look.cell.owner is not None:
        # The last stone shrinks to make room for its ring, so both stay clear of the hole's edge.
        radius = size * (0.318 if look.last else 0.4)
        _paint_stone(canvas, look.cell.owner, 0, 0, size, radius)
    if look.last:
        ring = shapes.ring(size, size * 0.415, size * 0.352)
        canvas.paint(ring, 0, 0, Ramp(Tone.HOLE, Tone.TEXT))
    if look.hint:
        dashes = shapes.dashes(size, size * 0.4, size * 0.335, 8)
        canvas.paint(dashes, 0, 0, Ramp(Tone.HOLE, Tone.HINT))
        canvas.paint(shapes.disc(size, size * 0.1), 0, 0, Ramp(Tone.HOLE, Tone.HINT))
    return canvas.image


def paint_token(
    canvas: Canvas, player: Player, left: int, top: int, size: int, ground: Tone
) -> None:
    """Paint a stone in its hole onto flat `ground`, as it stands beside a name.

    The hole fills a square of `size` pixels from `left` and `top`.
    """
    canvas.paint(shapes.disc(size, size * 0.5), left, top, Ramp(ground, Tone.HOLE))
    _paint_stone(canvas, player, left, top, size, size * 0.44)


def _paint_stone(
    canvas: Canvas, player: Player, left: int, top: int, size: int, radius: float
) -> None:
    """Paint a stone in the middle of the square of `size` pixels from `left` and `top`."""
    tone = _STONE[player]
    canvas.paint(shapes.disc(size, radius), left, top, Ramp(Tone.HOLE, tone))
    engrave = shapes.diamond if player is Player.FIRST else shapes.plus
    mark = engrave(size, radius * 0.5, radius * 0.19)
    canvas.paint(mark, left, top, Ramp(tone, _MARK[player]))
