"""The ladders of strengths: rungs of known rating for every size class."""

from __future__ import annotations

import csv
from itertools import pairwise
from pathlib import Path

import pytest

from engine.core.registry import game_called, game_of, games
from engine.games.connect4.rules import Connect4
from engine.strength.agent import Strength
from engine.strength.ladder import (
    RungAgent,
    is_rung,
    ladder_files,
    ladder_of,
    number_of,
    rung_name,
    size_class,
)
from engine.strength.perfect import Perfect
from engine.strength.roster import LEVELS, own_agents
from tests.builders import ROOT

GAMES = {
    size_class(game_of(key, variant)): f"{key}:{variant}"
    for key, family in games().items()
    for variant in family.variants
}
"""A game on each ladder."""
SLOW_NODES = 50_000
"""Positions per move above which a rung is too slow for many games."""
FEWEST = {"connect4-large": 100}
"""The fewest games of `perfect` where one takes half a minute; elsewhere there are 250."""
NARROW = 400
"""Points between the ends of a ladder up to which neighbours may have equal ratings: such games end
in draws too often for more."""


@pytest.fixture(params=GAMES)
def name(request: pytest.FixtureRequest) -> str:
    """Each ladder in turn."""
    return str(request.param)


def test_every_ladder_has_its_rungs(name: str) -> None:
    """Every ladder has nine rungs or more; those that were added below the first one count down."""
    ladder = ladder_of(game_called(GAMES[name]))
    rungs, first = ladder.rungs, ladder.rungs[0].number
    assert -4 <= first <= 1
    assert [rung.number for rung in rungs] == list(range(first, first + len(rungs)))
    assert [ladder.place_of(rung.number) for rung in rungs] == list(range(len(rungs)))
    assert len(rungs) >= 9


@pytest.mark.parametrize(
    ("name", "medium", "lowest"),
    [
        ("connect4-small", 7, 900),
        ("connect4-classic", 9, 550),
        ("connect4-large", 9, 550),
        ("gato", 6, 1000),
        ("boom", 6, 550),
    ],
)
def test_weak_rungs_overlook_lines_and_never_move_at_random(
    name: str, medium: int, lowest: int
) -> None:
    """Rungs overlook or waste less and less up to medium, and all search at least one ply.

    Medium keeps the number by which stored games know it.
    """
    ladder = ladder_of(game_called(GAMES[name]))
    assert ladder.named("medium").number == medium
    agents = [rung.agent for rung in ladder.rungs if isinstance(rung.agent, Strength)]
    weak, others = agents[: ladder.place_of(medium)], agents[ladder.place_of(medium) :]
    assert all((low.blind, low.timid) > (high.blind, high.timid) for low, high in pairwise(weak))
    assert all(agent.blind > 0 for agent in weak)
    assert not any(agent.timid for agent in agents[ladder.place_of(0) :])
    assert {agent.blind for agent in others} == {0}
    assert all(agent.surely >= 1 for agent in agents)
    assert ladder.rungs[0].elo <= lowest


def test_ratings_rise(name: str) -> None:
    """Each rung is rated above the one below, or the two always draw against each other."""
    rungs = ladder_of(game_called(GAMES[name])).rungs
    steps = [high.elo - low.elo for low, high in pairwise(rungs)]
    assert sum(steps) / len(steps) < 110
    assert min(steps) >= (0 if rungs[-1].elo - rungs[0].elo < NARROW else 20), steps


def test_gaps_between_rungs_are_even_and_measured_in_many_games(name: str) -> None:
    """A gap differs from the mean by at most 30 points and its uncertainty.

    It is measured in 1,500 games, or fewer where moves take long: between the strongest rungs.
    """
    text = (ROOT / "docs" / "ladders" / f"{name}-pairs.csv").read_text(encoding="utf-8")
    gaps = list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
    rungs = ladder_of(game_called(GAMES[name])).rungs
    assert [gap["upper"] for gap in gaps] == [rung.name for rung in rungs[1 : len(gaps) + 1]]
    assert len(gaps) >= min(9, len(rungs) - 1)
    assert [gap["upper"] for gap in gaps if gap["even"] != "yes"] == []
    for gap, (low, high) in zip(gaps, pairwise(rungs), strict=False):
        slow = isinstance(high.agent, Perfect) or (high.agent.nodes or 0) > SLOW_NODES
        slowest = isinstance(high.agent, Perfect) and name in FEWEST
        assert int(gap["games"]) >= (FEWEST[name] if slowest else 250 if slow else 1500)
        assert high.elo - low.elo == pytest.approx(float(gap["gap"]), abs=6), gap


def test_the_table_of_ladders_shows_their_levels(name: str) -> None:
    """The first table of docs/agents.md has each ladder's number of rungs, and ratings by level."""
    text = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith(f"| [{name}]("))
    ladder = ladder_of(game_called(GAMES[name]))
    ratings = [f"{ladder.named(level).elo:.0f}" for level in LEVELS if level != "medium"]
    cells = [cell.strip() for cell in row.split("|")]
    assert cells[-6:-1] == [str(len(ladder.rungs)), *ratings]


def test_named_rungs_are_in_order(name: str) -> None:
    """Every level is a rung, from easy to perfect, and medium is rated 1200."""
    ladder = ladder_of(game_called(GAMES[name]))
    assert [rung.level for rung in ladder.rungs if rung.level] == list(LEVELS)
    assert ladder.named("medium").elo == 1200
    assert isinstance(ladder.rungs[-1].agent, Perfect)
    assert all(isinstance(rung.agent, Strength) for rung in ladder.rungs[:-1])


def test_rungs_are_calibrated(name: str) -> None:
    """Every rating has an error, and every rung has the loss of its moves.

    Those whose evaluation is not the judge's may do without.
    """
    for rung in ladder_of(game_called(GAMES[name])).rungs:
        assert 0 < rung.error < 150
        if rung.loss is None and isinstance(rung.agent, Strength) and rung.agent.fitted:
            continue
        assert rung.loss is not None
        assert rung.trimmed is not None
        assert 0 <= rung.trimmed.mean <= rung.loss.mean <= 0.5


def test_a_ladders_file_holds_its_command(name: str) -> None:
    """The first line of the file is the command that measured the ladder."""
    text = next(p for p in ladder_files() if p.stem == name).read_text(encoding="utf-8")
    assert text.startswith("# python -m benchmarks.ladder_pairs ")


def test_student_agents_are_rated(name: str) -> None:
    """Every agent of a game has a rating on every ladder of the boards that it plays."""
    game = game_called(GAMES[name])
    found = ladder_of(game)
    assert [agent for agent in own_agents(game.key) if found.elo_of(agent) is None] == []


def test_an_unknown_agent_has_no_rating() -> None:
    """An unknown agent has no rating and is not a rung."""
    ladder = ladder_of(Connect4())
    assert ladder.elo_of("nobody") is None
    with pytest.raises(KeyError):
        ladder.named("nobody")


def test_rungs_are_found_by_level_and_number() -> None:
    """A rung with a level is found by the level and by its number."""
    ladder = ladder_of(Connect4())
    medium = ladder.named("medium")
    assert ladder.named(f"rung-{medium.number}") is medium
    assert ladder.elo_of(f"rung-{medium.number}") == 1200
    assert RungAgent("medium").name == "medium"


def test_numbers_are_read_from_names_of_rungs_only() -> None:
    """A numbered rung's name gives its number; levels and other agents give None."""
    assert [number_of(rung_name(n)) for n in (-1, 0, 7, 18)] == [-1, 0, 7, 18]
    for name in ("", "rung-", "rung--", "rung-x", "rung-1x", "easy", "window-2"):
        assert not is_rung(name)
        assert number_of(name) is None
    assert is_rung(rung_name(3))


def test_a_ladder_has_a_nearest_rung_for_every_name() -> None:
    """Numbers are clipped to the ladder's ends; any other unknown name gives medium."""
    ladder = ladder_of(Connect4())
    assert ladder.nearest("rung-99") is ladder.rungs[-1]
    assert ladder.nearest("rung--9") is ladder.rungs[0]
    assert ladder.nearest("rung-2") is ladder.rungs[ladder.place_of(2)]
    small = ladder_of(Connect4(5, 4))
    assert small.nearest("rung--3") is small.named("rung--2")
    assert small.nearest("rung-2") is small.named("rung-2")
    assert ladder.nearest("hard") is ladder.named("hard")
    assert ladder.nearest("nobody") is ladder.named("medium")


def test_rungs_count_as_the_nearest_level() -> None:
    """A rung counts as the level nearest by rating; other agents count as themselves."""
    ladder = ladder_of(Connect4())
    assert ladder.level_of("rung-1") == "easy"
    assert ladder.level_of("rung-99") == "perfect"
    assert ladder.level_of("elo-1190") == "medium"
    assert ladder.level_of("window-6") == "window-6"
    medium = ladder.named("medium")
    assert ladder.level_of(rung_name(medium.number)) == "medium"


@pytest.mark.parametrize("family", games())
def test_every_variant_has_a_ladder(family: str) -> None:
    """Every variant of every game has a readable ladder."""
    for variant in games()[family].variants:
        assert ladder_of(game_of(family, variant)).rungs


@pytest.mark.parametrize(
    ("size", "ladder"),
    [
        ("4x4", "connect4-small"),
        ("5x5", "connect4-small"),
        ("5x6", "connect4-classic"),
        ("6x8", "connect4-classic"),
        ("7x7", "connect4-large"),
        ("8x8", "connect4-large"),
    ],
)
def test_size_classes_depend_on_the_number_of_squares(size: str, ladder: str) -> None:
    """Up to 25 squares a board is small, up to 48 classic, and beyond that large."""
    assert size_class(Connect4.from_variant(size)) == ladder


def test_every_file_belongs_to_a_ladder() -> None:
    """Every file belongs to the ladder of some game."""
    assert {Path(path).stem for path in ladder_files()} == set(GAMES)
