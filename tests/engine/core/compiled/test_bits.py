"""Boards as words: lines, squares that complete them, and landing squares."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from engine.core.boards import bit_of
from engine.core.compiled import bits
from engine.core.compiled.bits import board_word, bottom_word, has_four, landing, winning_squares
from engine.core.game import Player
from engine.games.connect4.rules import Connect4
from tests.builders import SIZES

LARGEST = Connect4(8, 8)
WORDS = st.integers(0, (1 << 64) - 1)
SPARSE = st.tuples(WORDS, WORDS).map(lambda words: words[0] & words[1])
"""Words with about a quarter of their bits set: some with a line, some without."""


def in_column(four: int) -> bool:
    """Whether four squares are in one column."""
    lowest = four & -four
    return four == lowest * 0b1111


def gaps(game: Connect4, stones: int) -> int:
    """The squares that alone are missing from a line of `stones`, by the list of lines.

    Because stones fall, a line within a column can only lack its top.
    """
    found = 0
    for four in game.fours:
        missing = four & ~stones
        if missing.bit_count() == 1 and (not in_column(four) or missing > four & stones):
            found |= missing
    return found


def runs(game: Connect4) -> set[int]:
    """All fours of squares on the board whose bits are evenly spaced like those of a line.

    Besides the lines these are the patterns that leave the board at one edge and re-enter at
    another.
    """
    board = board_word(game.rows, game.columns)
    patterns = (
        sum(1 << (start + step * i) for i in range(4))
        for step in (1, 7, 8, 9)
        for start in range(64 - 3 * step)
    )
    return {pattern for pattern in patterns if pattern & board == pattern}


@pytest.mark.parametrize("game", SIZES, ids=Connect4.SIZES)
def test_lines_are_recognised_and_runs_over_the_edge_are_not(game: Connect4) -> None:
    """Of all evenly spaced fours on a board, exactly its lines are four in line."""
    patterns = runs(game)
    assert {run for run in patterns if has_four(np.uint64(run))} == set(game.fours)
    assert len(patterns) > len(game.fours) or game.rows < 8


@pytest.mark.parametrize("game", SIZES, ids=Connect4.SIZES)
def test_three_of_a_line_are_completed_by_the_fourth(game: Connect4) -> None:
    """The missing square of a line completes it; that of a pattern over the edge does not."""
    lines = set(game.fours)
    for run in runs(game):
        squares = [1 << i for i in range(64) if run >> i & 1]
        for three in combinations(squares, 3):
            stones = sum(three)
            missing = run & ~stones
            if in_column(run) and missing < stones:
                continue  # stones fall: this square would have been filled before them
            completes = bool(int(winning_squares(np.uint64(stones))) & missing)
            assert completes == (run in lines)


def test_fewer_than_four_are_not_a_line() -> None:
    """Neither three squares of a line nor an empty board are four in line."""
    triples = {four & ~(1 << i) for four in LARGEST.fours for i in range(64) if four >> i & 1}
    assert not any(has_four(np.uint64(three)) for three in triples)
    assert not has_four(np.uint64(0))
    assert winning_squares(np.uint64(0)) == 0


@settings(max_examples=500)
@given(WORDS | SPARSE)
def test_lines_agree_with_the_list_of_lines(stones: int) -> None:
    """On the largest board a set of squares has a line exactly if it contains a listed one."""
    expected = any(four & stones == four for four in LARGEST.fours)
    assert bool(has_four(np.uint64(stones))) == expected


@settings(max_examples=500)
@given(st.sampled_from(SIZES), SPARSE | st.tuples(SPARSE, WORDS).map(lambda w: w[0] & w[1]))
def test_winning_squares_agree_with_the_list_of_lines(game: Connect4, word: int) -> None:
    """On the empty squares of every board, the winning squares are those of its lines."""
    board = board_word(game.rows, game.columns)
    stones = word & board
    empty = board & ~stones
    assert int(winning_squares(np.uint64(stones))) & empty == gaps(game, stones) & empty


@settings(max_examples=150)
@given(st.sampled_from(SIZES), st.lists(st.integers(0, 7), min_size=64, max_size=64))
def test_words_follow_the_plain_rules(game: Connect4, choices: list[int]) -> None:
    """After every move, words give the landing squares, lines and threats of the plain rules."""
    position = game.start()
    board, bottom = board_word(game.rows, game.columns), bottom_word(game.columns)
    for choice in choices:
        occupied = position.first | position.second
        squares = landing(np.uint64(occupied), np.uint64(bottom), np.uint64(board))
        legal = position.legal_moves()
        assert int(squares) == sum(bit_of(move, position.height(move)) for move in legal)
        for stones in (position.first, position.second):
            empty = board & ~occupied
            assert int(winning_squares(np.uint64(stones))) & empty == gaps(game, stones) & empty
        position = position.play(legal[choice % len(legal)])
        winner = None if position.outcome is None else position.outcome.winner
        assert bool(has_four(np.uint64(position.first))) == (winner is Player.FIRST)
        assert bool(has_four(np.uint64(position.second))) == (winner is Player.SECOND)
        if position.outcome is not None:
            break


@pytest.mark.parametrize("game", SIZES, ids=Connect4.SIZES)
def test_the_board_is_its_squares(game: Connect4) -> None:
    """The board's word has exactly the bits of its squares; the bottom row has the lowest ones."""
    assert len(game.squares(board_word(game.rows, game.columns))) == game.rows * game.columns
    assert board_word(game.rows, game.columns).bit_count() == game.rows * game.columns
    assert bottom_word(game.columns) == sum(bit_of(column, 0) for column in range(game.columns))


@given(WORDS)
def test_instructions_count_and_find_bits(word: int) -> None:
    """The compiled instructions give the number of set bits, and the lowest and highest index."""
    assert _count(np.uint64(word)) == word.bit_count()
    if word:
        assert 1 << int(_find(np.uint64(word))) == word & -word
        assert int(_find_last(np.uint64(word))) == word.bit_length() - 1


@njit
def _count(word: np.uint64) -> np.int64:
    return bits.popcount(word)


@njit
def _find(word: np.uint64) -> np.int64:
    return bits.lowest(word)


@njit
def _find_last(word: np.uint64) -> np.int64:
    return bits.highest(word)
