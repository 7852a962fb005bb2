"""The style that each drawing of a board has, and the function that draws boards."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engine.core.game import Drawing
from renderers.boards import crosses, stones
from renderers.boards.frame import draw_framed
from renderers.boards.layout import LARGEST, LARGEST_TILE
from renderers.boards.style import Style
from renderers.paint.theme import CLASSIC, Theme
from renderers.scene import BoardScene

DISC_STYLE = Style(
    stones.cell_sprite,
    stones.paint_piece,
    stones.paint_token,
    stones.link,
    stones.tray,
    largest_cell=LARGEST,
)
"""Round holes that hold discs and bombs, as in Connect 4 and BOOM."""
MARK_STYLE = Style(
    crosses.cell_sprite,
    crosses.paint_piece,
    crosses.paint_token,
    crosses.link,
    crosses.tray,
    largest_cell=LARGEST_TILE,
)
"""Square tiles that hold crosses and circles, as in tic-tac-toe."""

DRAWINGS: Mapping[Drawing, Style] = MappingProxyType(
    {Drawing.DISCS: DISC_STYLE, Drawing.MARKS: MARK_STYLE}
)
"""The style of each drawing; every member of `Drawing` has one."""


def draw(drawing: Drawing, scene: BoardScene, theme: Theme = CLASSIC) -> bytes:
    """Draw a scene; return a PNG, 680 pixels wide.

    Args:
        drawing: How the game is drawn.
        scene: What to show; 4 to 8 rows and columns.
        theme: The colours.

    Raises:
        ValueError: when the drawing does not support the board's size or content.
    """
    return draw_framed(scene, theme, DRAWINGS[drawing])
