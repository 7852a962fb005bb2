"""Conecta-4 BOOM positions as the kernels' words."""

from __future__ import annotations

import dataclasses

from engine.core.game import Player, replay
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
