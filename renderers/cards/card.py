"""The picture of a card of statistics."""

from __future__ import annotations

from renderers.blocks.course import course_height, draw_course
from renderers.blocks.heading import draw_titles, titles_height
from renderers.blocks.note import draw_note, note_height
from renderers.blocks.recent_form import draw_form, form_height
from renderers.blocks.small_print import draw_small_print
from renderers.blocks.table import draw_table, table_height
from renderers.blocks.tiles import LARGE, draw_tiles, tiles_height
from renderers.paint.canvas import Canvas
from renderers.paint.page import WIDTH
from renderers.paint.png import SMALL
from renderers.paint.theme import CHARCOAL, Theme, Tone
from renderers.scene import CardScene

_GAP = 22
_FOOTER = 48


def draw_card(scene: CardScene, theme: Theme = CHARCOAL) -> bytes:
    """Draw a card of statistics.

    Args:
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide like the boards, and as high as its content.
    """
    canvas = Canvas.blank(WIDTH, _height(scene), theme, Tone.PAGE)
    top = draw_titles(canvas, scene.title, scene.subtitle)
    if scene.figures:
        draw_tiles(canvas, scene.figures, top, LARGE, theme)
    top = _below(top, tiles_height(scene.figures, LARGE))
    draw_course(canvas, scene.course, top, theme)
    top = _below(top, course_height(scene.course))
    draw_form(canvas, scene.form, top, theme)
    top = _below(top, form_height(scene.form))
    draw_table(canvas, scene.table, top, theme)
    top = _below(top, table_height(scene.table))
    draw_note(canvas, scene.note, top)
    top = _below(top, note_height(scene.note))
    draw_small_print(canvas, scene.footer, top + _FOOTER // 2 - 8)
    return canvas.png(SMALL)


def _height(scene: CardScene) -> int:
    blocks = (
        tiles_height(scene.figures, LARGE),
        course_height(scene.course),
        form_height(scene.form),
        table_height(scene.table),
        note_height(scene.note),
    )
    height = titles_height(scene.subtitle)
    for block in blocks:
        height = _below(height, block)
    return height + (_FOOTER if scene.footer else 0)


def _below(top: int, height: int) -> int:
    """Return where the next block begins: one that is not there takes no gap either."""
    return top + height + _GAP if height else top
