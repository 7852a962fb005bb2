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
    line: bool = False
    hint: bool = False
    marked: bool = False
    at_risk: bool = False
    """Whether a move announced by `Position.announced` would empty it."""
    dim: bool = False
    """Whether it is dimmed behind a winning line."""
    removed: bool = False
    """Whether its stone leaves the board just now."""


def look_of(scene: BoardScene, square: Square, *, dimming: bool = True) -> Look:
    """Return the look of a cell in a scene.

    With `dimming`, a stone outside a winning line is dimmed.
    """
    return Look(
        scene.cells[square.row][square.column],
        last=square in scene.last,
        line=square in scene.line,
        hint=square in scene.hint,
        marked=square in scene.marked,
        at_risk=square in scene.at_risk,
        dim=dimming and bool(scene.line) and square not in scene.line,
        removed=square in scene.removed,
    )


CellSprite = Callable[[Look, int, Theme], Image.Image]
"""Draws one cell as a square of palette indices, from its look, its side in pixels and a theme.

The result is cached, so callers must not draw on it.
"""

PaintToken = Callable[[Canvas, Player, int, int, int, Tone], None]
"""Paints a player's token beside the name, from canvas, player, left, top, size and background.

It fills a square of `size` pixels from `left` and `top`, on a background of one flat colour.
"""


@dataclass(frozen=True, slots=True)
class Style:
    """The appearance of the cells of a board, and their greatest size."""

    cell_sprite: CellSprite
    paint_token: PaintToken
    largest_cell: int
    """The side of a cell on a board that is small enough, in pixels."""
    reach: tuple[float, float]
    """How far the mark of a winning line reaches from the middle of a cell, in cells: straight
    across and diagonally."""
