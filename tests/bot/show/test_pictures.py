"""The cache of rendered pictures."""

from __future__ import annotations

from dataclasses import replace

from bot.show.scenes import card_picture
from renderers import CLASSIC, THEMES, StatisticsScene, draw_card
from tests.renderers.example_cards import STATISTICS


def card(games: int) -> StatisticsScene:
    """A card with one figure changed."""
    return replace(STATISTICS, footer=f"{games} games")


def test_the_same_figures_are_not_drawn_twice() -> None:
    """An equal scene in the same theme gets the cached picture."""
    assert card_picture(card(1), CLASSIC) is card_picture(card(1), CLASSIC)


def test_other_figures_are_drawn_again() -> None:
    """A scene with a changed figure, or in another theme, is rendered again."""
    assert card_picture(card(2), CLASSIC) != card_picture(card(3), CLASSIC)
    assert card_picture(card(2), CLASSIC) != card_picture(card(2), THEMES["dark"])
    assert card_picture(card(2), CLASSIC) == draw_card(card(2), CLASSIC)
