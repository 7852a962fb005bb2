"""Stones, bombs and the holes that hold them, cached by look, size and theme."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from PIL import Image, ImageChops

from engine.core.game import Player
from renderers.boards.style import Look
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.theme import Theme, Tone


class _Stone(NamedTuple):
    """The colours of a stone: its face, its lit and shaded edges, and the sign engraved on it."""

    face: Tone
    light: Tone
    dark: Tone
    mark: Tone


_STONES = {
    Player.FIRST: _Stone(Tone.DISC_1, Tone.DISC_1_LIGHT, Tone.DISC_1_EDGE, Tone.DISC_1_MARK),
    Player.SECOND: _Stone(Tone.DISC_2, Tone.DISC_2_LIGHT, Tone.DISC_2_EDGE, Tone.DISC_2_MARK),
}

_DIM = {
    Player.FIRST: _Stone(Tone.DISC_1_MARK, Tone.DISC_1_EDGE, Tone.HOLE, Tone.HOLE),
    Player.SECOND: _Stone(Tone.DISC_2_EDGE, Tone.DISC_2, Tone.HOLE, Tone.DISC_2_LIGHT),
}
"""Stones that are dimmed behind a winning line."""

_HOLE = 0.445
"""The radius of a hole, in cells."""

_SPARK = 0.285
"""How far a bomb's spark is right of and above the middle of its cell, in cells."""

_ASIDE = 0.18
"""How far a bomb's body moves left and down to make space for its fuse, in radii."""


@cache
def cell_sprite(look: Look, size: int, theme: Theme) -> Image.Image:
    """Draw one cell of a board with holes.

    Returns:
        A square of `size` pixels in palette indices. It is cached, so callers must not draw on it.
    """
    canvas = Canvas.blank(size, size, theme, Tone.BOARD)
    _paint_hole(canvas, look, size)
    if look.removed:
        _paint_burst(canvas, size)
        return canvas.image
    if look.last:
        # Inside the dots of a square at risk, the ring is narrower.
        outer, inner = (0.365, 0.318) if look.at_risk else (0.415, 0.352)
        ring = shapes.ring(size, size * outer, size * inner)
        _paint_around(canvas, look, size, ring, Tone.TEXT)
    if look.at_risk:
        dots = shapes.dashes(size, size * 0.435, size * 0.385, 16)
        _paint_around(canvas, look, size, dots, Tone.TEXT)
    if look.hint:
        dashes = shapes.dashes(size, size * 0.4, size * 0.335, 8)
        _paint_around(canvas, look, size, dashes, Tone.HINT)
    if look.marked:
        ring = shapes.ring(size, size * 0.4, size * 0.335)
        _paint_around(canvas, look, size, ring, Tone.HINT)
    player = look.cell.owner
    # A stone in a ring is smaller, so that both stay clear of the hole's edge.
    ringed = look.last or look.hint or look.marked or look.at_risk
    if player is None:
        if look.hint:
            canvas.paint(shapes.disc(size, size * 0.1), 0, 0, Ramp(Tone.HOLE, Tone.HINT))
        return canvas.image
    stone = (_DIM if look.dim else _STONES)[player]
    room = size * (0.88 if look.last and look.at_risk else 1)
    if look.cell.is_bomb:
        _paint_bomb(canvas, player, stone, size, room * (0.275 if ringed else 0.33))
    else:
        _paint_stone(canvas, player, stone, (0, 0), size, room * (0.318 if ringed else 0.405))
    return canvas.image


def paint_token(
    canvas: Canvas, player: Player, left: int, top: int, size: int, ground: Tone
) -> None:
    """Paint a stone in its hole beside a name, on a flat background.

    The hole fills a square of `size` pixels from `left` and `top`.
    """
    canvas.paint(shapes.disc(size, size * 0.5), left, top, Ramp(ground, Tone.HOLE))
    _paint_stone(canvas, player, _STONES[player], (left, top), size, size * 0.44)


def _paint_hole(canvas: Canvas, look: Look, size: int) -> None:
    if look.line:
        ring = shapes.disc(size, size * 0.495)
        canvas.paint(ring, 0, 0, Ramp(Tone.BOARD, Tone.TEXT))
        canvas.paint(_opening(look, size, size * 0.425), 0, 0, Ramp(Tone.TEXT, Tone.HOLE))
        return
    # Light falls from above: on the lower edge of a hole, and on its wall just inside.
    down = round(size * 0.022)
    edge = shapes.disc(size, size * _HOLE)
    canvas.paint(edge, 0, down, Ramp(Tone.BOARD, Tone.BOARD_LIGHT))
    canvas.paint(_opening(look, size, size * _HOLE), 0, 0, Ramp(Tone.BOARD, Tone.PANEL))
    canvas.paint(_opening(look, size, size * (_HOLE - 0.01)), 0, -down, Ramp(Tone.PANEL, Tone.HOLE))


def _opening(look: Look, size: int, radius: float) -> Image.Image:
    """Return the opening of a hole, with space for a bomb's spark."""
    hole = shapes.disc(size, radius)
    # The bulge shows in the outline and keeps the spark off the pale ring of a line.
    return ImageChops.lighter(hole, _bulge(size)) if look.cell.is_bomb else hole


def _paint_around(canvas: Canvas, look: Look, size: int, ring: Image.Image, tone: Tone) -> None:
    """Paint a ring around the content of a hole, with a gap for a bomb's spark."""
    if look.cell.is_bomb:
        ring = ImageChops.subtract(ring, _bulge(size))
    canvas.paint(ring, 0, 0, Ramp(Tone.HOLE, tone))


def _paint_stone(
    canvas: Canvas,
    player: Player,
    stone: _Stone,
    place: tuple[int, int],
    size: int,
    radius: float,
) -> None:
    """Paint a stone in the middle of the square of `size` pixels whose corner is at `place`.

    Like a draughtsman it has an edge that is light above and dark below.
    """
    left, top = place
    rise = max(round(radius * 0.07), 1)
    canvas.paint(shapes.disc(size, radius), left, top, Ramp(Tone.HOLE, stone.dark))
    canvas.paint(shapes.disc(size, radius - rise), left, top - rise, Ramp(stone.dark, stone.light))
    canvas.paint(shapes.disc(size, radius - 1.5 * rise), left, top, Ramp(stone.light, stone.face))
    engrave = shapes.diamond if player is Player.FIRST else shapes.plus
    mark = engrave(size, radius * 0.5, radius * 0.2)
    canvas.paint(mark, left, top, Ramp(stone.face, stone.mark))


def _paint_bomb(canvas: Canvas, player: Player, stone: _Stone, size: int, radius: float) -> None:
    """Paint a bomb into the hole of a cell: a stone with a cap, a fuse and a spark."""
    aside = round(radius * _ASIDE)
    _paint_stone(canvas, player, stone, (-aside, aside), size, radius)
    # The fuse runs diagonally, so one number serves for right and up.
    edge = radius / 2**0.5 - aside
    cap, half = edge + size * 0.015, size * 0.055
    across = [(cap - half, -cap - half), (cap + half, half - cap)]
    spark = _spark(size)
    fuse = shapes.curve(size, [(cap, -cap), spark], size * 0.05)
    fuse = ImageChops.lighter(fuse, shapes.curve(size, across, size * 0.075))
    canvas.paint(fuse, 0, 0, Ramp(Tone.HOLE, Tone.MUTED_TEXT))
    star = shapes.star(size, size * 0.152, size * 0.075, 8)
    canvas.paint(
        star, *spark, Ramp(Tone.HOLE, Tone.MUTED_TEXT if stone in _DIM.values() else Tone.TEXT)
    )


def _paint_burst(canvas: Canvas, size: int) -> None:
    """Paint an explosion into the hole of a cell, in place of its former content."""
    flash = shapes.star(size, size * 0.43, size * 0.24, 10)
    canvas.paint(flash, 0, 0, Ramp(Tone.HOLE, Tone.TEXT))
    core = shapes.star(size, size * 0.26, size * 0.13, 10)
    canvas.paint(core, 0, 0, Ramp(Tone.TEXT, Tone.DISC_1))


def _bulge(size: int) -> Image.Image:
    """Return the bulge that a bomb's spark makes in the edge of its hole."""
    return shapes.curve(size, [_spark(size)], size * 0.33)


def _spark(size: int) -> tuple[int, int]:
    """Return the middle of a bomb's spark, measured from the middle of its cell."""
    away = round(size * _SPARK)
    return away, -away
