"""The content of reports."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.statistics.cards import progress_line
from bot.features.statistics.lists import MAX_LEVELS, Heading, report_scene
from bot.features.statistics.rules import Change, Coverage, Progress
from bot.features.statistics.store import LevelFigures
from bot.i18n import say_in
from bot.ratings.levels import class_of
from engine.core.registry import game_of
from engine.strength.ladder import ladder_of
from engine.strength.roster import agents_for
from renderers import Face, Figure

LADDER = ladder_of(game_of("connect4", "6x7"))
NOW = 1_790_000_000.0
HEADING = Heading("Ana", "connect4", Coverage(None, NOW), 7, NOW)
ENGLISH = say_in("en")


def sums(agent: str, games: int, won: int, drawn: int = 0, *, auto: bool = False) -> LevelFigures:
    """The results against an agent on 6x7."""
    return LevelFigures(agent, games, won, drawn, auto=auto, variant="6x7")


def test_auto_comes_first_and_levels_in_order() -> None:
    """`auto` is listed at the mean strength met, over all rungs and levels that it used."""
    rungs = LADDER.rungs[3], LADDER.rungs[4]
    scene = report_scene(
        HEADING,
        [
            sums("hard", 2, 1),
            sums(rungs[0].name, 3, 3, auto=True),
            sums("easy", 1, 0),
            sums(rungs[1].name, 1, 0, auto=True),
            sums("greedy", 1, 0),
            sums("rung-99", 1, 0),
        ],
        ENGLISH,
    )
    met = f"auto (~{round((3 * rungs[0].elo + rungs[1].elo) / 40) * 10})"
    assert [level.name for level in scene.levels] == [met, "easy", "hard", "greedy", "rung-99"]
    assert scene.levels[0].counts == (3, 0, 1)


def test_strengths_of_different_ladders_are_not_averaged() -> None:
    """Over boards of different ladders `auto` has no strength, but over boards of one it has."""
    rung = LADDER.rungs[3]
    met = [LevelFigures(rung.name, 2, 1, 0, auto=True, variant=name) for name in ("6x7", "6x6")]
    scene = report_scene(HEADING, met, ENGLISH)
    assert [level.name for level in scene.levels] == [f"auto (~{round(rung.elo / 10) * 10})"]
    small = LevelFigures(rung.name, 9, 1, 0, auto=True, variant="5x4")
    scene = report_scene(HEADING, [*met, small], ENGLISH)
    assert [(level.name, sum(level.counts)) for level in scene.levels] == [("auto", 13)]


@pytest.mark.parametrize("language", ["en", "es"])
def test_agents_with_similar_names_are_distinguished(language: str) -> None:
    """Similar agents have distinct short names."""
    agents = [name for name in agents_for("connect4") if "-" in name]
    assert len(agents) > 6
    for some in (agents[:6], agents[-6:]):
        scene = report_scene(HEADING, [sums(agent, 2, 1) for agent in some], say_in(language))
        assert len({level.name for level in scene.levels}) == len(some)


def test_a_report_has_one_number_and_a_bar_for_each_level() -> None:
    """The share of games won is the number; each level has its results and share."""
    scene = report_scene(HEADING, [sums("easy", 4, 3), sums("hard", 4, 0, 1)], ENGLISH)
    assert scene.number == Figure("of games won", "38%")
    assert [(level.counts, level.text) for level in scene.levels] == [
        ((3, 0, 1), "75%"),
        ((0, 1, 3), "0%"),
    ]
    assert scene.tally.texts == ("3 wins", "1 draw", "4 losses")
    assert scene.footer == "8 games since September 21"
    assert scene.face == Face("Ana", 7)


def test_a_report_says_what_it_covers() -> None:
    """A report names an unusual size class; a server's has no face."""
    size = class_of("connect4", "8x8")
    heading = replace(HEADING, coverage=Coverage(size, NOW), face=None)
    scene = report_scene(heading, [sums("easy", 1, 0)], say_in("es"))
    assert scene.subtitle == "Conecta 4 (grande) contra Cuatro"
    assert scene.footer == "1 partida desde el 21 de septiembre"
    assert scene.face is None


def test_a_report_shows_the_levels_that_are_played_most() -> None:
    """With many kinds of opponents the most frequent are shown, and the sums count all."""
    agents = ("easy", "medium", "hard", "expert", "perfect", "greedy", "lines")
    scene = report_scene(
        HEADING, [sums(agent, 9 - n, 0) for n, agent in enumerate(agents)], ENGLISH
    )
    assert len(scene.levels) == MAX_LEVELS
    assert "lines" not in {level.name for level in scene.levels}
    assert scene.tally.counts == (0, 0, 42)


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_report_says_whether_own_moves_got_better(language: str) -> None:
    """A report says whether unaided moves got better, worse, unclear, or that it is too early."""
    say = say_in(language)
    lines = {
        progress_line(Progress(12, 12, change), say)
        for change in (Change(0.08, 0.05, 0.01), Change(0.05, 0.08, 0.01), Change(0.05, 0.04, 0.1))
    }
    assert len(lines) == 3
    better = progress_line(Progress(12, 12, Change(0.08, 0.052, 0.0111)), say)
    assert all(say.number(share, 1) in better for share in (8, 5.2))
    early = progress_line(Progress(3, 14, None), say)
    assert " 10 " in early
