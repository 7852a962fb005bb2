"""The picture of a card of statistics."""

from __future__ import annotations

from renderers.blocks.course import course_height, draw_course
from renderers.blocks.note import draw_note, note_height
from renderers.blocks.recent_form import draw_recent_form, recent_form_height
from renderers.blocks.table import draw_table, table_height
from renderers.blocks.tiles import LARGE_TILES, draw_tiles, tiles_height
from renderers.cards.page import Block, draw_page
from renderers.paint.theme import CHARCOAL, Theme
from renderers.scene import CardScene


def draw_card(scene: CardScene, theme: Theme = CHARCOAL) -> bytes:
    """Draw a card of statistics.

    Args:
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide like the boards, and as high as its content.
    """
    blocks = (
        Block(
            tiles_height(scene.figures, LARGE_TILES),
            lambda canvas, top: draw_tiles(canvas, scene.figures, top, LARGE_TILES),
        ),
        Block(
            course_height(scene.course),
            lambda canvas, top: draw_course(canvas, scene.course, top),
        ),
        Block(
            recent_form_height(scene.form),
            lambda canvas, top: draw_recent_form(canvas, scene.form, top),
        ),
        Block(
            table_height(scene.table),
            lambda canvas, top: draw_table(canvas, scene.table, top),
        ),
        Block(
            note_height(scene.note),
            lambda canvas, top: draw_note(canvas, scene.note, top),
        ),
    )
    return draw_page(scene.title, scene.subtitle, blocks, scene.footer, theme)
