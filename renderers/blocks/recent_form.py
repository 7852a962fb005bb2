"""How a player's latest games ended: a mark for each, distinct in shape and in colour."""

from __future__ import annotations

from functools import cache

from PIL import Image

from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.theme import Theme, Tone
from renderers.scene import Form, Result

MARK = 26
"""The side of a mark, in pixels."""
_GAP = 2


def form_width(form: Form) -> int:
    """Return the width of a form's marks, in pixels."""
    return len(form.results) * (MARK + _GAP) - _GAP


def draw_form(canvas: Canvas, form: Form, left: int, top: int) -> None:
    """Draw recent form on the ground of a tile as a row of marks, the newest on the right."""
    for index, result in enumerate(form.results):
        sprite = _result_sprite(result, canvas.theme)
        canvas.put(sprite, left + index * (MARK + _GAP), top)


@cache
def _result_sprite(result: Result, theme: Theme) -> Image.Image:
    """Draw a tick on a disc, a dash on a tile or a bare cross."""
    canvas = Canvas.blank(MARK, MARK, theme, Tone.SURFACE)
    if result is Result.WON:
        canvas.paint(shapes.disc(MARK, MARK / 2), 0, 0, Ramp(Tone.SURFACE, Tone.FIRST))
        tick = shapes.curve(MARK, [(-5.5, 0.5), (-1.5, 4.5), (5.5, -4)], 3.5)
        canvas.paint(tick, 0, 0, Ramp(Tone.FIRST, Tone.PAGE))
    elif result is Result.DRAWN:
        side = MARK - 2
        canvas.paint(shapes.panel(side, side, 6), 1, 1, Ramp(Tone.SURFACE, Tone.MUTED))
        dash = shapes.curve(MARK, [(-5.5, 0), (5.5, 0)], 3.5)
        canvas.paint(dash, 0, 0, Ramp(Tone.MUTED, Tone.PAGE))
    else:
        # The pale rim sets the blue off from a dark page for people who see little contrast.
        rim, arms = shapes.cross(MARK, 9.5, 7.5), shapes.cross(MARK, 9.5, 4)
        canvas.paint(rim, 0, 0, Ramp(Tone.SURFACE, Tone.SECOND_MARK))
        canvas.paint(arms, 0, 0, Ramp(Tone.SECOND_MARK, Tone.SECOND))
    return canvas.image
