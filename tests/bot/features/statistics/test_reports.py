"""The content of reports."""

from __future__ import annotations

import pytest

from bot.features.statistics.cards import progress_line
from bot.features.statistics.lists import MAX_GROUPS, POINTS, Heading, report_lines, report_scene
from bot.features.statistics.rules import Change, Coverage, Progress
from bot.features.statistics.store import GameFigures, LevelFigures
from bot.i18n import say_in
from bot.ratings.levels import class_of
from engine.core.registry import game_of
from engine.core.registry import games as all_games
from engine.strength.ladder import ladder_of
from engine.strength.roster import agents_for
from renderers import ReportScene, Result
from renderers.charts.bars import NAMES
from renderers.charts.sheet import TEXT

LADDER = ladder_of(game_of("connect4", "6x7"))


def sums(agent: str, games: int, won: int, drawn: int = 0, *, auto: bool = False) -> LevelFigures:
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
        auto=auto,
        variant="6x7",
    )


def report(
    levels: list[LevelFigures],
    games: list[GameFigures],
    language: str = "en",
    learned: str = "",
) -> ReportScene:
    """Ana's report on Connect 4."""
    return report_scene(Heading("Ana", "connect4"), levels, games, say_in(language), learned)


def test_auto_comes_first_and_levels_in_order() -> None:
    """`auto` is listed at the mean strength met, over all rungs and levels that it used."""
    rungs = LADDER.rungs[3], LADDER.rungs[4]
    scene = report(
        [
            sums("hard", 2, 1),
            sums(rungs[0].name, 3, 3, auto=True),
            sums("easy", 1, 0),
            sums(rungs[1].name, 1, 0, auto=True),
            sums("greedy", 1, 0),
            sums("rung-99", 1, 0),
        ],
        [],
    )
    met = f"auto (~{round((3 * rungs[0].elo + rungs[1].elo) / 40) * 10})"
    assert [row[0] for row in scene.table.rows] == [met, "easy", "hard", "greedy", "rung-99"]
    assert scene.table.rows[0][1] == "4"
    assert scene.bars.groups[0] == met


@pytest.mark.parametrize("language", ["en", "es"])
def test_agents_with_similar_names_are_distinguished(language: str) -> None:
    """Similar agents have distinct short names in the charts, and none is cut."""
    agents = [name for name in agents_for("connect4") if "-" in name]
    assert len(agents) > 6
    for some in (agents[:6], agents[-6:]):
        scene = report([sums(agent, 2, 1) for agent in some], [], language)
        assert len(set(scene.bars.groups)) == len(some)
        assert all(TEXT.width(name) <= NAMES for name in scene.bars.groups)


def test_a_report_says_what_it_covers() -> None:
    """A report's picture and text name the size class and the period."""
    size = class_of("connect4", "8x8")
    heading = Heading("Ana", "connect4", Coverage(size, 1_790_000_000.0))
    scene = report_scene(heading, [sums("easy", 1, 0)], [], say_in("en"))
    expected = "Large boards (49 squares or more) · since 9/21/26"
    assert scene.footer == f"1 finished game against Cuatro · {expected}"
    assert report_lines(heading, scene, say_in("en")).startswith(f"**Ana** · {expected}\n")


def test_the_table_is_as_the_report() -> None:
    """The table has games, time, nodes and engine time, win rates and hints by level."""
    scene = report([sums("easy", 4, 2, 1)], [])
    assert scene.table.rows == (("easy", "4", "1 min", "100", "0.1 s", "50%", "25%", "50%"),)
    people, cuatro = scene.bars.series
    assert (people.values, cuatro.values) == ((50.0,), (25.0,))
    assert len(scene.table.headers) == len(scene.table.rows[0])


def test_the_text_repeats_the_table() -> None:
    """The text has a line for each level, in singular or plural."""
    scene = report([sums("easy", 1, 0, 1)], [])
    assert scene.footer == "1 finished game against Cuatro · All sizes · all time"
    assert report_lines(Heading("Ana", "connect4"), scene, say_in("en")) == (
        "**Ana** · All sizes · all time\n"
        "**easy**: Games 1 · Time per game 1 min · Nodes per move 100 · "
        "Engine time per move 0.1 s · Player wins 0% · Cuatro wins 0% · Moves with a hint 50%"
    )
    assert report([sums("easy", 4, 2)], []).footer.startswith("4 finished games against")


def test_charts_show_the_levels_that_are_played_most() -> None:
    """With many kinds of opponents the charts show the most frequent, and the text all."""
    agents = ("easy", "medium", "hard", "expert", "perfect", "greedy", "lines")
    games = [GameFigures("lines", True, 20, 10, 2), GameFigures("easy", True, 20, 10, 2)]
    scene = report([sums(agent, 9 - n, 0) for n, agent in enumerate(agents)], games)
    assert scene.bars.groups == scene.scatter.groups
    assert len(scene.bars.groups) == MAX_GROUPS
    assert "lines" not in scene.bars.groups
    assert len(scene.table.rows) == len(agents)
    assert [cloud.places for cloud in scene.scatter.clouds] == [((0, 20.0),), (), ()]
    lines = report_lines(Heading("Ana", "connect4"), scene, say_in("en"))
    assert len(lines.splitlines()) == 1 + len(agents)
    assert len(lines) <= 2000


def test_hints_are_followed_over_games_won_and_lost() -> None:
    """The chart of hints has a line for won and one for lost games: the share of hinted moves."""
    games = [GameFigures("easy", won, 20, 10, hinted) for won, hinted in ((True, 5), (False, 1))]
    won, lost = report([sums("easy", 2, 1)], games).lines.lines
    assert (won.result, won.places) == (Result.WON, ((1, 50.0),))
    assert (lost.result, lost.places) == (Result.LOST, ((1, 10.0),))


def test_many_games_are_taken_together() -> None:
    """A thousand games give a bounded number of places, the last one at the last game."""
    games = [GameFigures("easy", True, 20, 10, 2) for _ in range(1000)]
    won, _ = report([sums("easy", 1000, 1000)], games).lines.lines
    assert len(won.places) <= POINTS
    assert won.places[-1] == (1000, 20.0)


def test_every_game_is_a_point() -> None:
    """The chart of moves has a point for each game, in its level's group, by result."""
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
@pytest.mark.parametrize("family", all_games())
def test_a_report_without_games_says_so(family: str, language: str) -> None:
    """A report without games says so in every game and language."""
    scene = report_scene(Heading("Ana", family), [], [], say_in(language))
    assert scene.note
    assert scene.bars.empty
    assert scene.lines.empty
    assert scene.scatter.empty


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_report_says_whether_own_moves_got_better(language: str) -> None:
    """A report says whether unaided moves got better, worse, unclear, or that it is too early."""
    say = say_in(language)
    lines = {
        progress_line(Progress(12, 12, change), say)
        for change in (Change(0.08, 0.05, 0.01), Change(0.05, 0.08, 0.01), Change(0.05, 0.04, 0.1))
    }
    assert len(lines) == 3
    for line in lines:
        scene = report([sums("easy", 2, 1)], [], language, line)
        assert scene.note == line
        assert report_lines(Heading("Ana", "connect4"), scene, say).endswith("\n" + line)
    better = progress_line(Progress(12, 12, Change(0.08, 0.052, 0.0111)), say)
    assert [say.number(x, 1) in better for x in (8, 5.2, 2.8, 1.1)] == [True] * 4
    early = progress_line(Progress(3, 14, None), say)
    assert " 14 " in early
    assert early.endswith(" 3.")
