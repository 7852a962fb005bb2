"""The line chart of a report."""

from __future__ import annotations

import pytest
from PIL import Image

from renderers import CLASSIC, LinesScene, Points, Result, Tone
from renderers.charts.lines import averaged, draw_lines
from renderers.paint.palette import palette_of


def lines(*places: tuple[int, float], result: Result = Result.WON) -> Image.Image:
    """Draw one line."""
    return draw_lines(LinesScene("Hints", "", (Points("", result, places),)), CLASSIC, {})


def test_a_line_rises_with_its_percentages() -> None:
    """The mark of a higher percentage is higher up, in proportion."""
    tops = []
    for value in (0, 25, 50):
        chart = lines((1, value)).crop((100, 40, 680, 300))
        yellow = chart.point(
            [255 * (i == palette_of(CLASSIC).index(Tone.DISC_1)) for i in range(256)]
        )
        box = yellow.getbbox()
        assert box is not None
        tops.append((box[1] + box[3]) / 2)
    assert tops[0] - tops[1] == pytest.approx(tops[1] - tops[2], abs=2)
    assert tops[0] - tops[2] == pytest.approx(100, abs=3)


def test_results_differ_by_more_than_colour() -> None:
    """The marks of results differ without their colours."""
    shapes = set()
    for result in Result:
        chart = lines((1, 25), result=result).crop((100, 40, 680, 200))
        page = palette_of(CLASSIC).index(Tone.BACKGROUND)
        shapes.add(chart.point([255 * (i != page) for i in range(256)]).tobytes())
    assert len(shapes) == len(Result)


def test_few_games_are_not_averaged() -> None:
    """A line shows every game if there are no more of them than points."""
    places = ((1, 10.0), (3, 20.0), (24, 0.0))
    assert averaged(places, 24) == places


def test_many_games_are_averaged_in_equal_spans() -> None:
    """Every span with games becomes one point, at their mean number and mean value."""
    places = ((1, 10.0), (25, 20.0), (26, 0.0), (100, 40.0))
    assert averaged(places, 100, 4) == ((13, 15.0), (26, 0.0), (100, 40.0))
    everything = tuple((number, 50.0) for number in range(1, 1001))
    assert len(averaged(everything, 1000)) == 24
