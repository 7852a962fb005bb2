"""Agents are rated against rungs with fixed ratings."""

from __future__ import annotations

import pytest

from benchmarks.seeds import against_rungs, rated
from engine.games.connect4.rules import Connect4
from engine.strength.elo import expected


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
    played = against_rungs(Connect4(), "greedy", "rung-1", 2, seed=1)
    pairs = {(game.pairing.first, game.pairing.second) for game in played}
    assert pairs == {
        *(("greedy", "rung-0"), ("rung-0", "greedy")),
        *(("greedy", "rung-1"), ("rung-1", "greedy")),
    }
