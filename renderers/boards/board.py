"""The picture of a board with holes for stones, as in Connect 4 and BOOM."""

from __future__ import annotations

from renderers.boards.frame import draw_framed
from renderers.boards.layout import USUAL_CELL
from renderers.boards.stones import cell_sprite, paint_token
from renderers.boards.style import Style
from renderers.paint.theme import CHARCOAL, Theme
from renderers.scene import BoardScene

STYLE = Style(cell_sprite, paint_token, largest_cell=USUAL_CELL, reach=(0.45, 0.45))
"""Round holes that hold stones and bombs."""


def draw_board(scene: BoardScene, theme: Theme = CHARCOAL) -> bytes:
    """Draw a board of stones with its players, remark and footer.

    Args:
        scene: What to show; 4 to 8 rows and columns.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide: sharp at double density when shown 340 wide.

    Raises:
        ValueError: when the board is smaller or larger than that.
    """
    return draw_framed(scene, theme, STYLE)
