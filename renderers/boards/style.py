"""The style of one game's board: its cells, and the tokens beside the names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from engine.core.game import Cell, Player, Square
from renderers.paint.canvas import Canvas
from renderers.paint.theme import Theme, Tone
from renderers.scene import BoardScene


@dataclass(frozen=True, slots=True)
class Look:
    """Everything that determines the appearance of a cell."""

    cell: Cell
    last: bool = False
    hint: bool = False
    marked: bool = False
    at_risk: bool = False
    """Whether a move announced by `Position.announced` would empty it."""
    quiet: bool = False
    """Whether it has no light, because another line has won."""


def look_of(scene: BoardScene, square: Square, *, quieting: bool = True) -> Look:
    """Return the look of a cell in a scene.

    With `quieting`, what is outside a winning line has no light.
    """
    cell = scene.cells[square.row][square.column]
    return Look(
        cell,
        last=square in scene.last and square not in scene.line,
        hint=square in scene.hint,
        marked=square in scene.marked,
        at_risk=square in scene.at_risk and not (cell.is_bomb and cell.owner is scene.active),
        quiet=quieting and bool(scene.line) and square not in scene.line,
    )


CellSprite = Callable[[Look, int, Theme], Image.Image]
"""Draws one cell as a square of palette indices, from its look, its side in pixels and a theme.

The result is cached, so callers must not draw on it.
"""

PaintPiece = Callable[[Canvas, Cell, tuple[int, int], int], None]
"""Paints what a cell holds over what is there, from canvas, cell, middle and side of the cell."""

PaintToken = Callable[[Canvas, Player, int, int, int, Tone], None]
"""Paints a player's token beside the name, from canvas, player, left, top, size and background.

It fills a square of `size` pixels from `left` and `top`, on a background of one flat colour.
"""

LinkShapes = Callable[[int, float], tuple[Image.Image, float]]
"""The mark of a square in a winning line, larger by some pixels than usual, from the side of a
cell: its shape in the middle of an image, and the width of the band that joins two of them."""


@dataclass(frozen=True, slots=True)
class Style:
    """The appearance of the cells of a board, and their greatest size."""

    cell_sprite: CellSprite
    paint_piece: PaintPiece
    paint_token: PaintToken
    link: LinkShapes
    tray: Callable[[int], Image.Image]
    """The ground of a square in a winning line, in the middle of an image, from a cell's side."""
    largest_cell: int
    """The side of a cell on a board that is small enough, in pixels."""
