"""Compiled counting of Conecta-4 BOOM sequences near the last movement."""

from __future__ import annotations

import dataclasses

import pytest

from engine.core.game import replay
from engine.games.boom.kernel import count_sequences
from engine.games.boom.rules import Boom, BoomPosition
from tests.engine.games.conformance.plain import count_plainly


@pytest.mark.parametrize("ply", [196, 197, 198, 199])
def test_nothing_is_counted_beyond_the_last_movement(ply: int) -> None:
    """No sequence is longer than 200 movements."""
    game = Boom()
    start = replay(game, game.moves("4453"))
    assert isinstance(start, BoomPosition)
    position = dataclasses.replace(start, ply=ply)
    for depth in range(1, 200 - ply + 1):
        assert count_sequences(position, depth) == count_plainly(position, depth) > 0
    assert count_sequences(position, 200 - ply + 1) == 0


def test_counts_of_recorded_games_are_those_of_the_plain_rules(
    boom_positions: list[BoomPosition],
) -> None:
    """From recorded positions, which have many bombs, there are as many as by the plain rules."""
    for position in boom_positions[::24]:
        assert count_sequences(position, 2) == count_plainly(position, 2)
