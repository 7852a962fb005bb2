"""The compiled solver behind Python types: its working memory, limits and calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from engine.core.compiled.memory import NO_LIMIT, Words
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver.compiled.memory import (
    ABORTED,
    BUCKET,
    BUCKETS,
    MOST_NODES,
    NODES,
    TABLE,
    first_buckets,
    new_memories,
    new_memory,
)
from engine.games.connect4.solver.compiled.windows import ask, close_in

FAR = 64
"""Beyond every score."""


class SolverKernel:
    """The solver's working memory for one board; the two kernels of a pair share a table."""

    def __init__(self, memory: Words) -> None:
        self._memory = memory
        self._bounds = np.zeros(2, np.int64)
        """Narrowed by the compiled code; reused, since creating an array takes time."""

    @classmethod
    def alone(cls, game: Connect4, table_bits: int, rules: int) -> SolverKernel:
        """A kernel with a table of its own."""
        return cls(new_memory(game.rows, game.columns, table_bits, rules))

    @classmethod
    def pair(cls, game: Connect4, table_bits: int, rules: int) -> tuple[SolverKernel, ...]:
        """Two kernels with a shared table, each for a thread of its own."""
        memories = new_memories(game.rows, game.columns, table_bits, rules, 2)
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
        """Forget all positions and return to a small table."""
        memory = self._memory
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

    def close_in(
        self, position: Connect4Position, lower: int, upper: int, flag: npt.NDArray[np.uint8]
    ) -> tuple[int, int]:
        """Narrow proven bounds until they meet; less far if the search is cut short."""
        bounds = self._bounds
        bounds[0], bounds[1] = lower, upper
        close_in(*_words(position), self._memory, flag, bounds)
        return int(bounds[0]), int(bounds[1])


def _words(position: Connect4Position) -> tuple[Any, Any, int]:
    """The stones of the side to move and of the other, and their number.

    Compiled code accepts Python's integers as words; converting them to NumPy's would cost time.
    """
    first, second = position.first, position.second
    ply = (first | second).bit_count()
    return (second, first, ply) if ply & 1 else (first, second, ply)
