"""Blocks, which are stacked into a page, and the parts of a page that are only text.

These are the heading, a note with a bar in front of it, and the small print.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, fit, legible, wrap
from renderers.paint.theme import MARGIN, WIDTH, Tone

_ROOM = WIDTH - 2 * MARGIN
"""The width of a line of text, in pixels."""

_TITLES = (Font(44, bold=True), Font(36, bold=True), Font(30, bold=True))
_SUBTITLES = (Font(28),)
_TITLE_HEIGHT, _SUBTITLE_HEIGHT = 68, 42

_NOTE = Font(28)
_NOTE_LINES, _NOTE_LINE_HEIGHT, _NOTE_INDENT = 3, 38, 22

_SEPARATOR = " · "
"""Separates two figures; lines are broken here if possible."""


class Block(NamedTuple):
    """A part of a picture, as wide as the page."""

    height: int
    """In pixels; a block with nothing to show has height 0."""
    draw: Callable[[Canvas, int], None]
    """Draws the block on the blank page, from the given height down."""


def _draw_nothing(canvas: Canvas, top: int) -> None:
    pass


NOTHING = Block(0, _draw_nothing)
"""The block of a part that a scene leaves out."""


def heading_height(subtitle: str) -> int:
    """Return how high the heading is, in pixels; an empty subtitle takes no room."""
    return _TITLE_HEIGHT + (_SUBTITLE_HEIGHT if subtitle else 0)


def draw_heading(canvas: Canvas, title: str, subtitle: str) -> None:
    """Write the title and, if there is one, the subtitle at the top of a blank page."""
    words, font = fit(legible(title), _ROOM, *_TITLES)
    canvas.write(words, MARGIN, _TITLE_HEIGHT // 2 + 4, font, Ramp(Tone.BACKGROUND, Tone.TEXT))
    if subtitle:
        words, font = fit(legible(subtitle), _ROOM, *_SUBTITLES)
        canvas.write(
            words, MARGIN, _TITLE_HEIGHT + 16, font, Ramp(Tone.BACKGROUND, Tone.MUTED_TEXT)
        )


def note_block(note: str) -> Block:
    """Return a note as a block of up to three lines."""
    lines = wrap(legible(note), _ROOM - _NOTE_INDENT, _NOTE, _NOTE_LINES)
    if not lines:
        return NOTHING
    height = len(lines) * _NOTE_LINE_HEIGHT

    def draw(canvas: Canvas, top: int) -> None:
        bar = shapes.panel(6, height, 3)
        canvas.paint(bar, MARGIN, top, Ramp(Tone.BACKGROUND, Tone.HINT))
        for index, line in enumerate(lines):
            middle = top + index * _NOTE_LINE_HEIGHT + _NOTE_LINE_HEIGHT // 2
            canvas.write(
                line, MARGIN + _NOTE_INDENT, middle, _NOTE, Ramp(Tone.BACKGROUND, Tone.TEXT)
            )

    return Block(height, draw)


def small_print(words: str, font: Font, most: int) -> tuple[str, ...]:
    """Break words into at most `most` lines as wide as the page."""
    lines: list[str] = []
    for part in legible(words).split(_SEPARATOR):
        longer = f"{lines[-1]}{_SEPARATOR}{part}" if lines else part
        if lines and font.width(longer) <= _ROOM:
            lines[-1] = longer
        else:
            lines.append(part)
    if len(lines) > most or any(font.width(line) > _ROOM for line in lines):
        return wrap(legible(words), _ROOM, font, most)
    return tuple(line for line in lines if line)


def write_lines(
    canvas: Canvas, lines: tuple[str, ...], font: Font, top: int, height: int, tone: Tone
) -> None:
    """Write centred lines on the blank page, each of a height, from `top` down."""
    for index, line in enumerate(lines):
        middle = top + index * height + height // 2
        canvas.write(line, WIDTH // 2, middle, font, Ramp(Tone.BACKGROUND, tone), "middle")
