"""What stands above a card and a report: a title and a subtitle."""

from __future__ import annotations

from renderers.paint.canvas import Canvas
from renderers.paint.page import MARGIN, WIDTH
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, fit, legible
from renderers.paint.theme import Tone

_ROOM = WIDTH - 2 * MARGIN
_TITLES = (Font(42, bold=True), Font(34, bold=True), Font(28, bold=True))
_SUBTITLES = (Font(26), Font(24))
_TITLE_HEIGHT = 84
_SUBTITLE_HEIGHT = 46


def titles_height(subtitle: str) -> int:
    """Return how much room the title and a subtitle, which may be empty, take, in pixels."""
    return _TITLE_HEIGHT + (_SUBTITLE_HEIGHT if subtitle else 0)


def draw_titles(canvas: Canvas, title: str, subtitle: str) -> int:
    """Write both at the top of the bare page; return where the rest may begin, in pixels."""
    words, font = fit(legible(title), _ROOM, *_TITLES)
    canvas.write(words, MARGIN, _TITLE_HEIGHT // 2 + 4, font, Ramp(Tone.PAGE, Tone.TEXT))
    if subtitle:
        words, font = fit(legible(subtitle), _ROOM, *_SUBTITLES)
        canvas.write(words, MARGIN, _TITLE_HEIGHT + 12, font, Ramp(Tone.PAGE, Tone.MUTED))
    return titles_height(subtitle)
