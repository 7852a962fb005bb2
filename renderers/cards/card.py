"""The picture of a card of statistics."""

from __future__ import annotations

from renderers.blocks.course import course_block
from renderers.blocks.note import note_block
from renderers.blocks.table import table_block
from renderers.blocks.tiles import tiles_block
from renderers.cards.page import draw_page
from renderers.paint.theme import CHARCOAL, Theme
from renderers.scene import CardScene


def draw_card(scene: CardScene, theme: Theme = CHARCOAL) -> bytes:
    """Draw a card of statistics.

    Args:
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide like the boards and as high as its content, but never a strip.
    """
    blocks = (
        tiles_block(scene.figures, scene.form),
        course_block(scene.course),
        table_block(scene.table),
        note_block(scene.note),
    )
    return draw_page(scene.title, scene.subtitle, blocks, scene.footer, theme)
