"""Which drawing shows which game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from renderers.boards.board import draw_board
from renderers.boards.grid import draw_grid
from renderers.paint.theme import CHARCOAL, Theme
from renderers.scene import BoardScene

Drawing = Callable[[BoardScene, Theme], bytes]
"""Draws a scene in a theme's colours; returns a PNG."""

DRAWINGS: Mapping[str, Drawing] = MappingProxyType(
    {
        "connect4": draw_board,
        "boom": draw_board,
        "gato": draw_grid,
    }
)
"""The drawing of each game, by the game's key; a new game adds a line here."""


def draw(game_key: str, scene: BoardScene, theme: Theme = CHARCOAL) -> bytes:
    """Draw a scene the way its game looks; return a PNG.

    Args:
        game_key: The game's key, such as `connect4`.
        scene: What to show.
        theme: The colours.

    Raises:
        KeyError: when no drawing has that key.
        ValueError: when the drawing does not support the board's size.
    """
    return DRAWINGS[game_key](scene, theme)
