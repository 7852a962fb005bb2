"""Every position of Gato with its exact value: plain enumeration with arrays, nothing compiled.

A position is a number in base three, its digit for square n being 0 (empty), 1 (the first
player's) or 2. Its value is 0 for a draw, k for a win of the side to move with move 17 - k of the
game, and -k for a loss, so that nearer wins are better and later losses are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.core.compiled.scores import WIN
from engine.games.gato.rules import LINES, SQUARES, Gato, GatoPosition

HALF = 3**8
_WORDS = np.arange(1 << SQUARES)
NUMBER = sum((_WORDS >> n & 1) * 3**n for n in range(SQUARES)).astype(np.int32)
"""The number whose digits are the bits of a word."""
HAS_LINE = np.logical_or.reduce([_WORDS & line == line for line in LINES])
FIRST_HALF, SECOND_HALF = (
    sum((np.arange(HALF) // 3**n % 3 == digit) << n for n in range(8)).astype(np.int32)
    for digit in (1, 2)
)
"""The words of both players' stones on eight squares, by the number of these."""


@dataclass(frozen=True)
class Counts:
    """The numbers of positions of one ply: in all, won, and by their value."""

    positions: int
    won: int
    first: int
    draw: int
    second: int


def _stones(codes: npt.NDArray[np.int32]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    low, high = codes % HALF, codes // HALF
    return (
        FIRST_HALF[low] | FIRST_HALF[high] << 8,
        SECOND_HALF[low] | SECOND_HALF[high] << 8,
    )


@dataclass(frozen=True)
class Layer:
    """All positions of one ply: their numbers, the squares taken, and whether each has been won."""

    codes: npt.NDArray[np.int32]
    taken: npt.NDArray[np.int32]
    ended: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, codes: npt.NDArray[np.int32], ply: int) -> Layer:
        """The layer with these positions; only the last stone can have won."""
        first, second = _stones(codes)
        return cls(codes, first | second, HAS_LINE[first if ply % 2 else second])


class GatoPositions:
    """All positions that games can reach, by ply, with their values."""

    def __init__(self) -> None:
        self._layers = [Layer.of(np.zeros(1, np.int32), 0)]
        self._values = np.zeros(3**SQUARES, np.int8)
        seen = np.zeros(3**SQUARES, np.bool_)
        for ply in range(SQUARES):
            for _, after in self._moves(ply):
                seen[after] = True
            self._layers.append(Layer.of(np.flatnonzero(seen).astype(np.int32), ply + 1))
            seen[self._layers[-1].codes] = False
        self.counts = [self._solve(ply) for ply in reversed(range(SQUARES + 1))][::-1]

    def some(self, ply: int, number: int, seed: int) -> list[GatoPosition]:
        """At most `number` undecided positions of a ply, drawn at random."""
        codes = self._layers[ply].codes[~self._layers[ply].ended]
        chosen = np.random.default_rng(seed).choice(codes, min(number, codes.size), replace=False)
        stones = zip(*_stones(chosen), strict=True)
        return [GatoPosition(Gato(), int(first), int(second)) for first, second in stones]

    def _moves(self, ply: int) -> Iterator[tuple[npt.NDArray[np.intp], npt.NDArray[np.int32]]]:
        """For each square: the positions of a ply in which it is empty, and their successors."""
        layer = self._layers[ply]
        taken = np.where(layer.ended, (1 << SQUARES) - 1, layer.taken)
        for square in range(SQUARES):
            movable = np.flatnonzero(taken >> square & 1 == 0)
            yield movable, layer.codes[movable] + np.int32((1 + ply % 2) * 3**square)

    def _solve(self, ply: int) -> Counts:
        """Compute the values of the positions of a ply from those of the next."""
        codes, ended = self._layers[ply].codes, self._layers[ply].ended
        values = np.full(codes.size, -100 if ply < SQUARES else 0, np.int8)
        for movable, after in self._moves(ply) if ply < SQUARES else ():
            values[movable] = np.maximum(values[movable], -self._values[after])
        values[ended] = ply - 17
        self._values[codes] = values
        signs = np.sign(values) * (-1 if ply % 2 else 1)
        return Counts(codes.size, int(ended.sum()), *(int((signs == s).sum()) for s in (1, 0, -1)))

    def score(self, position: GatoPosition) -> int:
        """The value of a position for the side to move, on the engine's scale."""
        value = int(self._values[NUMBER[position.first] + 2 * NUMBER[position.second]])
        if value == 0:
            return 0
        return WIN - (17 - value) if value > 0 else (17 + value) - WIN
