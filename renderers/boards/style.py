"""What tells one game's board from another's; all that is around the cells they share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from engine.game import Cell, Player
from renderers.paint.canvas import Canvas
from renderers.paint.theme import Theme, Tone


@dataclass(frozen=True, slots=True)
class Look:
    """Everything that decides how one cell of a board looks."""

    cell: Cell
    last: bool = False
    line: bool = False
    hint: bool = False


CellSprite = Callable[[Look, int, Theme], Image.Image]
"""Draws one cell: its look, its side in pixels and the colours, to a square of palette indices.

What it returns is kept and handed out again, so nobody may draw on it.
"""
PaintToken = Callable[[Canvas, Player, int, int, int, Tone], None]
"""Paints a player's sign as it stands beside the name: canvas, player, left, top, size, ground.

It fills a square of `size` pixels from `left` and `top`, and what it paints on is flat.
"""


@dataclass(frozen=True, slots=True)
class Style:
    """How the cells of a board look and how large they may be."""

    cell_sprite: CellSprite
    paint_token: PaintToken
    largest_cell: int
    """The side of a cell, in pixels, on boards that are small enough for it."""
