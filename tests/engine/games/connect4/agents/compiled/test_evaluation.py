"""The student agents' evaluations, worked out by hand and counted line by line.

In drawings `a` is the agent's stone and `o` the opponent's; the lowest row is the last.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.boards import bit_of
from engine.core.compiled.scores import WON_BOUND
from engine.games.connect4.agents.compiled.evaluation import (
    Evaluation,
    evaluate,
    tuple_value,
    window_value,
)
from engine.games.connect4.compiled.memory import new_memory
from engine.games.connect4.rules import Connect4, Connect4Position
from tests.builders import SIZES, RandomPosition

Compiled = Callable[[np.uint64, np.uint64, np.ndarray], np.int64]


def drawn(game: Connect4, drawing: str) -> tuple[int, int]:
    """The agent's and the opponent's stones of a drawing; rows above it are empty."""
    rows = drawing.split()
    assert all(len(row) == game.columns for row in rows)
    words = {"a": 0, "o": 0, ".": 0}
    for height, row in enumerate(reversed(rows)):
        for column, stone in enumerate(row):
            words[stone] |= bit_of(column, height)
    return words["a"], words["o"]


def value(evaluation: Compiled, size: str, drawing: str) -> int:
    """The evaluation of a drawing on a board of this size."""
    game = Connect4.from_variant(size)
    agent, other = drawn(game, drawing)
    memory = new_memory(game.rows, game.columns, 0)
    return int(evaluation(np.uint64(agent), np.uint64(other), memory))


@pytest.mark.parametrize(
    ("size", "drawing", "expected"),
    [
        pytest.param("6x7", ".......", 0, id="nothing"),
        pytest.param("6x7", "...a...", 3, id="a stone in the centre column"),
        pytest.param("6x7", "...o...", 0, id="the opponent's there counts nothing"),
        pytest.param("6x7", "aa.....", 2, id="columns 1-4; 2-5 holds one stone only"),
        pytest.param("6x7", ".aaa...", 5 + 5 + 2 + 3, id="1-4 and 2-5, 3-6, the centre"),
        pytest.param("6x7", ".ooo...", -4 - 4, id="theirs: threes only"),
        pytest.param("6x7", "aaaa...", 100 + 5 + 2 + 3, id="1-4, 2-5, 3-6, the centre"),
        pytest.param("6x7", "oaaa...", 5 + 2 + 3, id="1-4 is closed"),
        pytest.param("6x7", "ooo.a..", -4, id="1-4; 2-5 holds both colours"),
        pytest.param("6x7", "aa.a...", 5 + 2 + 3, id="a gap: 1-4, 2-5, the centre"),
        pytest.param("5x4", "..a. ..a. ..a.", 5 + 2 + 3 * 3, id="rows 1-4 and 2-5, the centre"),
        pytest.param("5x4", "...o ...o ...o ...a", -4, id="rows 2-5; 1-4 holds both colours"),
        pytest.param("5x4", "...o ...o ...o ....", -4 - 4, id="rows 1-4 and 2-5, one empty each"),
        pytest.param("8x8", "....a...", 3, id="of eight columns the fifth is the centre"),
        pytest.param("8x8", "...a....", 0, id="and the fourth is not"),
        pytest.param("8x8", "..a..... .a...... a.......", 5 + 2, id="a rising diagonal"),
        pytest.param(
            "8x8",
            "a....... .a...... ..a..... ........ ........ ........ ........ ........",
            5 + 2,
            id="a falling diagonal",
        ),
        pytest.param(
            "8x8",
            "a....... a....... a....... ........ ........ ........ ........ .a......",
            5 + 2,
            id="a column: rows 5-8 and 4-7; it does not go on in the next column",
        ),
    ],
)
def test_windows_by_hand(size: str, drawing: str, expected: int) -> None:
    """Windows count 100, 5, 2 and -4 by their stones, the agent's centre stones 3 each."""
    assert value(window_value, size, drawing) == expected


@pytest.mark.parametrize(
    ("size", "drawing", "expected"),
    [
        pytest.param("6x7", ".......", 0, id="nothing"),
        pytest.param("6x7", ".aaa...", 1 + 1, id="open at both ends"),
        pytest.param("6x7", ".ooo...", -100 - 100, id="the opponent's, open at both ends"),
        pytest.param("6x7", "oaaa...", 1, id="open at one end"),
        pytest.param("6x7", "aa.a...", 1, id="a gap"),
        pytest.param("6x7", "aa..a..", 0, id="a 2-tuple counts nothing"),
        pytest.param("6x7", ".aaa... .oaoo..", 1, id="no stone lands on the left end yet"),
        pytest.param("6x7", ".ooo... .aoaa..", -100, id="the opponent's, likewise"),
        pytest.param("6x7", "a...... a...... a......", 1, id="a column"),
        pytest.param("6x7", "o...... a...... a...... a......", 0, id="a closed column"),
        pytest.param("8x8", "o....... o....... o..aaa..", 1 + 1 - 100, id="both colours"),
        pytest.param("5x4", "a... oa.. ooa. aaa.", 1, id="two lines, one anchor"),
        pytest.param("5x4", "o... ao.. aao. ooo.", -100, id="the opponent's two lines"),
        pytest.param("6x7", "aaa.ooo", 1 - 100, id="one anchor for both colours"),
        pytest.param("4x4", "a... a... a...", 1, id="to the top of the board"),
    ],
)
def test_tuples_by_hand(size: str, drawing: str, expected: int) -> None:
    """An anchor on which a stone would land counts 1 for the last mover, -100 for the other."""
    assert value(tuple_value, size, drawing) == expected


def counted_windows(game: Connect4, agent: int, other: int) -> int:
    """The window evaluation, window by window."""
    total = 3 * sum(bool(agent & bit_of(game.columns // 2, h)) for h in range(game.rows))
    for four in game.fours:
        own, theirs = (four & agent).bit_count(), (four & other).bit_count()
        total += {(4, 0): 100, (3, 0): 5, (2, 0): 2, (0, 3): -4}.get((own, theirs), 0)
    return total


def counted_tuples(position: Connect4Position, agent: int, other: int) -> int:
    """The evaluation by anchors, square by square and line by line."""
    total = 0
    for move in position.legal_moves():
        anchor = bit_of(move, position.height(move))
        threes = [four ^ anchor for four in position.game.fours if four & anchor]
        total += any(three & agent == three for three in threes)
        total -= 100 * any(three & other == three for three in threes)
    return total


@settings(max_examples=200)
@given(st.sampled_from(SIZES), st.integers(0, 2**32), st.integers(0, 60))
def test_both_evaluations_equal_the_plain_ones(
    random_position: RandomPosition, game: Connect4, seed: int, moves: int
) -> None:
    """On random positions of every size, compiled and plain evaluation are equal."""
    position = random_position(game, Random(seed), moves)
    memory = new_memory(game.rows, game.columns, 0)
    stones = position.first, position.second
    for agent, other in (stones, stones[::-1]):
        words = np.uint64(agent), np.uint64(other)
        windows, tuples = window_value(*words, memory), tuple_value(*words, memory)
        assert windows == counted_windows(game, agent, other)
        assert tuples == counted_tuples(position, agent, other)


def test_positions_are_evaluated_for_the_side_to_move() -> None:
    """Windows are evaluated for the agent at any turn, tuples for the player who moved last."""
    own, opp = (np.uint64(word) for word in drawn(Connect4(), "..aaa.. .ooaa.."))
    memory = new_memory(6, 7, 0)
    for_own, for_opp = window_value(own, opp, memory), window_value(opp, own, memory)
    assert for_own != -for_opp
    assert evaluate(Evaluation.WINDOW, own, opp, True, memory) == for_own
    assert evaluate(Evaluation.WINDOW, own, opp, False, memory) == -for_opp
    for agents in (True, False):
        found = evaluate(Evaluation.TUPLES, own, opp, agents, memory)
        assert found == -tuple_value(opp, own, memory)


def test_evaluations_stay_within_their_bounds() -> None:
    """However many lines are open, evaluations stay within the bound of proven scores."""
    largest = Connect4(8, 8)
    assert 5 * len(largest.fours) + 3 * 8 <= WON_BOUND
    # One landing square per column, each of which counts once for either side.
    assert 100 * largest.columns <= WON_BOUND
