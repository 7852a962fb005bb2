"""The solver's kernels checked on every position of small boards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit

from engine.core.boards import fours
from engine.core.compiled.bits import board_word, has_four, landing, popcount, winning_squares
from engine.games.connect4.solver.compiled.lines import in_fours
from engine.games.connect4.solver.compiled.memory import new_memory
from engine.games.connect4.solver.compiled.pairs import NOTHING, follower_bound
from engine.games.connect4.solver.compiled.rules import ALL, Rule
from engine.games.connect4.solver.compiled.windows import ask

U = np.uint64
NONE = -100


# These functions declare no signature, so that only the process that calls them compiles them.
@njit(cache=True)
def enumerated(
    own: Any, opp: Any, squares: Any, rows: Any, lines: Any, words: Any, scores: Any
) -> Any:
    """The score of a position by the plain rules, computed with those of all that follow it.

    Positions are entered in `words` (the mover's stones, all stones) with their `scores`.
    """
    occupied = own | opp
    at = (own * U(0x9E3779B97F4A7C15)) ^ (occupied * U(0xC2B2AE3D27D4EB4F))
    at = ((at ^ (at >> U(32))) * U(0x9E3779B97F4A7C15)) >> U(32)
    at &= U(scores.size - 1)
    while scores[at] != NONE:
        if words[U(2) * at] == own and words[U(2) * at + U(1)] == occupied:
            return scores[at]
        at = (at + U(1)) & U(scores.size - 1)
    stones = 0
    left = occupied
    while left:
        left &= left - U(1)
        stones += 1
    best = -99 if stones < squares else 0
    for column in range(8):
        for height in range(rows):
            bit = U(1) << U(8 * column + height)
            if occupied & bit or 8 * column + height >= 64:
                continue
            if not (lines[-1] & bit):
                break
            after = own | bit
            won = False
            for i in range(lines.size - 1):
                if lines[i] & after == lines[i]:
                    won = True
            if won:
                value = (squares + 2 - (stones + 1)) // 2
            else:
                value = -enumerated(opp, after, squares, rows, lines, words, scores)
            best = max(best, value)
            break
    while scores[at] != NONE:
        at = (at + U(1)) & U(scores.size - 1)
    words[U(2) * at], words[U(2) * at + U(1)] = own, occupied
    scores[at] = best
    return best


@njit(cache=True)
def wrong_answers(words: Any, scores: Any, every: Any, memory: Any, stop: Any) -> Any:
    """The number of wrong answers to questions about the score of every position.

    These are the two questions that decide the score, and one further away.
    """
    wrong = 0
    bounds = np.empty(2, np.int64)
    for i in range(0, scores.size, every):
        if scores[i] == NONE:
            continue
        own, score = words[2 * i], scores[i]
        opp = words[2 * i + 1] ^ own
        ply = popcount(own | opp)
        if own | opp == memory[0]:
            continue
        for alpha in (score - 1, score, score - 1 - i % 3, score + i % 3):
            bounds[0], bounds[1] = -99, 99
            ask(own, opp, ply, alpha, memory, stop, bounds)
            low, high = bounds
            wrong += low <= alpha < high
            wrong += not low <= score <= high
    return wrong


@njit(cache=True)
def count_false_bounds(words: Any, scores: Any, memory: Any) -> Any:
    """Over all positions: false bounds of a follower, its bounds, false claims of no line."""
    false_bounds = bounds = false_claims = 0
    for i in range(scores.size):
        if scores[i] == NONE:
            continue
        own = words[2 * i]
        opp = words[2 * i + 1] ^ own
        empty = memory[0] & ~(own | opp)
        if in_fours(own | empty) == U(0) and scores[i] > 0:
            false_claims += 1
        if in_fours(opp | empty) == U(0) and scores[i] < 0:
            false_claims += 1
        moves = landing(own | opp, memory[1], memory[0])
        bound = follower_bound(own, opp, moves, winning_squares(opp) & empty, memory)
        bounds += bound != NOTHING
        false_bounds += bound < scores[i]
    return false_bounds, bounds, false_claims


Enumeration = tuple[int, int, np.ndarray[Any, Any], np.ndarray[Any, Any]]


def enumeration(rows: int, columns: int) -> Enumeration:
    """Every position of a board that no side has won, with its score."""
    size = 1 << (18 if rows * columns == 16 else 22)
    words, scores = np.zeros(2 * size, np.uint64), np.full(size, NONE, np.int64)
    lines = np.array([*fours(rows, columns), board_word(rows, columns)], np.uint64)
    enumerated(U(0), U(0), rows * columns, rows, lines, words, scores)
    return rows, columns, words, scores


@pytest.fixture(scope="module")
def smallest() -> Enumeration:
    """The board of four by four."""
    return enumeration(4, 4)


@pytest.fixture(scope="module", params=[(4, 4), (4, 5), (5, 4)], ids=["4x4", "4x5", "5x4"])
def board(request: pytest.FixtureRequest) -> Enumeration:
    """Every small board that can be enumerated."""
    return enumeration(*request.param)


def test_every_position_of_small_boards_is_solved(board: Enumeration) -> None:
    """Every question about every position has the answer that enumeration gives."""
    rows, columns, words, scores = board
    assert (scores != NONE).sum() > 100_000
    memory = new_memory(rows, columns, 16, ALL)
    assert wrong_answers(words, scores, 1, memory, np.zeros(1, np.uint8)) == 0


@pytest.mark.parametrize("rules", [0, ALL, *Rule, *(ALL & ~rule for rule in Rule)])
def test_no_rule_changes_a_score(smallest: Enumeration, rules: int) -> None:
    """With any rule alone, or all but any one, every answer stays correct, in a tiny table too."""
    rows, columns, words, scores = smallest
    memory = new_memory(rows, columns, 10, rules)
    assert wrong_answers(words, scores, 3, memory, np.zeros(1, np.uint8)) == 0


@pytest.mark.parametrize(
    "rules",
    [
        Rule.FOLLOW,
        Rule.FOLLOW | Rule.THREAT,
        Rule.FOLLOW | Rule.PAIR,
        Rule.FOLLOW | Rule.TWO_PAIRS,
        Rule.FOLLOW | Rule.THREAT | Rule.PAIR | Rule.TWO_PAIRS,
    ],
    ids=str,
)
def test_static_bounds_are_never_false(board: Enumeration, rules: int) -> None:
    """No position exceeds a follower's bound, and none is won without an open line."""
    rows, columns, words, scores = board
    false_bounds, bounds, false_claims = count_false_bounds(
        words, scores, new_memory(rows, columns, 1, rules)
    )
    assert (false_bounds, false_claims) == (0, 0)
    assert bounds > 0


def test_squares_in_fours_are_those_of_the_list_of_all_fours() -> None:
    """The squares found by shifting words are those of the lines within a set of squares."""
    rng = np.random.default_rng(1)
    for rows in range(4, 9):
        for columns in range(4, 9):
            board = board_word(rows, columns)
            for _ in range(20):
                squares = int(rng.integers(0, 2**64, dtype=np.uint64)) & board
                squares |= int(rng.integers(0, 2**64, dtype=np.uint64)) & board
                expected = 0
                for line in fours(rows, columns):
                    expected |= line if line & squares == line else 0
                assert int(in_fours(U(squares))) == expected
                assert has_four(U(squares)) == bool(expected)
