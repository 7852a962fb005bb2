"""The search of `tokens` with any weights of its evaluation: plain alpha-beta, without a table."""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np
import numpy.typing as npt

from engine.core.compiled.bits import Int, U, popcount
from engine.core.compiled.compiling import njit
from engine.core.compiled.scores import INFINITE
from engine.core.game import Move, Position
from engine.games.boom.compiled.evaluation import FIVE_COLUMNS, MIDDLE_COLUMN, THREE_COLUMNS
from engine.games.boom.compiled.rules import (
    BOARD,
    BOOM,
    COLUMN,
    MOST_MOVEMENTS,
    ZERO,
    explode,
    in_line,
    landing_squares,
    moved,
)
from engine.games.boom.compiled.tokens import BOMB_EFFECT, END, REACHED, STEPS
from engine.games.boom.kernel import words_of
from engine.games.boom.rules import BoomPosition

Numbers = npt.NDArray[np.int64]
COLUMN_WEIGHT, REACHED_WEIGHT, BOMB_WEIGHT, END_WEIGHT, NODES = 0, 1, 2, 3, 4
"""The places of the weights in an array, and of the number of positions visited."""
ORDER = (3, 2, 4, 1, 5, 0, 6, BOOM)
"""The columns from the middle, then the bomb."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the terms; a term with 0 is left out."""

    column: int = 1
    reached: int = REACHED
    bomb: int = BOMB_EFFECT
    end: int = END


FULL = Weights()


@njit(cache=True, nogil=True)
def stones_value(stones: np.uint64, weights: Numbers) -> Int:
    """The value of one side's stones."""
    columns = (
        popcount(stones)
        + popcount(stones & FIVE_COLUMNS)
        + popcount(stones & THREE_COLUMNS)
        + popcount(stones & MIDDLE_COLUMN)
    )
    pairs: Int = 0
    for direction in range(4):
        seeing = stones & (stones >> STEPS[direction])
        while seeing != ZERO:
            pairs += popcount(seeing)
            seeing = stones & (seeing >> STEPS[direction])
    return weights[COLUMN_WEIGHT] * columns + weights[REACHED_WEIGHT] * pairs


@njit(cache=True, nogil=True)
def value_of(
    own: np.uint64,
    opp: np.uint64,
    mine: np.uint64,
    theirs: np.uint64,
    ply: Int,
    depth: Int,
    alpha: Int,
    beta: Int,
    weights: Numbers,
) -> Int:
    """The minimax value of a position that has no line, for the side to move (fail-soft)."""
    weights[NODES] += 1
    stones = stones_value(own, weights) - stones_value(opp, weights)
    if own | opp == BOARD and mine == ZERO:
        return stones - weights[END_WEIGHT]
    if ply >= MOST_MOVEMENTS:
        return stones
    if depth == 0:
        if mine:
            after, others, _ = explode(own, opp, mine, theirs)
            if in_line(after):
                stones += weights[BOMB_WEIGHT]
            elif in_line(others):
                stones -= weights[BOMB_WEIGHT]
        return stones
    landing = landing_squares(own | opp)
    best: Int = -INFINITE
    for number in ORDER:
        bit = landing & (COLUMN << U(8 * number)) if number < BOOM else mine
        if bit == ZERO:
            continue
        own2, opp2, mine2, theirs2 = moved(own, opp, mine, theirs, ply, bit)
        floor = max(alpha, best)
        if in_line(own2) or in_line(opp2):
            sign: Int = 1 if in_line(own2) else -1
            value = stones_value(own2, weights) - stones_value(opp2, weights)
            value += sign * weights[END_WEIGHT]
            weights[NODES] += 1
        elif (ply + 1) & 1:
            value = -value_of(
                opp2, own2, theirs2, mine2, ply + 1, depth - 1, -beta, -floor, weights
            )
        else:
            value = value_of(own2, opp2, mine2, theirs2, ply + 1, depth - 1, floor, beta, weights)
        best = max(best, value)
        if best >= beta:
            break
    return best


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, its value for its maker, and the positions visited."""

    move: Move
    value: int
    nodes: int


@dataclass(frozen=True, slots=True)
class Weighted:
    """`tokens` with other weights; like it, of equal moves it makes the first."""

    weights: Weights
    depth: int = 8

    def choose(self, position: Position) -> Choice:
        """Return the choice in a position that is not over."""
        words = np.array([*astuple(self.weights), 0], np.int64)
        best, chosen = -INFINITE, position.legal_moves()[0]
        for move in position.legal_moves():
            value = self._value(position, position.play(move), best, words)
            if value > best:
                best, chosen = value, move
        return Choice(chosen, int(best), int(words[NODES]))

    def _value(self, position: Position, after: Position, best: int, words: Numbers) -> int:
        """The value of a move for its maker, or at most `best` if it is not better."""
        assert isinstance(after, BoomPosition), "tokens are counted in Conecta-4 BOOM only"
        own, opp, mine, theirs = words_of(after)
        same = after.to_move is position.to_move
        if after.outcome is not None:
            words[NODES] += 1
            stones = int(stones_value(own, words) - stones_value(opp, words))
            winner = after.outcome.winner
            sign = 0 if winner is None else 1 if winner is position.to_move else -1
            return (stones if same else -stones) + sign * self.weights.end
        window = (best, INFINITE) if same else (-INFINITE, -best)
        value = int(value_of(own, opp, mine, theirs, after.ply, self.depth - 1, *window, words))
        return value if same else -value
