"""The compiled solver behind Python types: its working memory, limits and calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.core.compiled.memory import NO_LIMIT, Words
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver.compiled.memory import (
    ABORTED,
    BUCKET,
    BUCKETS,
    ENDS,
    MOST_NODES,
    NODES,
    REPLIES,
    TABLE,
    first_buckets,
    new_memories,
    new_memory,
)
from engine.games.connect4.solver.compiled.windows import ask, solve, solve_many

FAR = 64
"""Beyond every score."""


class SolverKernel:
    """The solver's working memory for one board; kernels of several threads share a table."""

    def __init__(self, memory: Words) -> None:
        self._memory = memory
        self._bounds = np.zeros(2, np.int64)
        self._found = np.zeros(3, np.int64)
        """Written by the compiled code; reused, since creating an array takes time."""

    @classmethod
    def alone(cls, game: Connect4, table_bits: int, rules: int) -> SolverKernel:
        """A kernel with a table of its own."""
        return cls(new_memory(game.rows, game.columns, table_bits, rules))

    @classmethod
    def together(
        cls, game: Connect4, table_bits: int, rules: int, threads: int
    ) -> tuple[SolverKernel, ...]:
        """Kernels with a shared table, each for a thread of its own."""
        memories = new_memories(game.rows, game.columns, table_bits, rules, threads)
        return tuple(cls(memory) for memory in memories)

    @property
    def nodes(self) -> int:
        """Positions searched since `begin`."""
        return int(self._memory[NODES])

    def begin(self) -> None:
        """Count nodes from 0 and lift the limit; the table stays."""
        self._memory[NODES] = self._memory[ABORTED] = 0
        self._memory[MOST_NODES] = NO_LIMIT

    def allow(self, nodes: int) -> None:
        """End the search once it has visited more than `nodes` positions.

        May be called from another thread: 0 ends a search that is running.
        """
        self._memory[MOST_NODES] = nodes

    def clear(self) -> None:
        """Forget all positions and decisive moves, and return to a small table."""
        memory = self._memory
        memory[REPLIES:ENDS] = 0
        table, used = int(memory[TABLE]), int(memory[BUCKETS])
        memory[table : table + BUCKET * used] = 0
        memory[BUCKETS] = first_buckets(memory)

    def ask(
        self, position: Connect4Position, alpha: int, flag: npt.NDArray[np.uint8]
    ) -> tuple[int, int] | None:
        """Decide by a null-window search whether a position exceeds `alpha`; returns its bounds.

        Returns None if the search was cut short.
        """
        bounds = self._bounds
        bounds[0], bounds[1] = -FAR, FAR
        if not ask(*_words(position), alpha, self._memory, flag, bounds):
            return None
        return int(bounds[0]), int(bounds[1])

    def solve(
        self, position: Connect4Position, flag: npt.NDArray[np.uint8]
    ) -> tuple[int, int, int]:
        """Bounds of a score, which meet unless the search is cut short, and the nodes searched."""
        found = self._found
        # As in `_words`, converting these integers would cost time.
        first: Any = position.first
        second: Any = position.second
        solve(first, second, False, self._memory, flag, found)
        # Faster than converting one number at a time.
        lower, upper, nodes = found.tolist()
        return lower, upper, nodes

    def solve_many(
        self, positions: Sequence[Connect4Position], flag: npt.NDArray[np.uint8]
    ) -> npt.NDArray[np.int64]:
        """A row for each position, as `solve`, by one compiled call."""
        found = np.empty((len(positions), 3), np.int64)
        solve_many(*_columns(positions), False, self._memory, flag, found)
        return found

    def judge_many(
        self, positions: Sequence[Connect4Position], flag: npt.NDArray[np.uint8]
    ) -> list[int] | None:
        """For each position 1 if the side to move wins, 0 for a draw, -1 if it loses.

        Returns None if a search was cut short.
        """
        found = np.empty((len(positions), 3), np.int64)
        solve_many(*_columns(positions), True, self._memory, flag, found)
        lowers, uppers, _ = found.T
        if (lowers.clip(-1, 1) != uppers.clip(-1, 1)).any():
            return None
        return [int(sign) for sign in np.sign(lowers)]


def _columns(positions: Sequence[Connect4Position]) -> tuple[Words, Words]:
    """The stones of both players in all positions."""
    firsts = np.array([position.first for position in positions], np.uint64)
    return firsts, np.array([position.second for position in positions], np.uint64)


def _words(position: Connect4Position) -> tuple[Any, Any, int]:
    """The stones of the side to move and of the other, and their number.

    Compiled code accepts Python's integers as words; converting them to NumPy's would cost time.
    """
    first, second = position.first, position.second
    ply = (first | second).bit_count()
    return (second, first, ply) if ply & 1 else (first, second, ply)
