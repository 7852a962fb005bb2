"""The words at the foot of a picture."""

from __future__ import annotations

from renderers.paint.canvas import Canvas
from renderers.paint.measures import MARGIN, WIDTH
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, legible, wrap
from renderers.paint.theme import Tone

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
