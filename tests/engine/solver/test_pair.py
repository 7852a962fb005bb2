"""Two threads on one position."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from engine.connect4 import Connect4
from engine.solver.pair import PairSolver

DATA = Path(__file__).parent / "data" / "exact_scores.csv"
CLASSIC = Connect4()


@pytest.mark.parametrize("table_bits", [1, 6, 16])
def test_two_threads_find_the_known_scores(table_bits: int) -> None:
    """Scores are exact, in a tiny table too, where both threads write in the same buckets."""
    solver = PairSolver(CLASSIC, table_bits)
    lines = (line for line in DATA.read_text("utf-8").splitlines() if not line.startswith("#"))
    for row in list(csv.DictReader(lines))[::3]:
        position = CLASSIC.start()
        for move in CLASSIC.moves(row["moves"]):
            position = position.play(move)
        if position.ply >= 15:
            assert solver.solve(position).score == int(row["score"])


def test_a_table_is_kept_until_it_is_cleared() -> None:
    """Asked again, a pair knows; after it has forgotten all, it has to search again."""
    game = Connect4(5, 6)
    solver = PairSolver(game, 18)
    assert solver.solve(game.start()).score == 0
    assert solver.solve(game.start()).nodes < 10
    solver.clear()
    assert solver.solve(game.start()).nodes > 1_000
