"""Which drawing shows which game."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from renderers.boards import board, grid
from renderers.boards.frame import draw_framed
from renderers.boards.style import Style
from renderers.paint.theme import CHARCOAL, Theme
from renderers.scene import BoardScene

DRAWINGS: Mapping[str, Style] = MappingProxyType(
    {
        "connect4": board.STYLE,
        "boom": board.STYLE,
        "gato": grid.STYLE,
    }
)
"""How each game is drawn, by the game's key; a new game adds a line here."""


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
    return draw_framed(scene, theme, DRAWINGS[game_key])
