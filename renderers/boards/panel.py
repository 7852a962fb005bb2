"""The figures of a finished game, under its board."""

from __future__ import annotations

from renderers.blocks.tiles import SMALL_TILES, draw_tiles, tiles_height
from renderers.paint.canvas import Canvas
from renderers.paint.page import MARGIN, WIDTH
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, fit, legible
from renderers.paint.theme import Tone
from renderers.scene import Panel

_FONT = Font(28, bold=True)
_TITLE = 52


def panel_height(panel: Panel | None) -> int:
    """Return how much a panel adds to the height of a picture, in pixels; 0 for none."""
    if panel is None:
        return 0
    return _title_height(panel) + tiles_height(panel.figures, SMALL_TILES) + MARGIN


def draw_panel(canvas: Canvas, panel: Panel | None, top: int) -> None:
    """Draw a panel across the bare page from `top`; nothing for none."""
    if panel is None:
        return
    title, font = fit(legible(panel.title), WIDTH - 2 * MARGIN, _FONT)
    canvas.write(title, MARGIN, top + 18, font, Ramp(Tone.PAGE, Tone.TEXT))
    draw_tiles(canvas, panel.figures, top + _title_height(panel), SMALL_TILES)


def _title_height(panel: Panel) -> int:
    return _TITLE if panel.title else 0
