"""Compiled counting of Gato's move sequences."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cli.main import count_by_depth
from engine.core.game import Game, Position, replay
from engine.games.gato.kernel import count_sequences
from engine.games.gato.rules import Gato


def sequences(position: Position, depth: int) -> int:
    """Count by playing every sequence with the plain rules."""
    if depth == 0:
        return 1
    return sum(sequences(position.play(move), depth - 1) for move in position.legal_moves())


def test_counts_are_as_known(gato_counts: list[dict[str, int]]) -> None:
    """At each depth there are exactly as many move sequences as enumeration finds."""
    expected = [(depth, gato_counts[depth]["sequences"]) for depth in range(11)]
    assert list(count_by_depth(Gato().start(), 10)) == expected


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32), st.integers(0, 15), st.integers(0, 3))
def test_counts_from_any_position_are_those_of_the_plain_rules(
    wander: Callable[[Game, Random, int], Position], seed: int, moves: int, depth: int
) -> None:
    """From any position there are as many sequences of moves as by the plain rules."""
    position = wander(Gato(), Random(seed), moves)
    assert isinstance(position.game, Gato)
    assert count_sequences(position, depth) == sequences(position, depth)  # type: ignore[arg-type]


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32), st.integers(9, 15), st.integers(4, 8))
def test_counts_run_to_the_end_of_the_game(
    wander: Callable[[Game, Random, int], Position], seed: int, moves: int, depth: int
) -> None:
    """Late positions are counted to the last square, and nothing beyond it."""
    position = wander(Gato(), Random(seed), moves)
    assert count_sequences(position, depth) == sequences(position, depth)  # type: ignore[arg-type]


@pytest.mark.parametrize("moves", ["a1a2b1b2c1c2d1", "b4b1c2c1c4c3a1b2d2a4d1d3b3d4a3a2"])
def test_a_finished_game_has_only_the_empty_sequence(moves: str) -> None:
    """From a finished game there is one sequence of no moves and none of any other length."""
    game = Gato()
    position = replay(game, game.moves(moves))
    assert position.outcome is not None
    counts = [count_sequences(position, depth) for depth in range(4)]  # type: ignore[arg-type]
    assert counts == [1, 0, 0, 0]
