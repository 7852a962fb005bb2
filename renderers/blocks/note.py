"""A sentence or two with a bar in front, so that they stand out."""

from __future__ import annotations

from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.page import MARGIN, WIDTH
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, legible, wrap
from renderers.paint.theme import Tone

_FONT = Font(24)
_LINES = 3
_LINE_HEIGHT = 36
_INDENT = 22


def note_height(note: str) -> int:
    """Return how high a note is, in pixels; 0 for none."""
    return len(_lines(note)) * _LINE_HEIGHT


def draw_note(canvas: Canvas, note: str, top: int) -> None:
    """Write a note across the bare page from `top`; nothing for none."""
    lines = _lines(note)
    if not lines:
        return
    bar = shapes.panel(6, len(lines) * _LINE_HEIGHT, 3)
    canvas.paint(bar, MARGIN, top, Ramp(Tone.PAGE, Tone.HINT))
    for index, line in enumerate(lines):
        middle = top + index * _LINE_HEIGHT + _LINE_HEIGHT // 2
        canvas.write(line, MARGIN + _INDENT, middle, _FONT, Ramp(Tone.PAGE, Tone.TEXT))


def _lines(note: str) -> tuple[str, ...]:
    return wrap(legible(note), WIDTH - 2 * MARGIN - _INDENT, _FONT, _LINES)
