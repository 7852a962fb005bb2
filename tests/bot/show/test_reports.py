"""What reports say, before they are drawn."""

from __future__ import annotations

import pytest

from bot.show.reports import POINTS, Heading, report_scene
from bot.show.titles import level_of
from bot.store import GameFigures, LevelFigures
from bot.words import say_in
from engine.games import FAMILIES, game_of
from engine.ladder import ladder_of
from renderers import ReportScene, Result

LADDER = ladder_of(game_of("connect4", "6x7"))


def sums(agent: str, games: int, won: int, drawn: int = 0) -> LevelFigures:
    """Sums with easy numbers: each game 60 s, 10 moves a side, half of the people's hinted."""
    return LevelFigures(
        agent,
        games,
        won,
        drawn,
        60.0 * games,
        10 * games,
        5 * games,
        10 * games,
        1000 * games,
        1.0 * games,
    )


def report(
    levels: list[LevelFigures], games: list[GameFigures], language: str = "en"
) -> ReportScene:
    """Ana's report on Connect 4."""
    return report_scene(Heading("Ana", "connect4"), levels, games, say_in(language))


def test_levels_stand_in_order_and_rungs_count_with_them() -> None:
    """The weakest level comes first; a rung counts as the level nearest to it."""
    near_easy = next(rung for rung in LADDER.rungs if rung.level == "easy").number + 1
    scene = report([sums("hard", 2, 1), sums(f"rung-{near_easy}", 3, 3), sums("greedy", 1, 0)], [])
    assert [row[0] for row in scene.table.rows] == [
        "easy",
        "hard",
        "greedy",
    ]
    assert scene.table.rows[0][1] == "3"
    assert level_of("rung-1", LADDER) == "easy"
    assert level_of("window-6", LADDER) == "window-6"


def test_the_table_tells_what_the_notebook_told() -> None:
    """Games, time a game, nodes and engine time a move, both win rates and hints by level."""
    scene = report([sums("easy", 4, 2, 1)], [])
    assert scene.table.rows == (("easy", "4", "1 min", "100", "0.1 s", "50%", "25%", "50%"),)
    people, cuatro = scene.bars.series
    assert (people.values, cuatro.values) == ((50.0,), (25.0,))
    assert len(scene.table.headers) == len(scene.table.rows[0])


def test_hints_are_followed_over_games_won_and_lost() -> None:
    """One line for games won, one for lost, each place the share of moves with a hint."""
    games = [GameFigures("easy", won, 20, 10, hinted) for won, hinted in ((True, 5), (False, 1))]
    won, lost = report([sums("easy", 2, 1)], games).lines.lines
    assert (won.result, won.places) == (Result.WON, ((1, 50.0),))
    assert (lost.result, lost.places) == (Result.LOST, ((1, 10.0),))


def test_many_games_are_taken_together() -> None:
    """A thousand games make no more than so many places, the last one at the last game."""
    games = [GameFigures("easy", True, 20, 10, 2) for _ in range(1000)]
    won, _ = report([sums("easy", 1000, 1000)], games).lines.lines
    assert len(won.places) <= POINTS
    assert won.places[-1] == (1000, 20.0)


def test_every_game_is_a_point() -> None:
    """The chart of moves has a point a game, in its level's group, by result."""
    games = [
        GameFigures("hard", None, 42, 21, 0),
        GameFigures("easy", True, 7, 4, 0),
        GameFigures("hard", False, 30, 15, 0),
    ]
    scene = report([sums("easy", 1, 1), sums("hard", 2, 0, 1)], games).scatter
    places = {cloud.result: cloud.places for cloud in scene.clouds}
    assert places == {
        Result.WON: ((0, 7.0),),
        Result.DRAWN: ((1, 42.0),),
        Result.LOST: ((1, 30.0),),
    }


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("family", FAMILIES)
def test_a_report_without_games_says_so(family: str, language: str) -> None:
    """Nothing to show is said in words, for every game and language."""
    scene = report_scene(Heading("Ana", family), [], [], say_in(language))
    assert scene.note
    assert scene.bars.empty
    assert scene.lines.empty
    assert scene.scatter.empty
