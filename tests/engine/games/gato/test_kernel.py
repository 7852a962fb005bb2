"""Positions of Gato as the kernels' words."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from engine.core.game import Game, Position
from engine.games.gato.kernel import words_of
from engine.games.gato.rules import Gato, GatoPosition


@given(st.integers(0, 2**32), st.integers(0, 15))
def test_words_are_the_movers_stones_and_the_others(
    random_position: Callable[[Game, Random, int], Position], seed: int, moves: int
) -> None:
    """A position is loaded as the mover's stones and the other's."""
    position = random_position(Gato(), Random(seed), moves)
    assert isinstance(position, GatoPosition)
    own, opp = (int(word) for word in words_of(position))
    stones = (position.first, position.second)
    assert (own, opp) == (stones if position.ply % 2 == 0 else stones[::-1])
