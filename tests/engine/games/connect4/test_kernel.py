"""Positions as the kernels' words, and the evaluation with which they are loaded."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.game import Game, Position, replay
from engine.core.kernel import KernelKind
from engine.core.limits import Limit
from engine.core.search import analyse
from engine.games.connect4.kernel import words_of
from engine.games.connect4.rules import Connect4
from engine.strength.judging import FULL_MARGIN
from tests.builders import SIZES
from tests.engine.games.conformance.plain import check_scores, walk
from tests.engine.games.connect4.reference import settled_by_weights


@given(st.sampled_from(SIZES), st.integers(0, 2**32), st.integers(0, 64))
def test_words_are_the_movers_stones_and_the_heights(
    random_position: Callable[[Game, Random, int], Position], game: Connect4, seed: int, moves: int
) -> None:
    """A position is loaded as the mover's stones, the other's, and heights of four bits each."""
    position = random_position(game, Random(seed), moves)
    own, opp, heights = (int(word) for word in words_of(position))
    stones = (position.first, position.second)
    assert (own, opp) == (stones if position.ply % 2 == 0 else stones[::-1])
    cells = position.cells()
    for column in range(8):
        standing = [row[column] for row in cells if column < game.columns and row[column].owner]
        assert heights >> 4 * column & 0xF == len(standing)


def test_full_columns_of_eight_keep_their_height() -> None:
    """On the largest board, full columns do not spill into the height of the next."""
    game = Connect4(8, 8)
    position = replay(game, game.moves("1" * 8 + "2" * 8 + "8" * 8))
    _, _, heights = words_of(position)
    assert int(heights) == 0x80000088


@pytest.mark.parametrize(("size", "differs"), [("6x7", False), ("8x6", False), ("8x8", True)])
def test_some_large_boards_have_a_fitted_evaluation(size: str, differs: bool) -> None:
    """With the fitted evaluation scores differ where there is one, and are the same elsewhere."""
    game = Connect4.from_variant(size)
    position, limit = replay(game, game.moves("4435")), Limit(depth=6)
    usual = analyse(position, limit, margin=FULL_MARGIN)
    fitted = analyse(position, limit, margin=FULL_MARGIN, kind=KernelKind.FITTED)
    assert (fitted.scores != usual.scores) is differs


@pytest.mark.parametrize("size", ["7x7", "7x8", "8x8"])
def test_a_fitted_search_values_every_line_at_its_end(size: str) -> None:
    """What a search adds for each disc comes to the fitted evaluation of its last position."""
    game, rng = Connect4.from_variant(size), Random(size)
    for number in range(6):
        position, _ = walk(game, rng, 8 * number)
        check_scores(position, 3, settled_by_weights, rng, KernelKind.FITTED)
