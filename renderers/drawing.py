"""The functions that draw pictures; the first call loads the modules that they need.

Importing Pillow, the sprites and the cards takes a while, and a process should be connected before
that. Scenes need none of it. `load` loads the modules for boards.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.game import Drawing
from renderers.card_scene import CardScene
from renderers.paint.theme import CLASSIC, Theme
from renderers.scene import BoardScene, ReviewScene


def load() -> None:
    """Load the modules for boards, so that the first picture takes no longer than the next."""
    from renderers.boards.animation import draw_animation  # noqa: F401
    from renderers.paint.text import is_writable

    is_writable("")


def draw(drawing: Drawing, scene: BoardScene, theme: Theme = CLASSIC) -> bytes:
    """Draw a board in the style of its game; see `renderers.boards.drawings.draw`."""
    from renderers.boards import drawings

    return drawings.draw(drawing, scene, theme)


def draw_animation(drawing: Drawing, scenes: Sequence[BoardScene], theme: Theme = CLASSIC) -> bytes:
    """Draw a game as an animation; see `renderers.boards.animation.draw_animation`."""
    from renderers.boards import animation

    return animation.draw_animation(drawing, scenes, theme)


def draw_flash(
    drawing: Drawing, scene: BoardScene, flash: BoardScene, theme: Theme = CLASSIC
) -> bytes:
    """Draw a board on which something appears once; see `renderers.boards.animation.draw_flash`."""
    from renderers.boards import animation

    return animation.draw_flash(drawing, scene, flash, theme)


def draw_card(scene: CardScene, theme: Theme = CLASSIC) -> bytes:
    """Draw a card; see `renderers.cards.card.draw_card`."""
    from renderers.cards import card

    return card.draw_card(scene, theme)


def draw_review(drawing: Drawing, scene: ReviewScene, theme: Theme = CLASSIC) -> bytes:
    """Draw a reviewed game; see `renderers.cards.review.draw_review`."""
    from renderers.cards import review

    return review.draw_review(drawing, scene, theme)


def is_writable(name: str) -> bool:
    """Whether every letter and digit of a name can be written; emoji and the like do not count."""
    from renderers.paint import text

    return text.is_writable(name)
