"""The picture of a reviewed game."""

from __future__ import annotations

from renderers.blocks.value_course import value_course_block
from renderers.cards.page import draw_page
from renderers.paint.theme import CHARCOAL, Theme
from renderers.review_scene import ReviewScene


def draw_review(scene: ReviewScene, theme: Theme = CHARCOAL) -> bytes:
    """Draw a reviewed game.

    Args:
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide like the boards.
    """
    blocks = (value_course_block(scene),)
    return draw_page(scene.title, scene.subtitle, blocks, scene.footer, theme)
