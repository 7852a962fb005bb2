"""Runs of stones, and the tree that is evaluated by wins and by them."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.boards import bit_of
from engine.core.compiled.scores import UNKNOWN
from engine.core.game import Player, replay
from engine.games.connect4.agents.compiled.tree import contiguity, grow
from engine.games.connect4.compiled.memory import ABORTED, NODES, new_memory
from engine.games.connect4.kernel import words_of
from engine.games.connect4.rules import Connect4, Connect4Position
from tests.builders import SIZES, RandomPosition


@pytest.mark.parametrize(
    ("stone", "others", "expected"),
    [
        pytest.param((0, 0), [], 0, id="alone"),
        pytest.param((0, 0), [(2, 0)], 0, id="beyond a gap"),
        pytest.param((3, 0), [(2, 0)], 1, id="one to the left"),
        pytest.param((3, 0), [(1, 0), (2, 0)], 1 + 5, id="two to the left"),
        pytest.param((3, 2), [(3, 1), (3, 0)], 1 + 5, id="two below"),
        pytest.param((2, 0), [(1, 0), (3, 0)], 1 + 1, id="one on either side: two rays"),
        pytest.param((3, 0), [(0, 0), (1, 0), (2, 0)], 1 + 5 + 9, id="three on a ray"),
        pytest.param((3, 0), [(c, 0) for c in (0, 1, 2, 4, 5, 6)], 15 + 15, id="seven across"),
        pytest.param((2, 2), [(1, 1), (3, 3), (1, 3)], 1 + 1 + 1, id="three diagonal rays"),
        pytest.param((2, 2), [(3, 1), (4, 0)], 1 + 5, id="the fourth diagonal ray"),
        pytest.param((1, 0), [(0, 7)], 0, id="no run over the top edge"),
        pytest.param((1, 7), [(2, 0), (0, 0), (3, 0)], 0, id="nor along diagonals"),
    ],
)
def test_contiguity_by_hand(
    stone: tuple[int, int], others: list[tuple[int, int]], expected: int
) -> None:
    """Along each ray from a stone the next ones count 1, 5, 9... up to the first gap."""
    one = bit_of(*stone)
    word = sum(bit_of(*other) for other in others)
    assert contiguity(np.uint64(word), np.uint64(one)) == expected


def tree(position: Connect4Position, height: int) -> tuple[dict[int, int], int, int]:
    """The compiled values of all moves, and the tree's levels and nodes."""
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
    if after.outcome is not None and after.outcome.winner is not None:
        return Fraction(1_000_000_000), 1
    value, nodes = Fraction(0), 1
    for right, up in ((0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)):
        length = run(stones, game, move, stone_height, right, up)
        value += sum(1 + 4 * place for place in range(length))
    if height > 1:
        for reply in after.legal_moves():
            below, count = plain(after, reply, height - 1)
            value -= below / 5
            nodes += count
    return value, nodes


@settings(max_examples=80)
@given(st.sampled_from(SIZES), st.integers(0, 2**32), st.integers(0, 60), st.integers(1, 3))
def test_values_are_those_of_a_plain_recursion(
    random_position: RandomPosition, game: Connect4, seed: int, moves: int, height: int
) -> None:
    """On random positions of every size, the tree has the nodes and values of its definition."""
    position = random_position(game, Random(seed), moves)
    values, _, nodes = tree(position, height)
    by_move = {int(move): plain(position, move, height) for move in position.legal_moves()}
    assert values == {move: value * 5 ** (height - 1) for move, (value, _) in by_move.items()}
    assert nodes == sum(count for _, count in by_move.values())


def test_a_tree_by_hand() -> None:
    """Values are passed up the tree by fifths; a node that made four has no children."""
    game = Connect4(4, 4)
    position = replay(game, game.moves("1422324412413"))
    assert ["".join(row) for row in position.cells()] == [".2.1", "22.2", "1211", "1112"]
    # Column 3 makes four across: 1,000,000,000. Column 1 has one stone to the right, one below and
    # one to the right below: 3. Then column 3 for the first player has two below (1 and 5), one to
    # the right above and one to the right below: 8. Then column 3 again, the last square, has two
    # to the left (1 and 5), one to the left below and one to the right below: 8. So column 1 is
    # worth 3 - (8 - 8 / 5) / 5 = 1.72. In 125ths: 1.72 * 125.
    assert tree(position, 4) == ({0: 215, 2: 125 * 1_000_000_000}, 3, 4)


def test_the_first_level_alone_is_contiguity() -> None:
    """A tree of one ply has the value of the stones just played: 1 beside an own stone."""
    position = replay(Connect4(5, 4), Connect4(5, 4).moves("24"))
    assert tree(position, 1) == ({0: 1, 1: 1, 2: 1, 3: 0}, 1, 4)  # type: ignore[arg-type]


def test_a_full_tree_has_a_node_for_every_sequence() -> None:
    """While columns are open and no side wins, four plies on seven columns are 2,800 nodes."""
    _, levels, nodes = tree(Connect4().start(), 4)
    assert (levels, nodes) == (4, 7 + 7**2 + 7**3 + 7**4)


def test_a_set_flag_cuts_a_tree_short() -> None:
    """With its flag set, the tree has no nodes and no scores."""
    own, opp, _ = words_of(Connect4().start())
    scores, memory = np.full(7, UNKNOWN, np.int64), new_memory(6, 7, 0)
    nodes = np.zeros((3000, 4), np.uint64)
    assert grow(own, opp, 4, scores, nodes, memory, np.ones(1, np.uint8)) == 0
    assert (memory[ABORTED], memory[NODES]) == (1, 0)
    assert (scores == UNKNOWN).all()
