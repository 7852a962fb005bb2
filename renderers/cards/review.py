"""The picture of a reviewed game."""

from __future__ import annotations

from renderers.blocks.value_course import value_course_block
from renderers.boards.drawings import DRAWINGS
from renderers.cards.page import draw_page
from renderers.paint.theme import CHARCOAL, Theme
from renderers.review_scene import ReviewScene


def draw_review(game_key: str, scene: ReviewScene, theme: Theme = CHARCOAL) -> bytes:
    """Draw a reviewed game.

    Args:
        game_key: The game's key, such as `connect4`: players have the tokens of its board.
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide like the boards.

    Raises:
        KeyError: when no drawing has that key.
    """
    blocks = (value_course_block(scene, DRAWINGS[game_key].paint_token),)
    return draw_page(scene.title, scene.subtitle, blocks, scene.footer, theme)
