"""The title and subtitle at the top of a card or report."""

from __future__ import annotations

from renderers.paint.canvas import Canvas
from renderers.paint.measures import MARGIN, WIDTH
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, fit, legible
from renderers.paint.theme import Tone

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
