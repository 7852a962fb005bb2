"""The styles of simulated players."""

from __future__ import annotations

from collections import Counter
from random import Random

from benchmarks.adaptive_types import Careless
from engine.connect4 import Connect4
from engine.game import replay


def test_who_is_careless_overlooks_far_plies_first_and_sometimes_all() -> None:
    """Each ply is overlooked by the same chance; who overlooks all of them moves at random."""
    agent, rng, game = Careless("half", 2, 0, 0.5), Random(8), Connect4(4, 5)
    start = game.start()
    depths = Counter(agent.choose(start, rng=rng).depth for _ in range(2000))
    assert depths.keys() == {0, 1, 2}
    assert abs(depths[2] - 1000) < 100
    assert abs(depths[1] - 500) < 80
    blind = Careless("blind", 2, 0, 1.0)
    position = replay(game, game.moves("1111"))
    moves = Counter(blind.choose(position, rng=rng).move for _ in range(2000))
    assert moves.keys() == {1, 2, 3, 4}
    assert all(abs(count - 500) < 80 for count in moves.values())
