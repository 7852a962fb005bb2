"""Every position of a small board with its exact score, by plain rules.

This shares no code or method with the solver: lines are looked up in a list, and positions are
encoded differently. A column has one bit more than rows: the first player's stones, and a guard bit
on the square where the next stone lands.

    height
      4     .        4  9  14  19  24     the guard bit of a full column
      3     .        3  8  13  18  23
      2     guard    2  7  12  17  22
      1     1        1  6  11  16  21     1 for a stone of the first player
      0     0        0  5  10  15  20     0 for one of the second player

So the number is the address of the score in one large array, and a move is an addition to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from engine.core.compiled.bits import ONE, Int, U
from engine.games.connect4.rules import Connect4

Keys = npt.NDArray[np.uint32]
Words = npt.NDArray[np.uint64]
Scores = npt.NDArray[np.int8]

MAX_BITS = 30
"""Largest number of bits of a position that fits into memory."""
BOTTOM, BOARD, LINES = 0, 1, 2
"""Indices of a board's bottom row, all its squares, and its lines (from `LINES` on)."""
ZERO = U(0)
UNSEEN, UNSCORED = -128, 127
"""Placeholders for scores of unreachable positions, and of those without a score so far."""


# These functions declare no signature, so that only a process that calls them compiles them.


@njit(cache=True, nogil=True)
def occupied_by(key: np.uint64, rows: Int, board: Words) -> Int:
    """All stones of a position: the squares below the highest bit of each column."""
    below = key
    for _ in range(rows):
        below |= (below & ~board[BOTTOM]) >> ONE
    return (below & ~board[BOTTOM]) >> ONE


@njit(cache=True, nogil=True)
def has_line(stones: np.uint64, board: Words) -> bool:
    """Whether `stones` hold one of the board's lines."""
    found = False
    for i in range(LINES, board.size):
        found |= stones & board[i] == board[i]
    return found


@njit(cache=True, nogil=True)
def expand(keys: Keys, ply: Int, rows: Int, board: Words, scores: Scores, found: Keys) -> Any:
    """Write the successors without a winner to `found`, each once, and score the others.

    Returns the numbers of both kinds.
    """
    squares = 0
    left = board[BOARD]
    while left:
        left &= left - ONE
        squares += 1
    count = won = 0
    for i in range(keys.size):
        key = U(keys[i])
        occupied = occupied_by(key, rows, board)
        first = key & occupied
        own = first if ply & 1 == 0 else occupied ^ first
        moves = (occupied + board[BOTTOM]) & board[BOARD]
        while moves:
            bit = moves & (~moves + ONE)
            moves ^= bit
            # The guard moves up; the first player's stone replaces it.
            child = key + (bit << ONE) if ply & 1 == 0 else key + bit
            if scores[child] != UNSEEN:
                continue
            if has_line(own | bit, board):
                scores[child] = -((squares + 2 - (ply + 1)) // 2)
                won += 1
            else:
                scores[child] = UNSCORED
                found[count] = child
                count += 1
    return count, won


@njit(cache=True, nogil=True)
def back_up(keys: Keys, ply: Int, rows: Int, board: Words, scores: Scores) -> None:
    """Score positions for the side to move by their successors; a full board is a draw."""
    for i in range(keys.size):
        key = U(keys[i])
        occupied = occupied_by(key, rows, board)
        moves = (occupied + board[BOTTOM]) & board[BOARD]
        best: Int = 0 if moves == ZERO else UNSEEN
        while moves:
            bit = moves & (~moves + ONE)
            moves ^= bit
            child = key + (bit << ONE) if ply & 1 == 0 else key + bit
            best = max(best, -np.int64(scores[child]))
        scores[key] = best


def board_words(game: Connect4) -> Words:
    """A board in the form of the functions above.

    Raises:
        ValueError: The board has too many positions.
    """
    stride = game.rows + 1
    if game.columns * stride > MAX_BITS:
        raise ValueError(f"{game.variant} has too many positions")
    bottom = sum(1 << stride * column for column in range(game.columns))
    board = bottom * ((1 << game.rows) - 1)
    lines = [
        sum(1 << stride * s.column + game.rows - 1 - s.row for s in game.squares(four))
        for four in game.fours
    ]
    return np.array([bottom, board, *lines], np.uint64)


@dataclass(frozen=True, slots=True)
class Truth:
    """All positions of a board without a winner, by number of stones."""

    game: Connect4
    board: Words
    layers: list[Keys]
    scores: Scores
    """Scores by position for the side to move; `UNSEEN` for unreachable ones."""
    won: int
    """The number of further positions, with a winner."""

    @classmethod
    def of(cls, game: Connect4, report: Callable[[int], None] = lambda ply: None) -> Truth:
        """List and score all positions; `report` is called twice with each number of stones.

        Raises:
            ValueError: The board has too many positions.
        """
        board = board_words(game)
        scores = np.full(1 << game.columns * (game.rows + 1), UNSEEN, np.int8)
        layers, won = [board[:1].astype(np.uint32)], 0
        for ply in range(game.rows * game.columns):
            report(ply)
            found = np.empty(layers[-1].size * game.columns, np.uint32)
            count, wins = expand(layers[-1], ply, game.rows, board, scores, found)
            # Sorted, so that neighbours in the layer are neighbours in memory.
            layers.append(np.sort(found[:count]))
            won += wins
        for ply in reversed(range(len(layers))):
            report(ply)
            back_up(layers[ply], ply, game.rows, board, scores)
        return cls(game, board, layers, scores, won)

    @property
    def positions(self) -> int:
        """The number of positions without a winner."""
        return sum(layer.size for layer in self.layers)

    @property
    def open_positions(self) -> int:
        """The number of unfinished positions: all but the full boards."""
        return self.positions - self.layers[-1].size
