"""What sets one game's board apart from another's: its cells, and the tokens beside the names."""

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
    """Everything that determines what a cell looks like."""

    cell: Cell
    last: bool = False
    line: bool = False
    hint: bool = False
    marked: bool = False
    at_risk: bool = False
    """Whether an announced move would empty it."""
    dim: bool = False
    """Whether it steps back behind a winning line."""
    removed: bool = False
    """Whether its stone leaves the board just now."""


def look_at(scene: BoardScene, square: Square, *, dimming: bool = True) -> Look:
    """Return what a cell of a scene looks like.

    With `dimming`, a stone outside a winning line steps back.
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

What it returns is cached, so callers must not draw on it.
"""

PaintToken = Callable[[Canvas, Player, int, int, int, Tone], None]
"""Paints a player's token beside the name, from canvas, player, left, top, size and ground.

It fills a square of `size` pixels from `left` and `top`, on a ground of one flat colour.
"""


@dataclass(frozen=True, slots=True)
class Style:
    """What the cells of a board look like and how large they may be."""

    cell_sprite: CellSprite
    paint_token: PaintToken
    largest_cell: int
    """The side of a cell on a board that is small enough, in pixels."""
    reach: tuple[float, float]
    """How far from its middle the mark of a winning line reaches in a cell, in cells: straight
    across and slanting."""
