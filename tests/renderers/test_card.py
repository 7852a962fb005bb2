"""The picture of a card of statistics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image, ImageChops

from renderers import CHARCOAL, CardScene, Figure, Table, Tone, draw_card

See = Callable[[bytes], Image.Image]

CARD = CardScene(
    title="Ángela Ñúñez",
    subtitle="Level 4 of 9",
    figures=(
        Figure("Games", "128"),
        Figure("Wins", "71"),
        Figure("Losses", "52"),
        Figure("Draws", "5"),
        Figure("Streak", "4"),
        Figure("Hints used", "17"),
    ),
    table=Table(
        ("Level", "Games", "Wins", "Draws", "Losses"),
        (("3", "34", "20", "2", "12"), ("4", "41", "18", "2", "21"), ("5", "9", "1", "0", "8")),
        highlight=1,
    ),
    footer="since 3 May 2026",
    note="Most wins begin in the middle column.",
)


def test_a_card_has_the_width_of_a_board_and_is_small(see: See) -> None:
    """A card is 680 pixels wide and takes at most 15 KB."""
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
    """Another text anywhere, or one part less, gives another picture."""
    assert draw_card(replace(CARD, **change)) != draw_card(CARD)


@pytest.mark.parametrize("part", ["subtitle", "footer", "note"])
def test_an_empty_part_takes_no_room(see: See, part: str) -> None:
    """Without a part, a card is lower."""
    change: dict[str, Any] = {part: ""}
    less = see(draw_card(replace(CARD, **change)))
    assert less.height < see(draw_card(CARD)).height


def test_a_highlighted_row_is_marked_by_more_than_its_ground(see: See) -> None:
    """The row that stands out has a bar in front and bold words, and no other row changes."""
    assert CARD.table is not None
    plain = see(draw_card(replace(CARD, table=replace(CARD.table, highlight=None))))
    marked = see(draw_card(CARD))
    box = ImageChops.difference(plain, marked).getbbox()
    assert box is not None
    assert box[3] - box[1] <= 50
    assert CHARCOAL.rgb(Tone.FIRST) in {c for _, c in marked.crop(box).getcolors() or []}


def test_long_texts_keep_clear_of_the_edges(see: See) -> None:
    """However long every text is, the margins of the card stay empty."""
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
    page = CHARCOAL.rgb(Tone.PAGE)
    for left in (0, picture.width - 18):
        margin = picture.crop((left, 0, left + 18, picture.height))
        assert margin.getcolors() == [(18 * picture.height, page)]


def test_a_bare_title_is_a_card(see: See) -> None:
    """Nothing but the title is needed."""
    assert see(draw_card(CardScene("Ana", "", ()))).height > 0


def test_a_table_must_be_a_rectangle_with_its_highlight_inside() -> None:
    """Rows that lack a text and highlights of no row are refused."""
    with pytest.raises(ValueError, match="for every header"):
        Table(("Level", "Games"), (("3",),))
    with pytest.raises(ValueError, match="no row 1"):
        Table(("Level",), (("3",),), highlight=1)
