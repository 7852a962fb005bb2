"""Which drawing shows which game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from renderers.boards.board import draw_board
from renderers.boards.grid import draw_grid
from renderers.scene import BoardScene

DRAWINGS: Mapping[str, Callable[[BoardScene], bytes]] = MappingProxyType(
    {
        "connect4": draw_board,
        "boom": draw_board,
        "gato": draw_grid,
    }
)
"""Every drawing by its game's key; a new game adds a line here and nothing anywhere else."""


def draw(game_key: str, scene: BoardScene) -> bytes:
    """Draw a scene as its game looks; return a PNG.

    Args:
        game_key: The game's key, such as `connect4`.
        scene: What to show.

    Raises:
        KeyError: when no drawing has that key.
        ValueError: when the board has a size that the drawing does not know.
    """
    return DRAWINGS[game_key](scene)
