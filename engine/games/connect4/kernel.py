"""Connect 4 positions loaded into the compiled kernels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine.core.attention import Sight
from engine.core.compiled.memory import NO_LIMIT
from engine.core.compiled.scores import MOST_DEPTH, UNKNOWN
from engine.core.game import Move
from engine.games.connect4.compiled.memory import (
    ABORTED,
    BLIND,
    HIDDEN,
    MOST_NODES,
    NODES,
    SELECTIVE,
    new_memory,
    use_weights,
)
from engine.games.connect4.compiled.perft import perft
from engine.games.connect4.compiled.search import remembered_column, root
from engine.games.connect4.rules import Connect4Position
from engine.games.connect4.weights import weights_of


def words_of(position: Connect4Position) -> tuple[np.uint64, np.uint64, np.uint64]:
    """The mover's stones, the other's, and the column heights at four bits per column."""
    pair = (position.first, position.second)
    own, opp = pair if position.ply % 2 == 0 else pair[::-1]
    heights = sum(position.height(m) << (4 * m) for m in position.game.columns_as_moves)
    return np.uint64(own), np.uint64(opp), np.uint64(heights)


class Connect4Kernel:
    """A position loaded for search: the `Kernel` that `engine.core.search` uses."""

    def __init__(self, position: Connect4Position, table_bits: int) -> None:
        game = position.game
        self._columns = game.columns
        self._memory = new_memory(game.rows, game.columns, table_bits)
        self._load(position)

    def _load(self, position: Connect4Position) -> None:
        """Set the position to search."""
        game = position.game
        self.deepest = min(game.rows * game.columns - position.ply, MOST_DEPTH)
        self._ply = position.ply
        self._words = words_of(position)

    @property
    def table_bytes(self) -> int:
        """The bytes of its memory, nearly all of them the table's."""
        return self._memory.nbytes

    def move_to(self, position: Connect4Position) -> None:
        """Load another position of the board, keep the table and count nodes from 0."""
        self._load(position)
        self._memory[NODES] = 0

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self._memory[NODES])

    def allow(self, nodes: int | None) -> None:
        """End the search once it has visited more than `nodes` positions; None lifts the limit.

        May be called from another thread: 0 ends a search that is running.
        """
        self._memory[MOST_NODES] = NO_LIMIT if nodes is None else nodes

    def hide(self, lines: Sequence[int]) -> None:
        """Overlook lines, given as `engine.core.attention.Hidden`."""
        self._memory[HIDDEN : HIDDEN + len(lines)] = lines
        self._memory[BLIND] = any(lines)

    def use_weights(self, weights: Sequence[int]) -> None:
        """Evaluate by weights that were fitted to the board, if there are any."""
        if weights:
            use_weights(weights, self._memory)

    def be_selective(self) -> None:
        """Look less deep at late moves.

        Scores are then estimates of no fixed depth; wins and losses are proven, with the latest
        end.
        """
        self._memory[SELECTIVE] = 1

    def score_moves(
        self, depth: int, margin: int, order: Sequence[Move], flag: npt.NDArray[np.uint8]
    ) -> dict[Move, int] | None:
        """The exact scores of the moves within `margin` of the best; None if it was cut short."""
        scores = np.full(self._columns, UNKNOWN, np.int64)
        self._memory[ABORTED] = 0
        columns = np.array(order, np.int64)
        root(*self._words, self._ply, depth, margin, columns, scores, self._memory, flag)
        if self._memory[ABORTED]:
            return None
        return {move: int(scores[move]) for move in order if scores[move] != UNKNOWN}

    def remembered(self, position: Connect4Position) -> Move | None:
        """The move that the last search preferred in a position it visited."""
        own, _, heights = words_of(position)
        column = int(remembered_column(own, heights, self._memory))
        return Move(column) if column >= 0 else None


def sight(position: Connect4Position) -> Sight:
    """A position as seen by a player who overlooks lines."""
    return Sight(
        position.game.fours, position.first, position.second, position.to_move, position.latest
    )


def count_sequences(position: Connect4Position, depth: int) -> int:
    """The number of sequences of exactly `depth` moves from `position` (perft)."""
    if depth == 0 or position.outcome is not None:
        return int(depth == 0)
    memory = new_memory(position.game.rows, position.game.columns, 0)
    counts = np.zeros(3 << 20, np.uint64)
    return int(perft(*words_of(position), position.ply, depth, memory, counts))


def load(position: Connect4Position, table_bits: int) -> Connect4Kernel:
    """Load a position for search, with a table of 2**table_bits entries."""
    return Connect4Kernel(position, table_bits)


def load_fitted(position: Connect4Position, table_bits: int) -> Connect4Kernel:
    """As `load`, with the evaluation fitted to the board, where there is one."""
    kernel = Connect4Kernel(position, table_bits)
    kernel.use_weights(weights_of(position.game))
    return kernel


def load_selective(position: Connect4Position, table_bits: int) -> Connect4Kernel:
    """As `load_fitted`, for a search that looks less deep at late moves."""
    kernel = load_fitted(position, table_bits)
    kernel.be_selective()
    return kernel
