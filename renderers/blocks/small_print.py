"""The muted line at the foot of a picture."""

from __future__ import annotations

from renderers.paint.canvas import Canvas
from renderers.paint.measures import MARGIN, WIDTH
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, fit, legible
from renderers.paint.theme import Tone

_FONT = Font(24)


def draw_small_print(canvas: Canvas, words: str, middle: int) -> None:
    """Write one centred line on the blank page, its capitals centred on `middle`."""
    words, font = fit(legible(words), WIDTH - 2 * MARGIN, _FONT)
    canvas.write(words, WIDTH // 2, middle, font, Ramp(Tone.PAGE, Tone.MUTED), "middle")
