"""Fitting habits to moves: the optimum, the prior, and what is left out."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from engine.core.game import replay
from engine.core.registry import game_called, package_of
from engine.strength.habit_fit import PlayedMove, Sample, fit, samples_of, surprise
from engine.strength.habits import FEATURES, Habits
from engine.strength.opponent import RatedOpponent
from tests.engine.threat_checks import random_game

NONE = Habits((0.0,) * len(FEATURES))
MADE_UP = Habits((-0.4, -0.8, 0.0, 0.0, 0.0, 0.0, 1.2))
"""A player who likes the middle and errs more often than their rung."""
ELO = 1000.0


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    """Moves of a player with those habits, in random positions."""
    game, rng, made = game_called("5x4"), Random(5), list[PlayedMove]()
    replies = RatedOpponent(ELO, MADE_UP).replies(game)
    while len(made) < 350:
        position = replay(game, random_game(game, rng))
        solver = package_of(game).solver(game)
        verdict = None if solver is None else solver.winners(position)
        assert verdict is not None
        best = [move for move, share in verdict.items() if share == max(verdict.values())]
        chances = replies.chances(position, best)
        (move,) = rng.choices(list(chances), list(chances.values()))
        made.append(PlayedMove(position, move, ELO))
    return samples_of(made)


def test_habits_are_found_again(samples: list[Sample]) -> None:
    """From a player's moves the fit finds their habits, which predict better than the rung."""
    found = dict(zip(FEATURES, fit(samples).weights, strict=True))
    assert found["middle"] == pytest.approx(1.2, abs=0.5)
    assert found["keeps"] == pytest.approx(-0.8, abs=0.5)
    assert found["sharpness"] < -0.1
    others, own = samples[::2], samples[1::2]
    assert surprise(others, fit(own)) < surprise(others, NONE)


def test_a_fit_is_the_optimum(samples: list[Sample]) -> None:
    """No neighbouring weights are likelier, prior included."""
    best = np.array(fit(samples).weights)

    def cost(weights: np.ndarray) -> float:
        model = Habits(tuple(map(float, weights)))
        return surprise(samples, model) * len(samples) + float(weights @ weights) / (2 * 0.5**2)

    for index in range(len(FEATURES)):
        for step in (-0.02, 0.02):
            other = best.copy()
            other[index] += step
            assert cost(other) > cost(best)


def test_few_moves_leave_the_rungs_as_they_are(samples: list[Sample]) -> None:
    """Without moves all weights are 0, and a few change less than many."""
    assert fit([]) == NONE
    few, many = (np.abs(fit(samples[:n]).weights).sum() for n in (10, len(samples)))
    assert few < many


def test_moves_without_a_choice_are_left_out() -> None:
    """A position with one legal move says nothing."""
    game, rng = game_called("5x4"), Random(1)
    start = game.start()
    assert len(samples_of([PlayedMove(start, game.parse("2"))])) == 1
    position = start
    while len(position.legal_moves()) > 1:
        position = replay(game, random_game(game, rng))
    assert samples_of([PlayedMove(position, position.legal_moves()[0])]) == []
