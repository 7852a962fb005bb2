"""The bar chart of a report."""

from __future__ import annotations

import pytest
from PIL import Image

from renderers import CLASSIC, BarsScene, Series, Tone
from renderers.charts.bars import draw_bars
from tests.renderers.eyes import count


def bars(people: float | None, engine: float | None = None) -> Image.Image:
    """Draw the rates of one level."""
    series = Series("people", (people,)), Series("engine", (engine,))
    return draw_bars(BarsScene("Won (%)", ("easy",), series), CLASSIC)


def test_a_bar_is_as_long_as_its_percentage() -> None:
    """Twice the percentage gives a bar twice as long, not counting the sample in the key."""
    key = count(bars(0), Tone.DISC_1)
    half, whole = count(bars(50), Tone.DISC_1) - key, count(bars(100), Tone.DISC_1) - key
    assert half > 1000
    assert whole == pytest.approx(2 * half, rel=0.04)


def test_the_bars_of_both_sides_differ_by_more_than_colour() -> None:
    """The engine's bars are hatched in a pale tone, and the people's are not."""
    pale = count(bars(0, 0), Tone.DISC_2_MARK)
    assert count(bars(90, 0), Tone.DISC_2_MARK) < pale + 50
    assert count(bars(0, 90), Tone.DISC_2_MARK) > pale + 250


def test_a_rate_of_zero_is_written() -> None:
    """A rate of 0 is written, and differs from an unknown one."""
    assert bars(0).tobytes() != bars(None).tobytes()
    assert bars(49).tobytes() != bars(49.6).tobytes()


def test_a_bar_chart_grows_with_its_groups() -> None:
    """Each additional level makes the chart at least 30 pixels higher."""
    one = draw_bars(BarsScene("Won", ("a",), (Series("people", (1,)),)), CLASSIC)
    many = draw_bars(BarsScene("Won", ("a",) * 12, (Series("people", (1,) * 12),)), CLASSIC)
    assert many.height > one.height + 11 * 30
