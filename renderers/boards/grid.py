"""The picture of a flat grid of crosses and circles, as in tic-tac-toe."""

from __future__ import annotations

from renderers.boards.crosses import cell_sprite, paint_token
from renderers.boards.frame import draw_framed
from renderers.boards.layout import USUAL_CELL
from renderers.boards.style import Style
from renderers.paint.theme import CHARCOAL, Theme
from renderers.scene import BoardScene

STYLE = Style(cell_sprite, paint_token, largest_cell=USUAL_CELL, reach=(0.45, 0.575))
"""Square tiles that hold crosses and circles."""


def draw_grid(scene: BoardScene, theme: Theme = CHARCOAL) -> bytes:
    """Draw a grid of crosses and circles with its players, remark and footer.

    Args:
        scene: What to show; 4 to 8 rows and columns, without bombs.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide: sharp at double density when shown 340 wide.

    Raises:
        ValueError: when the grid is smaller or larger than that, or holds a bomb.
    """
    return draw_framed(scene, theme, STYLE)
