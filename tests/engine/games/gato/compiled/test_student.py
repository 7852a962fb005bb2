"""Threes on four by four squares, by hand and compared with plain minimax.

In drawings `a` is the side to move and `o` the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from engine.core.compiled.scores import UNKNOWN, WIN
from engine.games.gato.compiled.student import ABORTED, NODES, best_squares, lines_value, threes

LINES: Sequence[frozenset[int]] = [
    *(frozenset(range(4 * row, 4 * row + 4)) for row in range(4)),
    *(frozenset(range(column, 16, 4)) for column in range(4)),
    frozenset({0, 5, 10, 15}),
    frozenset({3, 6, 9, 12}),
]
Board = tuple[frozenset[int], frozenset[int]]
"""The squares of the side to move and of the other."""


def drawn(drawing: str) -> Board:
    """A drawing's stones of the side to move and of the other."""
    squares = drawing.replace(" ", "")
    assert len(squares) == 16
    own, other = (frozenset(n for n, s in enumerate(squares) if s == side) for side in "ao")
    return own, other


def words(board: Board) -> tuple[np.uint64, np.uint64]:
    """A board as the kernel's words."""
    own, other = (np.uint64(sum(1 << square for square in stones)) for stones in board)
    return own, other


@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        pytest.param(".... .... .... ....", 0, id="nothing"),
        pytest.param("aaa. .... oo.. ....", 100, id="a row"),
        pytest.param("ooo. .... aa.. ....", -100, id="the other's row"),
        pytest.param("aaao .... oo.. ....", 0, id="a closed row"),
        pytest.param("aa.a ...a ooo. ...a", 100 + 100 - 100, id="top row, right column, third row"),
        pytest.param("a..o .ao. .oa. o...", 100, id="a diagonal; the other's is full"),
        pytest.param("a..o .ao. .oa. ....", 100 - 100, id="both diagonals"),
        pytest.param("aaa. ...a ...a ..ao", 100, id="the row; the right column is closed"),
        pytest.param("aaa. o..a o..a o..a", 100 + 100, id="two lines share their gap"),
    ],
)
def test_threes_by_hand(drawing: str, expected: int) -> None:
    """Each line of three and an empty square counts 100 for its side, in any direction."""
    assert lines_value(*words(drawn(drawing))) == expected


def test_the_gaps_of_threes_are_the_squares_that_win() -> None:
    """Lines are counted one by one; a gap that two of them share is one square."""
    count, gaps = threes(*words(drawn("aaa. o..a o..a o..a")))
    assert (int(count), int(gaps)) == (2, 1 << 3)


def plain(board: Board, depth: int) -> int:
    """The value of a board for the side to move, by minimax without cutoffs."""
    own, other = board
    stones = len(own) + len(other)
    if any(line <= other for line in LINES):
        return stones - WIN
    if stones == 16:
        return 0
    if depth == 0:
        ours = sum(len(line & own) == 3 and not line & other for line in LINES)
        theirs = sum(len(line & other) == 3 and not line & own for line in LINES)
        return 100 * (ours - theirs)
    empty = set(range(16)) - own - other
    return max(-plain((other, own | {square}), depth - 1) for square in empty)


def compiled(board: Board, depth: int, margin: int = 0) -> dict[int, int]:
    """The squares within a margin of the best, with their scores, by the compiled search."""
    scores, tally = np.full(16, UNKNOWN, np.int64), np.zeros(2, np.uint64)
    best_squares(*words(board), depth, margin, scores, tally, np.zeros(1, np.uint8))
    assert not tally[ABORTED]
    return {square: int(score) for square, score in enumerate(scores) if score != UNKNOWN}


def random_board(rng: Random, stones: int) -> Board | None:
    """A board with a number of stones in random places, or None if a line is complete."""
    squares = rng.sample(range(16), stones)
    own, other = frozenset(squares[: stones // 2]), frozenset(squares[stones // 2 :])
    won = any(line <= own or line <= other for line in LINES)
    return None if won else (own, other)


@pytest.mark.parametrize(("fewest", "depth"), [(0, 1), (0, 2), (3, 3), (8, 4), (9, 9)])
def test_the_best_squares_are_those_of_plain_minimax(fewest: int, depth: int) -> None:
    """On random boards, to the end or not, all moves within a margin have exact scores."""
    rng, seen = Random(depth), 0
    while seen < 25:
        board = random_board(rng, rng.randrange(fewest, 16))
        if board is None:
            continue
        seen += 1
        own, other = board
        empty = set(range(16)) - own - other
        scores = {move: -plain((other, own | {move}), depth - 1) for move in empty}
        top = max(scores.values())
        for margin in (0, 100, 40_000):
            best = {move: score for move, score in scores.items() if score >= top - margin}
            assert compiled(board, depth, margin) == best


@pytest.mark.parametrize(
    ("drawing", "best"),
    [
        pytest.param("aaa. ooo. .... ....", {3: WIN - 7}, id="a win at once, by move 7"),
        pytest.param(
            "ooo. oa.a o.a. .a.a",
            dict.fromkeys((3, 6, 9, 11, 12, 14), 12 - WIN),
            id="two gaps: lost by move 12 wherever one plays",
        ),
        pytest.param("aoao aoao oaoa oao.", {15: 0}, id="the last square draws"),
    ],
)
def test_ends_by_hand(drawing: str, best: dict[int, int]) -> None:
    """A win by move n scores 10000 - n, a loss n - 10000, a draw 0."""
    assert compiled(drawn(drawing), 2) == best


def test_a_set_flag_cuts_a_search_short() -> None:
    """With its flag set, a search ends at its first node and scores nothing."""
    scores, tally = np.full(16, UNKNOWN, np.int64), np.zeros(2, np.uint64)
    best_squares(*words(drawn("." * 16)), 4, 0, scores, tally, np.ones(1, np.uint8))
    assert (tally[NODES], tally[ABORTED]) == (1, 1)
    assert (scores == UNKNOWN).all()
