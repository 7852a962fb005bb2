"""How a player's latest games ended: a mark for each, distinct in shape and in colour."""

from __future__ import annotations

from functools import cache

from PIL import Image

from renderers.blocks.block import NOTHING, Block
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.measures import MARGIN, WIDTH
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, fit, legible
from renderers.paint.theme import Theme, Tone
from renderers.scene import Form, Result

_LABEL = Font(24)
_SIZE = 38
_GAP = 8


def recent_form_block(form: Form | None) -> Block:
    """Return recent form as a row of marks, the newest on the right."""
    if form is None or not form.results:
        return NOTHING

    def draw(canvas: Canvas, top: int) -> None:
        left = WIDTH - MARGIN - len(form.results) * (_SIZE + _GAP) + _GAP
        label, font = fit(legible(form.label), left - 2 * MARGIN, _LABEL)
        canvas.write(label, MARGIN, top + _SIZE // 2, font, Ramp(Tone.PAGE, Tone.MUTED))
        for index, result in enumerate(form.results):
            sprite = _result_sprite(result, canvas.theme)
            canvas.put(sprite, left + index * (_SIZE + _GAP), top)

    return Block(_SIZE, draw)


@cache
def _result_sprite(result: Result, theme: Theme) -> Image.Image:
    """Draw a tick on a disc, a dash on a tile or a bare cross."""
    canvas = Canvas.blank(_SIZE, _SIZE, theme, Tone.PAGE)
    if result is Result.WON:
        canvas.paint(shapes.disc(_SIZE, _SIZE / 2), 0, 0, Ramp(Tone.PAGE, Tone.FIRST))
        tick = shapes.curve(_SIZE, [(-8, 0.5), (-2.5, 6), (8, -6)], 4.5)
        canvas.paint(tick, 0, 0, Ramp(Tone.FIRST, Tone.PAGE))
    elif result is Result.DRAWN:
        side = _SIZE - 4
        canvas.paint(shapes.panel(side, side, 7), 2, 2, Ramp(Tone.PAGE, Tone.MUTED))
        dash = shapes.curve(_SIZE, [(-8, 0), (8, 0)], 4.5)
        canvas.paint(dash, 0, 0, Ramp(Tone.MUTED, Tone.PAGE))
    else:
        # The pale rim sets the blue off from a dark page for people who see little contrast.
        rim, arms = shapes.cross(_SIZE, 14, 11), shapes.cross(_SIZE, 14, 6.5)
        canvas.paint(rim, 0, 0, Ramp(Tone.PAGE, Tone.SECOND_MARK))
        canvas.paint(arms, 0, 0, Ramp(Tone.SECOND_MARK, Tone.SECOND))
    return canvas.image
