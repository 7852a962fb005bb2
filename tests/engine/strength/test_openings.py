"""Random openings of series of games."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.game import replay
from engine.core.registry import game_called
from engine.strength.openings import OPENING_PLIES, opening_of, random_opening


@pytest.mark.parametrize("text", ["6x7", "5x4", "4x4", "gato", "boom"])
def test_openings_differ_and_can_be_repeated(text: str) -> None:
    """The openings of a series lead to different running positions, each by its number again."""
    game = game_called(text)
    openings = [opening_of(game, 3, number) for number in range(20)]
    assert openings == [opening_of(game, 3, number) for number in range(20)]
    assert openings != [opening_of(game, 4, number) for number in range(20)]
    positions = [replay(game, list(made)) for made in openings]
    assert all(position.outcome is None for position in positions)
    assert len({tuple(map(tuple, position.cells())) for position in positions}) == 20
    assert all(OPENING_PLIES <= len(made) <= OPENING_PLIES + 1 for made in openings)


@pytest.mark.parametrize("text", ["6x7", "gato", "boom"])
def test_an_opening_ends_with_a_turn(text: str) -> None:
    """Openings have whole turns, also where a turn has two moves."""
    game = game_called(text)
    for number in range(10):
        made = list(opening_of(game, 5, number))
        before, after = replay(game, made[:-1]), replay(game, made)
        assert before.to_move is not after.to_move


def test_a_random_opening_has_its_length() -> None:
    """The random starts of tournaments have exactly the number of moves that is asked for."""
    game = game_called("boom")
    assert [len(random_opening(game, Random(1), plies)) for plies in (0, 2, 3)] == [0, 2, 3]
