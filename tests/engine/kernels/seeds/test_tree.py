"""Runs of stones and the tree that is valued by them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.connect4 import Connect4, Connect4Position, bit_of
from engine.game import Game, Player, Position, replay
from engine.kernels.connect4.kernel import words_of
from engine.kernels.connect4.memory import ABORTED, NODES, new_memory
from engine.kernels.scores import UNKNOWN
from engine.kernels.seeds.tree import contiguity, grow

SIZES = [Connect4.from_variant(size) for size in Connect4.SIZES]
Wander = Callable[[Game, Random, int], Position]


@pytest.mark.parametrize(
    ("stone", "others", "expected"),
    [
        pytest.param((0, 0), [], 1 + 1 + 1 + 1, id="alone"),
        pytest.param((0, 0), [(2, 0)], 1 + 1 + 1 + 1, id="a gap is no run"),
        pytest.param((3, 0), [(1, 0), (2, 0)], 9 + 1 + 1 + 1, id="three across"),
        pytest.param((3, 3), [(3, 2), (3, 1), (3, 0)], 13 + 1 + 1 + 1, id="four up"),
        pytest.param((2, 0), [(1, 0), (3, 0), (4, 0)], 13 + 1 + 1 + 1, id="joined: four across"),
        pytest.param((3, 0), [(c, 0) for c in (0, 1, 2, 4, 5, 6)], 25 + 3, id="seven across"),
        pytest.param((2, 2), [(1, 1), (3, 3), (1, 3)], 9 + 5 + 1 + 1, id="both diagonals"),
        pytest.param((1, 0), [(0, 7)], 1 + 1 + 1 + 1, id="no run over the top edge"),
        pytest.param((1, 7), [(2, 0), (0, 0), (3, 0)], 1 + 1 + 1 + 1, id="nor along diagonals"),
    ],
)
def test_contiguity_by_hand(
    stone: tuple[int, int], others: list[tuple[int, int]], expected: int
) -> None:
    """The runs through a stone count 1, 5, 9, 13... and are summed over four directions."""
    one = bit_of(*stone)
    word = one | sum(bit_of(*other) for other in others)
    assert contiguity(np.uint64(word), np.uint64(one)) == expected


def tree(position: Connect4Position, height: int) -> tuple[dict[int, int], int, int]:
    """The compiled values of all moves, how many levels the tree has and how many nodes."""
    game = position.game
    own, opp, _ = words_of(position)
    scores = np.full(game.columns, UNKNOWN, np.int64)
    memory = new_memory(game.rows, game.columns, 0)
    nodes = np.zeros((1 + sum(8**n for n in range(1, height + 1)), 4), np.uint64)
    levels = grow(own, opp, height, scores, nodes, memory, np.zeros(1, np.uint8))
    values = {column: int(score) for column, score in enumerate(scores) if score != UNKNOWN}
    return values, int(levels), int(memory[NODES])


def run(stones: int, game: Connect4, column: int, height: int, right: int, up: int) -> int:
    """How many stones follow a square without a gap in one direction."""
    column, height, length = column + right, height + up, 0
    while 0 <= column < game.columns and 0 <= height < game.rows:
        if not stones & bit_of(column, height):
            break
        column, height, length = column + right, height + up, length + 1
    return length


def plain(position: Connect4Position, move: int, height: int) -> tuple[Fraction, int]:
    """A move's value in a tree of a given height, in exact fractions, and its number of nodes."""
    game, stone_height = position.game, position.height(move)
    after = position.play(move)
    stones = after.first if position.to_move is Player.FIRST else after.second
    value = Fraction(0)
    for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
        forth = run(stones, game, move, stone_height, right, up)
        back = run(stones, game, move, stone_height, -right, -up)
        value += 1 + 4 * (forth + back)
    nodes = 1
    if height > 1:
        for reply in after.legal_moves():
            below, count = plain(after, reply, height - 1)
            value -= below / 5
            nodes += count
    return value, nodes


@settings(deadline=None, max_examples=80)
@given(st.sampled_from(SIZES), st.integers(0, 2**32), st.integers(0, 60), st.integers(1, 3))
def test_values_are_those_of_a_plain_recursion(
    wander: Wander, game: Connect4, seed: int, moves: int, height: int
) -> None:
    """On random positions of every size, the tree has the nodes and values of its definition."""
    position = wander(game, Random(seed), moves)
    values, _, nodes = tree(position, height)
    by_move = {int(move): plain(position, move, height) for move in position.legal_moves()}
    assert values == {move: value * 5 ** (height - 1) for move, (value, _) in by_move.items()}
    assert nodes == sum(count for _, count in by_move.values())


def test_a_tree_by_hand() -> None:
    """Values are taken up the tree by fifths, and a node that made four has no children."""
    game = Connect4(4, 4)
    position = replay(game, game.moves("1422324412413"))
    assert ["".join(row) for row in position.cells()] == [".2.1", "22.2", "1211", "1112"]
    # Column 3 makes four across (13) with runs of 1 up, 2 along either diagonal (5 and 5): 24.
    # Column 1 has runs of 2 across (5), 2 up (5), 1 and 2 (1 and 5): 16. Then column 3 for the
    # first player has 1 across, 3 up (9), 2 and 2 (5 and 5): 20. Then column 3 again, the last
    # square, has 3 across (9), 1 up, 2 and 2 (5 and 5): 20. So column 1 is worth
    # 16 - (20 - 20 / 5) / 5 = 12.8. In 125ths: 24 * 125 and 12.8 * 125.
    assert tree(position, 4) == ({0: 1600, 2: 3000}, 3, 4)


def test_the_first_level_alone_is_contiguity() -> None:
    """A tree of one ply is worth what the stones just played are: on an empty board 4 each."""
    assert tree(Connect4(5, 4).start(), 1) == (dict.fromkeys(range(4), 4), 1, 4)


def test_a_full_tree_has_a_node_for_every_sequence() -> None:
    """While columns are open and nobody wins, four plies on seven columns are 2,800 nodes."""
    _, levels, nodes = tree(Connect4().start(), 4)
    assert (levels, nodes) == (4, 7 + 7**2 + 7**3 + 7**4)


def test_a_set_flag_cuts_a_tree_short() -> None:
    """With its flag set, nothing is grown and nothing is scored."""
    own, opp, _ = words_of(Connect4().start())
    scores, memory = np.full(7, UNKNOWN, np.int64), new_memory(6, 7, 0)
    nodes = np.zeros((3000, 4), np.uint64)
    assert grow(own, opp, 4, scores, nodes, memory, np.ones(1, np.uint8)) == 0
    assert (memory[ABORTED], memory[NODES]) == (1, 0)
    assert (scores == UNKNOWN).all()
