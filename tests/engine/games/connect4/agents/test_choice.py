"""How agents choose among moves by their values."""

from __future__ import annotations

from random import Random
from time import perf_counter

import pytest

from engine.core.agent import (
    choose_uniformly,
    draw_move,
    highest,
    require_depth,
    right_biased,
    uniform,
)
from engine.core.game import Move, replay
from engine.games.connect4.rules import Connect4


def test_equal_scores_are_chosen_among_and_lower_ones_never() -> None:
    """The choice is uniform among the highest scores."""
    position, scores = Connect4().start(), {Move(1): 5, Move(2): 4, Move(4): 5}
    rng, seen = Random(2), []
    for _ in range(1000):
        result = choose_uniformly(scores, position, depth=2, nodes=9, began=perf_counter(), rng=rng)
        seen.append(result.move)
        assert (result.score.points, result.depth, result.nodes) == (5, 2, 9)
    assert set(seen) == {1, 4}
    assert abs(seen.count(Move(1)) - 500) < 60


def test_without_any_score_a_legal_move_is_given() -> None:
    """A search that was cut short before its first score still gives a move."""
    game = Connect4(4, 4)
    position = replay(game, game.moves("1111"))
    result = choose_uniformly({}, position, depth=0, nodes=1, began=perf_counter(), rng=Random(1))
    assert result.move in position.legal_moves()
    assert (result.score.points, result.depth) == (0, 0)


def test_the_highest_values_are_found_in_order() -> None:
    """All moves with the highest value are returned in the order of the mapping."""
    assert highest({Move(3): 1, Move(1): 2, Move(0): 2}) == (1, 0)
    assert highest({}) == ()


def test_probabilities_are_uniform_or_right_biased() -> None:
    """Uniform probabilities are equal; right-biased ones halve from right to left.

    The two leftmost moves share the remainder equally.
    """
    moves = (Move(1), Move(4), Move(6))
    assert uniform(moves) == {1: 1 / 3, 4: 1 / 3, 6: 1 / 3}
    assert right_biased(moves) == {1: 1 / 4, 4: 1 / 4, 6: 1 / 2}
    assert right_biased(moves[:1]) == uniform(moves[:1]) == {1: 1}
    assert right_biased(()) == uniform(()) == {}


def test_moves_are_drawn_by_their_probabilities() -> None:
    """Each move is drawn as often as its probability says; a single one needs no draw."""
    rng = Random(3)
    drawings = [draw_move({Move(0): 0.25, Move(5): 0.75}, rng) for _ in range(1000)]
    assert abs(drawings.count(Move(5)) - 750) < 60
    before = rng.getstate()
    assert draw_move({Move(2): 1.0}, rng) == 2
    assert rng.getstate() == before


@pytest.mark.parametrize("depth", [0, -1])
def test_a_depth_below_one_is_refused(depth: int) -> None:
    """A depth below one ply raises ValueError."""
    require_depth(1)
    with pytest.raises(ValueError, match="at least 1"):
        require_depth(depth)
