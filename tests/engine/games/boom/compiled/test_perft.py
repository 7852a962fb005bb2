"""Compiled counting of Conecta-4 BOOM sequences."""

from __future__ import annotations

import dataclasses

import pytest

from engine.core.game import Position, replay
from engine.games.boom.kernel import count_sequences
from engine.games.boom.rules import Boom, BoomPosition


def sequences(position: Position, depth: int) -> int:
    """Count by playing every sequence with the plain rules."""
    if depth == 0:
        return 1
    return sum(sequences(position.play(move), depth - 1) for move in position.legal_moves())


def test_counts_are_as_known(
    boom_counts: list[tuple[BoomPosition, int, tuple[int, int, int]]],
) -> None:
    """At each known depth there are as many sequences as in the simulator."""
    for position, depth, (expected, _, _) in boom_counts:
        assert count_sequences(position, depth) == expected


def test_counts_from_any_position_are_those_of_the_plain_rules(
    boom_positions: list[BoomPosition],
) -> None:
    """From recorded positions there are as many sequences as by the plain rules."""
    for position in boom_positions[::12]:
        assert count_sequences(position, 2) == sequences(position, 2)
    for position in boom_positions[::90]:
        assert count_sequences(position, 3) == sequences(position, 3)


@pytest.mark.parametrize("ply", [196, 197, 198, 199])
def test_nothing_is_counted_beyond_the_last_movement(ply: int) -> None:
    """No sequence is longer than 200 movements."""
    game = Boom()
    start = replay(game, game.moves("4453"))
    assert isinstance(start, BoomPosition)
    position = dataclasses.replace(start, ply=ply)
    for depth in range(1, 200 - ply + 1):
        assert count_sequences(position, depth) == sequences(position, depth) > 0
    assert count_sequences(position, 200 - ply + 1) == 0


def test_a_finished_game_has_only_the_empty_sequence() -> None:
    """From a finished game there is one sequence of no moves and none of any other length."""
    game = Boom()
    over = replay(game, game.moves("37342225"))
    assert isinstance(over, BoomPosition)
    assert [count_sequences(over, depth) for depth in range(3)] == [1, 0, 0]
