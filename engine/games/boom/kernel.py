"""Conecta-4 BOOM positions loaded into the compiled kernels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine.core.attention import Sight
from engine.core.boards import bit_of, fours
from engine.core.compiled.memory import NO_LIMIT
from engine.core.compiled.scores import MOST_DEPTH, UNKNOWN
from engine.core.game import Move, Player
from engine.games.boom.compiled.memory import ABORTED, BLIND, HIDDEN, MOST_NODES, NODES, new_memory
from engine.games.boom.compiled.perft import perft
from engine.games.boom.compiled.rules import BOOM
from engine.games.boom.compiled.search import remembered_move, root
from engine.games.boom.compiled.selective import selective_root
from engine.games.boom.rules import SIDE, Boom, BoomPosition

BoomWords = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
"""The mover's stones, the other's, the mover's bomb and the other's."""


def words_of(position: BoomPosition) -> BoomWords:
    """The stones of the mover and of the other player, bombs included, then the bombs alone."""
    stones, bombs = dict.fromkeys(Player, 0), dict.fromkeys(Player, 0)
    for column, cells in enumerate(position.columns):
        for height, cell in enumerate(cells):
            assert cell.owner is not None
            bit = 1 << (8 * column + height)
            stones[cell.owner] |= bit
            bombs[cell.owner] |= bit * cell.is_bomb
    mover, other = position.to_move, position.to_move.other
    return (
        np.uint64(stones[mover]),
        np.uint64(stones[other]),
        np.uint64(bombs[mover]),
        np.uint64(bombs[other]),
    )


class BoomKernel:
    """A position loaded for search: the `Kernel` that `engine.core.search` uses."""

    _root = staticmethod(root)

    def __init__(self, position: BoomPosition, table_bits: int) -> None:
        self._memory = new_memory(position.game.stuck_is_draw, table_bits)
        self._load(position)

    def _load(self, position: BoomPosition) -> None:
        self.deepest = min(Boom.MOST_MOVEMENTS - position.ply, MOST_DEPTH)
        self._ply = position.ply
        self._words = words_of(position)

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
        """The bytes of its memory, nearly all of them the table's."""
        return self._memory.nbytes

    def move_to(self, position: BoomPosition) -> None:
        """Load another position of the game, keep the table and count nodes from 0."""
        self._load(position)
        self._memory[NODES] = 0

    def hide(self, lines: Sequence[int]) -> None:
        """Overlook lines, given as `engine.core.attention.Hidden`."""
        self._memory[HIDDEN : HIDDEN + len(lines)] = lines
        self._memory[BLIND] = any(lines)

    def score_moves(
        self, depth: int, margin: int, order: Sequence[Move], flag: npt.NDArray[np.uint8]
    ) -> dict[Move, int] | None:
        """The exact scores of the moves within `margin` of the best; None if it was cut short."""
        scores = np.full(BOOM + 1, UNKNOWN, np.int64)
        self._memory[ABORTED] = 0
        moves = np.array(order, np.int64)
        self._root(*self._words, self._ply, depth, margin, moves, scores, self._memory, flag)
        if self._memory[ABORTED]:
            return None
        return {move: int(scores[move]) for move in order if scores[move] != UNKNOWN}

    def remembered(self, position: BoomPosition) -> Move | None:
        """The move that the last search preferred in a position it visited."""
        move = int(remembered_move(*words_of(position), position.ply, self._memory))
        return Move(move) if move >= 0 else None


class SelectiveKernel(BoomKernel):
    """A position loaded for the search of the strongest level, which overlooks no lines.

    Its scores are estimates of no fixed depth; wins and losses are proven, with the latest end.
    """

    _root = staticmethod(selective_root)


def sight(position: BoomPosition) -> Sight:
    """A position as seen by a player who overlooks lines."""
    own, opp, _, _ = map(int, words_of(position))
    pair = (own, opp) if position.to_move is Player.FIRST else (opp, own)
    latest = tuple(bit_of(*square) for square in position.latest)
    return Sight(fours(SIDE, SIDE), *pair, position.to_move, latest)


def count_sequences(position: BoomPosition, depth: int) -> int:
    """The number of sequences of exactly `depth` moves from `position` (perft)."""
    if depth == 0 or position.outcome is not None:
        return int(depth == 0)
    counts = np.zeros(3 << 20, np.uint64)
    return int(perft(*words_of(position), position.ply, depth, counts))


def load(position: BoomPosition, table_bits: int) -> BoomKernel:
    """Load a position for search, with a table of 2**table_bits entries."""
    return BoomKernel(position, table_bits)


def load_selective(position: BoomPosition, table_bits: int) -> SelectiveKernel:
    """As `load`, for a search that looks less deep at late moves."""
    return SelectiveKernel(position, table_bits)
