"""A sentence or two with a bar in front, so that they stand out."""

from __future__ import annotations

from renderers.blocks.block import NOTHING, Block
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.measures import MARGIN, WIDTH
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, legible, wrap
from renderers.paint.theme import Tone

_FONT = Font(28)
_LINES = 3
_LINE_HEIGHT = 38
_INDENT = 22


def note_block(note: str) -> Block:
    """Return a note as a block of up to three lines."""
    lines = wrap(legible(note), WIDTH - 2 * MARGIN - _INDENT, _FONT, _LINES)
    if not lines:
        return NOTHING
    height = len(lines) * _LINE_HEIGHT

    def draw(canvas: Canvas, top: int) -> None:
        bar = shapes.panel(6, height, 3)
        canvas.paint(bar, MARGIN, top, Ramp(Tone.PAGE, Tone.HINT))
        for index, line in enumerate(lines):
            middle = top + index * _LINE_HEIGHT + _LINE_HEIGHT // 2
            canvas.write(line, MARGIN + _INDENT, middle, _FONT, Ramp(Tone.PAGE, Tone.TEXT))

    return Block(height, draw)
