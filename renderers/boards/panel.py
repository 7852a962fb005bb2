"""The figures of a finished game, below its board."""

from __future__ import annotations

from renderers.blocks.block import NOTHING, Block
from renderers.blocks.tiles import SMALL_TILES, tiles_block
from renderers.paint.canvas import Canvas
from renderers.paint.measures import MARGIN, WIDTH
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, fit, legible
from renderers.paint.theme import Tone
from renderers.scene import Panel

_FONT = Font(28, bold=True)
_TITLE_HEIGHT = 52


def panel_block(panel: Panel | None) -> Block:
    """Return a panel as a block that reaches the bottom of the picture."""
    if panel is None:
        return NOTHING
    title_height = _TITLE_HEIGHT if panel.title else 0
    tiles = tiles_block(panel.figures, SMALL_TILES)

    def draw(canvas: Canvas, top: int) -> None:
        title, font = fit(legible(panel.title), WIDTH - 2 * MARGIN, _FONT)
        canvas.write(title, MARGIN, top + 18, font, Ramp(Tone.PAGE, Tone.TEXT))
        tiles.draw(canvas, top + title_height)

    return Block(title_height + tiles.height + MARGIN, draw)
