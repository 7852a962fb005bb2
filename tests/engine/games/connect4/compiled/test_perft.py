"""Compiled counting of move sequences."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.game import Game, Position, replay
from engine.games.connect4.kernel import count_sequences
from engine.games.connect4.rules import Connect4

SIZES = [Connect4.from_variant(size) for size in Connect4.SIZES]


def sequences(position: Position, depth: int) -> int:
    """Count by playing every sequence with the plain rules."""
    if depth == 0:
        return 1
    return sum(sequences(position.play(move), depth - 1) for move in position.legal_moves())


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(SIZES), st.integers(0, 2**32), st.integers(0, 60), st.integers(0, 4))
def test_counts_from_any_position_are_those_of_the_plain_rules(
    wander: Callable[[Game, Random, int], Position],
    game: Connect4,
    seed: int,
    moves: int,
    depth: int,
) -> None:
    """From any position there are as many sequences of moves as by the plain rules."""
    position = wander(game, Random(seed), moves)
    assert count_sequences(position, depth) == sequences(position, depth)


@pytest.mark.parametrize("moves", ["1212121", "1113233214423442"])
def test_a_finished_game_has_only_the_empty_sequence(moves: str) -> None:
    """From a finished game there is one sequence of no moves and none of any other length."""
    game = Connect4(4, 4)
    position = replay(game, game.moves(moves))
    assert position.outcome is not None
    assert [count_sequences(position, depth) for depth in range(4)] == [1, 0, 0, 0]
