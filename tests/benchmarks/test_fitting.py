"""The program that fits the evaluation of a board to exact results."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.fitting import (
    collected,
    evaluated,
    features,
    predicted,
    quiet_positions,
    regression,
    winner,
    wins_now,
    write_weights,
)
from engine.games.connect4.rules import Connect4
from engine.games.connect4.solver.compiled.rules import FASTEST
from engine.games.connect4.solver.kernel import SolverKernel
from engine.games.connect4.weights import names

GAME = Connect4(7, 7)


def test_positions_are_quiet_and_their_winners_known(tmp_path: Path) -> None:
    """No position has a four to complete; a collection continues from its file."""
    found = list(islice(quiet_positions(GAME, Random(1)), 4))
    assert all(20 <= one.ply <= 26 and not any(wins_now(GAME, one)) for one in found)
    kernel = SolverKernel.alone(GAME, 16, FASTEST)
    assert {winner(kernel, one) for one in found} <= {-1, 0, 1, None}
    file = tmp_path / "positions.txt"
    two = collected(GAME, 2, file, 1)
    assert collected(GAME, 3, file, 1)[:2] == two == collected(GAME, 2, file, 1)


def test_a_regression_finds_what_decides(tmp_path: Path) -> None:
    """The weight of a feature that decides is found and written, and its winners predicted."""
    rng = np.random.default_rng(1)
    values = rng.integers(-3, 4, (400, 3)).astype(np.float64)
    results = (values[:, 1] > 0).astype(np.float64)
    weights = regression(values, results)
    assert weights[1] > 5 * abs(weights[[0, 2]]).max()
    assert predicted(values, results, 1) > 0.8
    every = np.zeros(len(list(names())))
    every[1] = 7.4
    write_weights(tmp_path / "7x7.csv", every, 400)
    assert (tmp_path / "7x7.csv").read_text().splitlines()[1:] == ["counts,weight", "tempo,7"]


def test_features_are_those_of_the_compiled_evaluation() -> None:
    """There is a column for each weight, and a constant one."""
    rows = [(one.first, one.second, 0) for one in islice(quiet_positions(GAME, Random(2)), 2)]
    found = features(GAME, rows)
    assert found.shape == (2, len(list(names())))
    assert (found[:, 0] == 1).all()
    assert evaluated(GAME, rows).shape == (2, 2)
