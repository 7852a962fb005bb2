"""The picture of a card of statistics."""

from __future__ import annotations

from renderers import shapes
from renderers.canvas import Canvas
from renderers.figures import LARGE, draw_tiles, tiles_height
from renderers.layout import MARGIN, WIDTH
from renderers.palette import Ramp
from renderers.png import SMALL
from renderers.scene import CardScene
from renderers.small_print import draw_small_print
from renderers.table import draw_table, table_height
from renderers.text import Font, fit, legible, wrap
from renderers.theme import CHARCOAL, Theme, Tone

_ROOM = WIDTH - 2 * MARGIN
_TITLES = (Font(42, bold=True), Font(34, bold=True), Font(28, bold=True))
_SUBTITLES = (Font(26), Font(24))
_NOTE = Font(24)
_NOTE_LINES = 3
_LINE_HEIGHT = 36
_NOTE_INDENT = 22
_GAP = 22
_FOOTER = 48
_TITLE_HEIGHT = 84
_SUBTITLE_HEIGHT = 46


def draw_card(scene: CardScene, theme: Theme = CHARCOAL) -> bytes:
    """Draw a card of statistics.

    Args:
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide like the boards, and as high as its content.
    """
    note = wrap(legible(scene.note), _ROOM - _NOTE_INDENT, _NOTE, _NOTE_LINES)
    canvas = Canvas.blank(WIDTH, _height(scene, len(note)), theme, Tone.PAGE)
    top = _draw_titles(canvas, scene)
    if scene.figures:
        draw_tiles(canvas, scene.figures, top, LARGE, theme)
        top += tiles_height(scene.figures, LARGE) + _GAP
    if scene.table is not None:
        draw_table(canvas, scene.table, top, theme)
        top += table_height(scene.table) + _GAP
    if note:
        top = _draw_note(canvas, note, top)
    draw_small_print(canvas, scene.footer, top + _FOOTER // 2 - 8)
    return canvas.png(SMALL)


def _height(scene: CardScene, note_lines: int) -> int:
    blocks = (
        tiles_height(scene.figures, LARGE),
        table_height(scene.table),
        note_lines * _LINE_HEIGHT,
    )
    subtitle = _SUBTITLE_HEIGHT if scene.subtitle else 0
    small_print = _FOOTER if scene.footer else 0
    content = sum(block + _GAP for block in blocks if block)
    return _TITLE_HEIGHT + subtitle + content + small_print


def _draw_titles(canvas: Canvas, scene: CardScene) -> int:
    title, font = fit(legible(scene.title), _ROOM, *_TITLES)
    canvas.write(title, MARGIN, _TITLE_HEIGHT // 2 + 4, font, Ramp(Tone.PAGE, Tone.TEXT))
    if not scene.subtitle:
        return _TITLE_HEIGHT
    subtitle, font = fit(legible(scene.subtitle), _ROOM, *_SUBTITLES)
    canvas.write(subtitle, MARGIN, _TITLE_HEIGHT + 12, font, Ramp(Tone.PAGE, Tone.MUTED))
    return _TITLE_HEIGHT + _SUBTITLE_HEIGHT


def _draw_note(canvas: Canvas, lines: tuple[str, ...], top: int) -> int:
    bottom = top + len(lines) * _LINE_HEIGHT
    bar = shapes.panel(6, bottom - top, 3)
    canvas.paint(bar, MARGIN, top, Ramp(Tone.PAGE, Tone.HINT))
    for index, line in enumerate(lines):
        middle = top + index * _LINE_HEIGHT + _LINE_HEIGHT // 2
        canvas.write(line, MARGIN + _NOTE_INDENT, middle, _NOTE, Ramp(Tone.PAGE, Tone.TEXT))
    return bottom + _GAP
