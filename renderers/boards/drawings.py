"""How a game's board is drawn: which style belongs to which drawing."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from renderers.boards import crosses, stones
from renderers.boards.frame import draw_framed
from renderers.boards.layout import USUAL_CELL
from renderers.boards.style import Style
from renderers.paint.theme import CHARCOAL, Theme
from renderers.scene import BoardScene

DISCS = Style(stones.cell_sprite, stones.paint_token, largest_cell=USUAL_CELL, reach=(0.45, 0.45))
"""Round holes that hold discs and bombs, as in Connect 4 and BOOM."""
MARKS = Style(
    crosses.cell_sprite, crosses.paint_token, largest_cell=USUAL_CELL, reach=(0.45, 0.575)
)
"""Square tiles that hold crosses and circles, as in tic-tac-toe."""

DRAWINGS: Mapping[str, Style] = MappingProxyType({"connect4": DISCS, "boom": DISCS, "gato": MARKS})
"""How each game is drawn, by the game's key."""


def draw(game_key: str, scene: BoardScene, theme: Theme = CHARCOAL) -> bytes:
    """Draw a scene the way its game looks; return a PNG, 680 pixels wide.

    Args:
        game_key: The game's key, such as `connect4`.
        scene: What to show; 4 to 8 rows and columns.
        theme: The colours.

    Raises:
        KeyError: when no drawing has that key.
        ValueError: when the drawing does not support the board's size or content.
    """
    return draw_framed(scene, theme, DRAWINGS[game_key])
