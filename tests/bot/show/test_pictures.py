"""The cache of rendered pictures."""

from __future__ import annotations

from bot.show.scenes import card_picture
from renderers import CardScene, Figure, draw_card


def card(games: int) -> CardScene:
    """A card with one figure."""
    return CardScene("Ana", "Connect 4", (Figure("Games", str(games)),))


def test_the_same_figures_are_not_drawn_twice() -> None:
    """An equal scene gets the cached picture."""
    assert card_picture(card(1)) is card_picture(card(1))


def test_other_figures_are_drawn_again() -> None:
    """A scene with a changed figure is rendered again."""
    assert card_picture(card(2)) != card_picture(card(3))
    assert card_picture(card(2)) == draw_card(card(2))
