"""The picture of a card of statistics."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from renderers import CLASSIC, CardScene, Figure, Table, Tone, draw_card
from tests.renderers.example_card import CARD
from tests.renderers.eyes import See


def test_a_card_has_the_width_of_a_board_and_is_small(see: See) -> None:
    """A card is 680 pixels wide and at most 15 KB."""
    png = draw_card(CARD)
    assert see(png).width == 680
    assert len(png) <= 15 * 1024


@pytest.mark.parametrize(
    "change",
    [
        {"title": "Bo"},
        {"subtitle": "Level 5 of 9"},
        {"figures": (Figure("Games", "129"), *CARD.figures[1:])},
        {"figures": (Figure("Played", "128"), *CARD.figures[1:])},
        {"table": Table(("Level", "Games"), (("3", "34"),))},
        {"footer": "since 4 May 2026"},
        {"note": "Most losses do."},
        {"subtitle": ""},
        {"figures": ()},
        {"table": None},
        {"footer": ""},
        {"note": ""},
    ],
)
def test_everything_on_a_card_is_drawn(change: dict[str, Any]) -> None:
    """Changing a text or leaving out a part gives a different picture."""
    assert draw_card(replace(CARD, **change)) != draw_card(CARD)


@pytest.mark.parametrize("part", ["subtitle", "footer", "note"])
def test_an_empty_part_takes_no_space(see: See, part: str) -> None:
    """A card without the part is shorter."""
    change: dict[str, Any] = {part: ""}
    less = see(draw_card(replace(CARD, **change)))
    assert less.height < see(draw_card(CARD)).height


def test_long_texts_keep_clear_of_the_edges(see: See) -> None:
    """Texts of any length leave the margins of a card empty."""
    words = "Wörter " * 40
    headers = tuple(words for _ in range(5))
    card = CardScene(
        words,
        words,
        tuple(Figure(words, words) for _ in range(5)),
        Table(headers, (headers, headers)),
        words,
        words,
    )
    picture = see(draw_card(card))
    page = CLASSIC.rgb(Tone.BACKGROUND)
    for left in (0, picture.width - 18):
        margin = picture.crop((left, 0, left + 18, picture.height))
        assert margin.getcolors() == [(18 * picture.height, page)]


def test_a_bare_title_is_a_card(see: See) -> None:
    """A card needs only a title."""
    assert see(draw_card(CardScene("Ana", "", ()))).height > 0
