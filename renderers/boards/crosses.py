"""Crosses, circles and the tiles that hold them, cached by look, size and theme."""

from __future__ import annotations

from functools import cache

from PIL import Image

from engine.core.game import Player
from renderers.boards.style import Look
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.theme import Theme, Tone

_TILE = 0.035
"""Half the width of a grid line, which is a tile's distance from the edge of its cell, in cells."""

_MARKS: dict[Player, tuple[Tone, Tone, Tone]] = {
    Player.FIRST: (Tone.DISC_1, Tone.DISC_1_LIGHT, Tone.DISC_1_EDGE),
    Player.SECOND: (Tone.DISC_2, Tone.DISC_2_LIGHT, Tone.DISC_2_EDGE),
}
"""The colours of a cross and of a circle: the face, the lit edge and the shaded one."""

_DIM: dict[Player, tuple[Tone, Tone, Tone]] = {
    Player.FIRST: (Tone.DISC_1_MARK, Tone.DISC_1_EDGE, Tone.HOLE),
    Player.SECOND: (Tone.DISC_2_EDGE, Tone.DISC_2, Tone.HOLE),
}
"""The colours of those that are dimmed behind a winning line or leave the board."""

_ROUND = 0.1
"""The radius of a tile's corners, in cells."""


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
    inset = round(size * _TILE)
    if look.line:
        _paint_tile(canvas, size, 1, Ramp(Tone.BOARD, Tone.TEXT))
        # The rim is wide enough to be seen when the picture is shown at half its size.
        inset = round(size * 0.085)
        _paint_tile(canvas, size, inset, Ramp(Tone.TEXT, Tone.HOLE))
    else:
        # Light falls from above: on the lower edge of a tile, and on its wall just inside.
        down = round(size * 0.02)
        _paint_tile(canvas, size, inset, Ramp(Tone.BOARD, Tone.BOARD_LIGHT), down)
        _paint_tile(canvas, size, inset, Ramp(Tone.BOARD, Tone.PANEL))
        _paint_tile(canvas, size, inset + 1, Ramp(Tone.PANEL, Tone.HOLE), -down)
    if look.cell.owner is not None:
        # The corners and dashes go around the cross or circle, which becomes smaller.
        scale = 0.76 if look.last or look.hint or look.marked else 1
        is_faint = look.dim or look.removed
        _paint_mark(canvas, look.cell.owner, (0, 0), size, scale, is_faint)
    if look.last:
        corners = shapes.corners(size, size * 0.34, size * 0.12, size * 0.055)
        canvas.paint(corners, 0, 0, Ramp(Tone.HOLE, Tone.TEXT))
    if look.hint:
        dashes = shapes.dashes(size, size * 0.36, size * 0.31, 8)
        canvas.paint(dashes, 0, 0, Ramp(Tone.HOLE, Tone.HINT))
        if look.cell.owner is None:
            canvas.paint(shapes.disc(size, size * 0.09), 0, 0, Ramp(Tone.HOLE, Tone.HINT))
    if look.marked:
        # On an empty square a ring would look like a player's circle.
        is_free = look.cell.owner is None
        around = shapes.ring(size, size * 0.36, size * 0.31)
        mark = shapes.diamond(size, size * 0.2, size * 0.07) if is_free else around
        canvas.paint(mark, 0, 0, Ramp(Tone.HOLE, Tone.HINT))
    return canvas.image


def paint_token(
    canvas: Canvas, player: Player, left: int, top: int, size: int, ground: Tone
) -> None:
    """Paint a player's cross or circle on a disc beside a name, on a flat background.

    The disc fills a square of `size` pixels from `left` and `top`.
    """
    canvas.paint(shapes.disc(size, size * 0.5), left, top, Ramp(ground, Tone.HOLE))
    _paint_mark(canvas, player, (left, top), size, 0.96)


def _paint_tile(canvas: Canvas, size: int, inset: int, ramp: Ramp, down: int = 0) -> None:
    side = size - 2 * inset
    canvas.paint(shapes.panel(side, side, size * _ROUND), inset, inset + down, ramp)


def _paint_mark(
    canvas: Canvas,
    player: Player,
    place: tuple[int, int],
    size: int,
    scale: float,
    dim: bool = False,
) -> None:
    """Paint a cross or circle in the square of `size` pixels whose corner is at `place`.

    It is light above and dark below, as if it were as thick as a stone.
    """
    left, top = place
    face, light, dark = (_DIM if dim else _MARKS)[player]
    rise = max(round(size * 0.014 * scale), 1)

    def stroke(less: float) -> Image.Image:
        if player is Player.FIRST:
            return shapes.cross(size, size * 0.39 * scale, size * 0.15 * scale - 2 * less)
        outer, inner = size * 0.36 * scale - less, size * 0.2 * scale + less
        return shapes.ring(size, outer, inner)

    canvas.paint(stroke(0), left, top + rise, Ramp(Tone.HOLE, dark))
    canvas.paint(stroke(0), left, top - rise, Ramp(dark, light))
    canvas.paint(stroke(rise), left, top, Ramp(light, face))
