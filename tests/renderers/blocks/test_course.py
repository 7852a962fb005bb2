"""The course of a number, drawn on a card."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from renderers import CLASSIC, CardScene, Course, Tone, draw_card
from tests.renderers.example_card import CARD
from tests.renderers.eyes import See

COURSE = Course("Rating", (1500, 1530, 1480, 1512), "", (90, 80, 70, 60))


@pytest.mark.parametrize(
    "change",
    [
        {"label": "Elo"},
        {"values": (1500, 1530, 1480, 1513)},
        {"values": (1501, 1530, 1480, 1512)},
        {"values": (1500, 1531, 1480, 1512)},
        {"values": (1500, 1530, 1479, 1512)},
        {"values": (1500, 1530, 1500, 1480, 1512), "deviations": ()},
        {"deviations": ()},
        {"deviations": (20, 20, 20, 20)},
    ],
)
def test_everything_of_a_course_is_drawn(change: dict[str, Any]) -> None:
    """The first, last, highest and lowest values, the line and its band are all drawn."""
    card = replace(CARD, course=COURSE)
    assert draw_card(replace(card, course=replace(COURSE, **change))) != draw_card(card)


def test_a_course_rises_to_the_right(see: See) -> None:
    """The mark of the last value is at the right end, and higher values are higher up."""
    heights = []
    for last in (1400, 1500, 1600):
        card = CardScene("Ana", "", (), course=Course("", (1400, 1600, last), ""))
        picture = see(draw_card(card))
        yellow = [
            y
            for y in range(picture.height)
            if picture.getpixel((560, y)) == CLASSIC.rgb(Tone.DISC_1)
        ]
        heights.append(sum(yellow) / len(yellow))
    assert heights[0] - heights[1] == pytest.approx(heights[1] - heights[2], abs=1)
    assert heights[0] - heights[1] > 18


@pytest.mark.parametrize("games", [1, 2, 1000])
def test_any_number_of_games_is_a_course(see: See, games: int) -> None:
    """One value takes as much space as a thousand, and equal values do not divide by zero."""
    course = Course("Rating", tuple(1500.0 for _ in range(games)), "", (350.0,) * games)
    few = see(draw_card(replace(CARD, course=COURSE)))
    png = draw_card(replace(CARD, course=course))
    assert see(png).size == few.size
    assert len(png) <= 20 * 1024
