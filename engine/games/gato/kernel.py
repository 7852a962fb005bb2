"""Gato positions loaded into the compiled kernels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine.core.attention import STEPS, STRIDE, Sight, directed
from engine.core.compiled.memory import NO_LIMIT
from engine.core.compiled.scores import INFINITE, WIN
from engine.core.game import Move
from engine.games.gato.compiled.attention import seen_squares
from engine.games.gato.compiled.lines import NUMBERS, winning_squares
from engine.games.gato.compiled.memory import ABORTED, BLIND, HIDDEN, MOST_NODES, NODES, new_memory
from engine.games.gato.compiled.perft import perft
from engine.games.gato.compiled.search import negamax, remembered_square
from engine.games.gato.rules import LINES, SIDE, SQUARES, GatoPosition


def column_word(word: int) -> int:
    """Convert a word of the rules to columns of eight bits from the bottom, as attention uses."""
    squares = (divmod(bit, SIDE) for bit in range(SQUARES) if word >> bit & 1)
    return sum(1 << (STRIDE * column + SIDE - 1 - row) for row, column in squares)


COLUMN_WORD_LINES = tuple(column_word(line) for line in LINES)


def words_of(position: GatoPosition) -> tuple[np.uint64, np.uint64]:
    """The mover's stones and the other's."""
    pair = np.uint64(position.first), np.uint64(position.second)
    return pair if position.ply % 2 == 0 else pair[::-1]


class GatoKernel:
    """A position loaded for search: the `Kernel` that `engine.core.search` uses."""

    def __init__(self, position: GatoPosition, table_bits: int) -> None:
        self.deepest = SQUARES - position.ply
        self._ply = position.ply
        self._words = words_of(position)
        self._memory = new_memory(table_bits)

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self._memory[NODES])

    def allow(self, nodes: int | None) -> None:
        """End the search once it has visited more than `nodes` positions; None lifts the limit.

        May be called from another thread: 0 ends a search that is running.
        """
        self._memory[MOST_NODES] = NO_LIMIT if nodes is None else nodes

    @property
    def table_bytes(self) -> int:
        """Always 0: its table is not kept."""
        return 0

    def move_to(self, position: GatoPosition) -> None:
        """Raise NotImplementedError: its table is not kept."""
        raise NotImplementedError

    def hide(self, lines: Sequence[int]) -> None:
        """Overlook lines, given as `engine.core.attention.Hidden`."""
        for player in range(2):
            words = lines[len(STEPS) * player :]
            self._memory[HIDDEN + player] = sum(
                1 << number
                for number, (_, start, kind) in zip(
                    NUMBERS, directed(COLUMN_WORD_LINES), strict=True
                )
                if words[kind] & start
            )
        self._memory[BLIND] = any(lines)

    def score_moves(
        self, depth: int, margin: int, order: Sequence[Move], flag: npt.NDArray[np.uint8]
    ) -> dict[Move, int] | None:
        """The exact scores of the moves within `margin` of the best; None if it was cut short."""
        self._memory[ABORTED] = 0
        scores: dict[Move, int] = {}
        best = -INFINITE
        for move in order:
            floor = max(best - margin - 1, -INFINITE)
            scores[move] = self._score(move, depth, floor, flag)
            if self._memory[ABORTED]:
                return None
            best = max(best, scores[move])
        return {move: score for move, score in scores.items() if score >= best - margin}

    def _score(self, move: Move, depth: int, floor: int, flag: npt.NDArray[np.uint8]) -> int:
        """The exact score of a move if it is above `floor`, otherwise at most `floor`."""
        own, opp = self._words
        bit = np.uint64(1 << move)
        if int(self._wins(own)) >> move & 1:
            return WIN - (self._ply + 1)
        after = own | bit
        return -int(
            negamax(opp, after, self._ply + 1, depth - 1, -INFINITE, -floor, self._memory, flag)
        )

    def _wins(self, own: np.uint64) -> np.uint64:
        """The squares on which the mover completes a line that they do not overlook."""
        if self._memory[BLIND]:
            return seen_squares(own, self._ply & 1, self._memory)
        return winning_squares(own)

    def remembered(self, position: GatoPosition) -> Move | None:
        """The move that the last search preferred in a position it visited."""
        square = int(remembered_square(*words_of(position), position.ply, self._memory))
        return Move(square) if square >= 0 else None


def sight(position: GatoPosition) -> Sight:
    """A position as seen by a player who overlooks lines."""
    latest = tuple(column_word(stone) for stone in position.latest)
    first, second = column_word(position.first), column_word(position.second)
    return Sight(COLUMN_WORD_LINES, first, second, position.to_move, latest, falling=False)


def count_sequences(position: GatoPosition, depth: int) -> int:
    """The number of sequences of exactly `depth` moves from `position` (perft)."""
    if depth == 0 or position.outcome is not None:
        return int(depth == 0)
    return int(perft(*words_of(position), depth, np.zeros(1 << 22, np.uint64)))


def load(position: GatoPosition, table_bits: int) -> GatoKernel:
    """Load a position for search, with a table of 2**table_bits entries."""
    return GatoKernel(position, table_bits)
