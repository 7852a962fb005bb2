"""A part of a picture that others can be stacked above and below.

The title and subtitle at the top of a card or report.

A sentence or two with a bar in front, so that they stand out.

The words at the foot of a picture.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, fit, legible, wrap
from renderers.paint.theme import MARGIN, WIDTH, Tone


class Block(NamedTuple):
    """A part of a picture, as wide as the page."""

    height: int
    """In pixels; a block with nothing to show has height 0."""
    draw: Callable[[Canvas, int], None]
    """Draws the block on the blank page, from the given height down."""


def _draw_nothing(canvas: Canvas, top: int) -> None:
    pass


NOTHING = Block(0, _draw_nothing)
"""The block of something that a scene leaves out."""

_ROOM = WIDTH - 2 * MARGIN

_TITLES = (Font(44, bold=True), Font(36, bold=True), Font(30, bold=True))

_SUBTITLES = (Font(28),)

_TITLE_HEIGHT = 68

_SUBTITLE_HEIGHT = 42


def heading_height(subtitle: str) -> int:
    """Return how high the heading is, in pixels; an empty subtitle takes no room."""
    return _TITLE_HEIGHT + (_SUBTITLE_HEIGHT if subtitle else 0)


def draw_heading(canvas: Canvas, title: str, subtitle: str) -> None:
    """Write the title and, if there is one, the subtitle at the top of a blank page."""
    words, font = fit(legible(title), _ROOM, *_TITLES)
    canvas.write(words, MARGIN, _TITLE_HEIGHT // 2 + 4, font, Ramp(Tone.PAGE, Tone.TEXT))
    if subtitle:
        words, font = fit(legible(subtitle), _ROOM, *_SUBTITLES)
        canvas.write(words, MARGIN, _TITLE_HEIGHT + 16, font, Ramp(Tone.PAGE, Tone.MUTED))


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


_POINT = " · "
"""What stands between figures; a line rather breaks there than inside one."""


def small_print(words: str, font: Font, most: int) -> tuple[str, ...]:
    """Break words into at most `most` lines as wide as the page."""
    room = WIDTH - 2 * MARGIN
    lines: list[str] = []
    for part in legible(words).split(_POINT):
        longer = f"{lines[-1]}{_POINT}{part}" if lines else part
        if lines and font.width(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(part)
    if len(lines) > most or any(font.width(line) > room for line in lines):
        return wrap(legible(words), room, font, most)
    return tuple(line for line in lines if line)


def write_lines(
    canvas: Canvas, lines: tuple[str, ...], font: Font, top: int, height: int, tone: Tone
) -> None:
    """Write centred lines on the blank page, each of a height, from `top` down."""
    for index, line in enumerate(lines):
        middle = top + index * height + height // 2
        canvas.write(line, WIDTH // 2, middle, font, Ramp(Tone.PAGE, tone), "middle")
