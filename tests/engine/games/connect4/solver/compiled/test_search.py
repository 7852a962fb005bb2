"""The solver's kernels checked on every position of small boards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from numba import njit

from engine.core.boards import bit_of, fours
from engine.core.compiled.bits import board_word, has_four, landing, popcount, winning_squares
from engine.games.connect4.rules import Connect4
from engine.games.connect4.solver.compiled.lines import in_fours
from engine.games.connect4.solver.compiled.memory import new_memory
from engine.games.connect4.solver.compiled.pairs import NOTHING, follower_bound
from engine.games.connect4.solver.compiled.rules import ALL, Rule
from engine.games.connect4.solver.compiled.windows import solve_many
from tests.builders import after

U = np.uint64
Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Enumeration:
    """Unfinished positions of a board, each with the stones of both players and its score."""

    game: Connect4
    firsts: Words
    seconds: Words
    scores: Numbers


def enumeration(size: str, moves: str = "") -> Enumeration:
    """All unfinished positions that can follow from one, scored by the plain rules from the end."""
    game = Connect4.from_variant(size)
    squares, lines = game.rows * game.columns, [U(line) for line in fours(game.rows, game.columns)]
    begin = after(game, moves)
    own, opp = (np.array([word], U) for word in (begin.first, begin.second))
    if begin.ply % 2:
        own, opp = opp, own
    layers, steps = [], []
    for ply in range(begin.ply, squares):
        layers.append((own, opp) if ply % 2 == 0 else (opp, own))
        parents, stones, others = following(game, own, opp)
        won = np.logical_or.reduce([stones & line == line for line in lines])
        # The side to move next, and all stones: their sum is different for every position.
        keys = (others + (stones | others))[~won]
        _, which, children = np.unique(keys, return_index=True, return_inverse=True)
        steps.append((parents, won, children))
        own, opp = others[~won][which], stones[~won][which]
    below, scores = np.zeros(own.size, np.int64), list[Numbers]()
    for ply in reversed(range(begin.ply, squares)):
        parents, won, children = steps[ply - begin.ply]
        values = np.full(parents.size, (squares + 1 - ply) // 2)
        values[~won] = -below[children]
        below = np.full(layers[ply - begin.ply][0].size, -squares)
        np.maximum.at(below, parents, values)
        scores.insert(0, below)
    firsts, seconds = (np.concatenate(words) for words in zip(*layers, strict=True))
    return Enumeration(game, firsts, seconds, np.concatenate(scores))


def following(game: Connect4, own: Words, opp: Words) -> tuple[Numbers, Words, Words]:
    """All moves: the index of the position, then the mover's stones and the other's."""
    found = []
    for column in range(game.columns):
        for height in range(game.rows):
            below = U(bit_of(column, height - 1)) if height else U(0)
            bit = U(bit_of(column, height))
            movable = np.flatnonzero((own | opp) & (bit | below) == below)
            found.append((movable, own[movable] | bit, opp[movable]))
    parents, stones, others = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return parents, stones, others


def wrong_scores(board: Enumeration, memory: Words, every: int = 1) -> int:
    """The number of positions to which the solver gives another score."""
    firsts, seconds, scores = (
        np.ascontiguousarray(words[::every])
        for words in (board.firsts, board.seconds, board.scores)
    )
    found = np.zeros((scores.size, 3), np.int64)
    solve_many(firsts, seconds, False, memory, np.zeros(1, np.uint8), found)
    return int(((found[:, 0] != scores) | (found[:, 1] != scores)).sum())


# It declares no signature, so that only the process that calls it compiles it.
@njit(cache=True)
def count_false_bounds(firsts: Any, seconds: Any, scores: Any, memory: Any) -> Any:
    """Over all positions: false bounds of a follower, its bounds, false claims of no line."""
    false_bounds = bounds = false_claims = 0
    for i in range(scores.size):
        own, opp = firsts[i], seconds[i]
        if popcount(own | opp) & 1:
            own, opp = opp, own
        empty = memory[0] & ~(own | opp)
        if in_fours(own | empty) == U(0) and scores[i] > 0:
            false_claims += 1
        if in_fours(opp | empty) == U(0) and scores[i] < 0:
            false_claims += 1
        moves = landing(own | opp, memory[1], memory[0])
        bound = follower_bound(own, opp, moves, winning_squares(opp) & empty, True, memory)
        bounds += bound != NOTHING
        false_bounds += bound < scores[i]
    return false_bounds, bounds, false_claims


@pytest.fixture(scope="module")
def smallest() -> Enumeration:
    """The board of four by four."""
    return enumeration("4x4")


@pytest.fixture(scope="module", params=["4x4", "4x5 33321", "5x4 22213"])
def board(request: pytest.FixtureRequest) -> Enumeration:
    """Small boards, the larger ones after some moves."""
    return enumeration(*request.param.split())


def test_every_position_of_small_boards_is_solved(board: Enumeration) -> None:
    """Every position has the score that enumeration gives it."""
    assert board.scores.size > 20_000
    assert {*np.sign(board.scores).tolist()} == {-1, 0, 1}
    assert wrong_scores(board, new_memory(board.game.rows, board.game.columns, 16, ALL)) == 0


@pytest.mark.parametrize("rules", [0, ALL, *Rule, *(ALL & ~rule for rule in Rule)])
def test_no_rule_changes_a_score(smallest: Enumeration, rules: int) -> None:
    """With any rule alone, or all but any one, every score stays correct, in a tiny table too."""
    assert wrong_scores(smallest, new_memory(4, 4, 10, rules), 7) == 0


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
    memory = new_memory(board.game.rows, board.game.columns, 1, rules)
    false_bounds, bounds, false_claims = count_false_bounds(
        board.firsts, board.seconds, board.scores, memory
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
