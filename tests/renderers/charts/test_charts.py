"""The charts of a report, one by one."""

from __future__ import annotations

import pytest
from PIL import Image

from renderers import (
    CHARCOAL,
    BarsScene,
    LinesScene,
    Points,
    Result,
    ScatterScene,
    Series,
    Tone,
)
from renderers.charts.bars import draw_bars
from renderers.charts.lines import averaged, draw_lines
from renderers.charts.scatter import draw_scatter, spread
from renderers.paint.palette import palette_of
from tests.renderers.reports import LEVELS


def count(chart: Image.Image, tone: Tone) -> int:
    """Count the pixels of a colour in a chart."""
    return chart.histogram()[palette_of(CHARCOAL).index(tone)]


def bars(people: float | None, engine: float | None = None) -> Image.Image:
    """Draw the rates of one level."""
    series = Series("people", (people,)), Series("engine", (engine,))
    return draw_bars(BarsScene("Won (%)", ("easy",), series), CHARCOAL)


def test_a_bar_is_as_long_as_its_percentage() -> None:
    """Twice the percentage is twice the bar, besides the sample in the key."""
    key = count(bars(0), Tone.FIRST)
    half, whole = count(bars(50), Tone.FIRST) - key, count(bars(100), Tone.FIRST) - key
    assert half > 2000
    assert whole == pytest.approx(2 * half, rel=0.02)


def test_the_bars_of_both_sides_differ_by_more_than_colour() -> None:
    """The engine's bars are hatched in the pale mark of its colour, the person's are not."""
    pale = count(bars(0, 0), Tone.SECOND_MARK)
    assert count(bars(90, 0), Tone.SECOND_MARK) < pale + 50
    assert count(bars(0, 90), Tone.SECOND_MARK) > pale + 500


def test_a_value_is_written_even_where_there_is_no_bar() -> None:
    """A rate of 0 says so, and differs from one that nobody knows."""
    assert bars(0).tobytes() != bars(None).tobytes()
    assert bars(49).tobytes() != bars(49.6).tobytes()


def test_a_bar_chart_grows_with_its_groups() -> None:
    """Twelve levels are as legible as one."""
    one = draw_bars(BarsScene("Won", ("a",), (Series("people", (1,)),)), CHARCOAL)
    many = draw_bars(BarsScene("Won", ("a",) * 12, (Series("people", (1,) * 12),)), CHARCOAL)
    assert many.height > one.height + 11 * 30


def lines(*places: tuple[int, float], result: Result = Result.WON) -> Image.Image:
    """Draw one line."""
    return draw_lines(LinesScene("Hints", "", (Points("", result, places),)), CHARCOAL)


def test_a_line_rises_with_its_percentages() -> None:
    """The mark of a higher share is higher up, on a scale to 50 or to 100 %."""
    tops = []
    for value in (0, 25, 50):
        chart = lines((1, value)).crop((100, 44, 680, 300))
        yellow = chart.point(
            [255 * (i == palette_of(CHARCOAL).index(Tone.FIRST)) for i in range(256)]
        )
        box = yellow.getbbox()
        assert box is not None
        tops.append((box[1] + box[3]) / 2)
    assert tops[0] - tops[1] == pytest.approx(tops[1] - tops[2], abs=2)
    assert tops[0] - tops[2] == pytest.approx(190, abs=3)


def test_results_differ_by_more_than_colour() -> None:
    """Marks keep their shapes when their colours are taken away."""
    shapes = set()
    for result in Result:
        chart = lines((1, 25), result=result).crop((100, 44, 680, 200))
        page = palette_of(CHARCOAL).index(Tone.PAGE)
        shapes.add(chart.point([255 * (i != page) for i in range(256)]).tobytes())
    assert len(shapes) == len(Result)


def test_few_games_stay_by_themselves() -> None:
    """A line through at most as many games as it may have places shows each of them."""
    places = ((1, 10.0), (3, 20.0), (24, 0.0))
    assert averaged(places, 24) == places


def test_many_games_are_averaged_in_equal_spans() -> None:
    """The mean number and the mean value of every span that holds games become one place."""
    places = ((1, 10.0), (25, 20.0), (26, 0.0), (100, 40.0))
    assert averaged(places, 100, 4) == ((13, 15.0), (26, 0.0), (100, 40.0))
    everything = tuple((number, 50.0) for number in range(1, 1001))
    assert len(averaged(everything, 1000)) == 24


def test_games_are_spread_inside_their_group_and_lane() -> None:
    """Every result has its own lane in a group; games beside each other differ, and never stray."""
    clouds = [Points("", result, ((1, 9),) * 50) for result in Result]
    lanes = [[x for x, _ in spread(cloud, lane, 3)] for lane, cloud in enumerate(clouds)]
    assert all(len(set(lane)) == 50 for lane in lanes)
    assert 0.5 < min(lanes[0]) < max(lanes[0]) < min(lanes[1])
    assert max(lanes[1]) < min(lanes[2]) < max(lanes[2]) < 1.5
    assert spread(clouds[0], 0, 3) == spread(clouds[0], 0, 3)


def test_every_game_leaves_its_mark() -> None:
    """One game more shows more of its colour."""

    def chart(games: int) -> int:
        places = (*((0, 10 * game) for game in range(1, games + 1)), (0, 40))
        scene = ScatterScene("Moves", LEVELS, (Points("won", Result.WON, places),))
        return count(draw_scatter(scene, CHARCOAL), Tone.FIRST)

    assert chart(1) < chart(2) < chart(3)


def test_names_that_do_not_fit_side_by_side_take_two_lines() -> None:
    """A chart of many levels with longer names is higher."""
    few = draw_scatter(ScatterScene("Moves", LEVELS, ()), CHARCOAL)
    many = draw_scatter(ScatterScene("Moves", ("window-4",) * 12, ()), CHARCOAL)
    assert many.height > few.height


def test_bars_need_a_percentage_for_every_group() -> None:
    """Series of another length, values beyond 0 to 100 and a third series are refused."""
    with pytest.raises(ValueError, match="every group"):
        BarsScene("Won", ("a", "b"), (Series("people", (1,)),))
    for value in (-1, 101, float("nan")):
        with pytest.raises(ValueError, match="no percentage"):
            BarsScene("Won", ("a",), (Series("people", (value,)),))
    with pytest.raises(ValueError, match="at most 2"):
        BarsScene("Won", ("a",), (Series("people", (1,)),) * 3)


def test_lines_need_games_in_order_and_percentages() -> None:
    """Games out of order or before the first, other values and one result twice are refused."""
    for places in (((0, 5.0),), ((2, 5.0), (2, 6.0)), ((3, 5.0), (2, 6.0))):
        with pytest.raises(ValueError, match="in order"):
            LinesScene("Hints", "", (Points("won", Result.WON, places),))
    with pytest.raises(ValueError, match="no percentage"):
        LinesScene("Hints", "", (Points("won", Result.WON, ((1, 100.5),)),))
    with pytest.raises(ValueError, match="one group of points"):
        LinesScene("Hints", "", (Points("won", Result.WON, ()), Points("", Result.WON, ())))


def test_scatters_need_groups_and_quantities() -> None:
    """Games of no group, quantities below 0 or endless, and one result twice are refused."""
    for group in (-1, 1):
        with pytest.raises(ValueError, match="no group"):
            ScatterScene("Moves", ("a",), (Points("won", Result.WON, ((group, 5),)),))
    for value in (-1, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="no quantity"):
            ScatterScene("Moves", ("a",), (Points("won", Result.WON, ((0, value),)),))
    with pytest.raises(ValueError, match="one group of points"):
        ScatterScene("Moves", (), (Points("won", Result.WON, ()), Points("", Result.WON, ())))
