"""Agents are rated against rungs with fixed ratings."""

from __future__ import annotations

import pytest

from benchmarks.seeds import (
    Rated,
    against_rungs,
    rated,
    rating_of,
    strongest_quick,
    table_of,
    with_ratings,
)
from engine.games.connect4.rules import Connect4
from engine.strength.elo import expected
from engine.strength.ladder import ladder_of


def test_a_rating_explains_results_against_many() -> None:
    """Expected results of a rating give that rating."""
    games = []
    for opponent in (700, 900, 1100):
        won = round(1000 * float(expected(950 - opponent)))
        games += [(opponent, 1.0)] * won + [(opponent, 0.0)] * (1000 - won)
    elo, error = rated(games)
    assert elo == pytest.approx(950, abs=1)
    assert error < 15


def test_an_agent_meets_the_lower_rungs() -> None:
    """An agent meets each rung up to the named one, half of the games from each seat."""
    played = against_rungs(Connect4(), "greedy", "rung--1", 2, seed=1)
    pairs = {(game.pairing.first, game.pairing.second) for game in played}
    assert pairs == {
        *(("greedy", "rung--2"), ("rung--2", "greedy")),
        *(("greedy", "rung--1"), ("rung--1", "greedy")),
    }
    known = rating_of("greedy", ladder_of(Connect4()), played, 2)
    assert (known.agent, known.games, list(known.scores)) == ("greedy", 4, [-2, -1])


def test_quick_rungs_are_met_by_default() -> None:
    """By default an agent meets rungs that search thousands of nodes at most."""
    ladder = ladder_of(Connect4())
    upto = ladder.named(strongest_quick(ladder))
    assert ladder.named("medium").elo < upto.elo < ladder.named("hard").elo


def test_ratings_are_written_with_their_command() -> None:
    """New ratings replace those of the same agents; others stay, with their commands."""
    lines = [
        "# python -m engine tournament",
        "# Agents that are not rungs, 20 games each against rungs with fixed ratings:",
        "# python -m benchmarks.seeds --games 2",
        "# head start at medium, and by Elo point: 1 2",
        "number,level",
        "1,easy",
        ",greedy,800,40,,,",
        ",window-2,900,40,,,",
    ]
    some = with_ratings(lines, [RATED], "# python -m benchmarks.seeds greedy")
    assert some[1:3] == lines[1:3]
    assert some[4] == "# python -m benchmarks.seeds greedy"
    assert some[5] == lines[3]
    assert [line[:16] for line in some[-2:]] == [",window-2,900,40", ",greedy,950,20,,"]
    every = with_ratings(some[:-2] + some[-1:], [RATED], "# python -m benchmarks.seeds new")
    assert [line for line in every if "seeds" in line] == ["# python -m benchmarks.seeds new"]
    assert [line for line in every if "not rungs" in line] == [
        "# Agents that are not rungs, 60 games each against rungs with fixed ratings:"
    ]


def test_scores_are_a_table_of_rungs() -> None:
    """Rows of other agents stay if they have the same columns."""
    rows = {"agent": "agent,0,1", "window-2": "window-2,5,6", "greedy": "greedy,1,1"}
    assert table_of(rows, [RATED])[2:] == ["agent,0,1", "greedy,50,25", "window-2,5,6"]
    rows["agent"] = "agent,0,1,2"
    assert table_of(rows, [RATED])[2:] == ["agent,0,1", "greedy,50,25"]


RATED = Rated("greedy", 950.2, 20.4, 60, {0: 0.5, 1: 0.25})
