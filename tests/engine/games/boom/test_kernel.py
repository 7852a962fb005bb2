"""Conecta-4 BOOM positions as the kernels' words."""

from __future__ import annotations

import dataclasses

import numpy as np

from engine.core.agent import FULL_MARGIN
from engine.core.game import Player, replay
from engine.core.limits import Limit
from engine.core.search import analyse
from engine.core.values import plies_to_end
from engine.games.boom.kernel import load, words_of
from engine.games.boom.rules import Boom, BoomPosition


def test_words_are_the_stones_and_bombs_of_the_mover_and_the_other(
    boom_positions: list[BoomPosition],
) -> None:
    """A position is loaded as the mover's stones, the other's, and the bombs of both alone."""
    for position in boom_positions:
        expected = dict.fromkeys([(p, bomb) for p in Player for bomb in (False, True)], 0)
        for row, cells in enumerate(position.cells()):
            for column, cell in enumerate(cells):
                if cell.owner is not None:
                    bit = 1 << (8 * column + 6 - row)
                    expected[cell.owner, False] |= bit
                    expected[cell.owner, True] |= bit if cell.is_bomb else 0
        mover, other = position.to_move, position.to_move.other
        assert tuple(int(word) for word in words_of(position)) == (
            expected[mover, False],
            expected[other, False],
            expected[mover, True],
            expected[other, True],
        )


def test_nothing_is_left_to_search_after_the_last_movement() -> None:
    """The deepest search ends with movement 200."""
    game = Boom()
    position = replay(game, game.moves("4453"))
    assert isinstance(position, BoomPosition)
    assert load(dataclasses.replace(position, ply=190), 4).deepest == 10


def test_moves_that_lose_have_the_nearest_loss() -> None:
    """A search that ends with a win also knows when the other moves lose, as a deeper one does."""
    game = Boom()
    position = replay(game, game.moves("2733463566336123B7B7673741612"))
    assert isinstance(position, BoomPosition)
    found = analyse(position, Limit(nodes=1_000_000), margin=FULL_MARGIN)
    late = {move: score for move, score in found.scores.items() if score < 0}
    assert late
    for move, score in late.items():
        kernel = load(position, 16)
        kernel.allow(None)
        depth = plies_to_end(score, position.ply)
        assert kernel.score_moves(depth, 0, [move], np.zeros(1, np.uint8)) == {move: score}
