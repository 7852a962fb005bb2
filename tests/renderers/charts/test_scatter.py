"""The scatter chart of a report."""

from __future__ import annotations

from renderers import CLASSIC, BarsScene, Points, Result, ScatterScene, Series, Tone
from renderers.charts.bars import draw_bars
from renderers.charts.scatter import draw_scatter, spread
from tests.renderers.eyes import count
from tests.renderers.reports import LEVELS


def test_games_are_spread_inside_their_group_and_lane() -> None:
    """Every result has its own lane in a group; its games differ in place and stay in the lane."""
    clouds = [Points("", result, ((1, 9),) * 50) for result in Result]
    lanes = [[y for _, y in spread(cloud, lane, 3)] for lane, cloud in enumerate(clouds)]
    assert all(len(set(lane)) == 50 for lane in lanes)
    assert 0.5 < min(lanes[0]) < max(lanes[0]) < min(lanes[1])
    assert max(lanes[1]) < min(lanes[2]) < max(lanes[2]) < 1.5
    assert spread(clouds[0], 0, 3) == spread(clouds[0], 0, 3)


def test_every_game_leaves_its_mark() -> None:
    """One more game adds pixels of its colour."""

    def chart(games: int) -> int:
        places = (*((0, 10 * game) for game in range(1, games + 1)), (0, 40))
        scene = ScatterScene("Moves", LEVELS, (Points("won", Result.WON, places),))
        return count(draw_scatter(scene, CLASSIC, 264), Tone.DISC_1)

    assert chart(1) < chart(2) < chart(3)


def test_the_rows_are_those_of_the_bars_beside_it() -> None:
    """The scatter chart and the bar chart beside it have the same height."""
    for groups in (LEVELS, LEVELS[:1]):
        series = (Series("people", (50,) * len(groups)),)
        beside = draw_bars(BarsScene("Won (%)", groups, series), CLASSIC)
        assert draw_scatter(ScatterScene("Moves", groups, ()), CLASSIC, 264).height == beside.height
