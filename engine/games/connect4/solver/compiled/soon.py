"""Wins with the second of the mover's next stones, found without a search: the rule SOON.

The mover of a quiet position cannot win with its next stone. It wins with the one after that if and
only if some move leaves the other side no answer: then two of the mover's winning squares can be
played, or one that has another directly above it, or all squares that can be played are directly
below one. So a question about the earliest end that is still possible needs no search.
"""

from __future__ import annotations

import numpy as np
from numba import types

from engine.core.compiled.bits import (
    DOWN1,
    INLINED,
    ONE,
    S1,
    UP1,
    U,
    landing,
    winning_squares,
)
from engine.core.compiled.compiling import njit
from engine.core.compiled.lanes import LANES, bits, chosen, everywhere, spread
from engine.core.compiled.memory import Words
from engine.games.connect4.solver.compiled.chain import OPP, OPP_WINS, OWN
from engine.games.connect4.solver.compiled.memory import BOARD, BOTTOM, RULES
from engine.games.connect4.solver.compiled.rules import Rule
from engine.games.connect4.solver.compiled.siblings import winning_squares_of

BY_LANES = U(int(Rule.LANES))

ZERO = U(0)


@njit(types.boolean(types.uint64, types.uint64, types.uint64, types.uint64[::1]), **LANES)
def some_lane_wins(own: np.uint64, opp: np.uint64, moves: np.uint64, memory: Words) -> bool:
    """Whether one of `moves` leaves the other side no answer, all tested at once."""
    played = spread(moves)
    occupied = everywhere(own | opp) | played
    empty = memory[BOARD] & ~occupied
    replies = ((occupied << S1) | memory[BOTTOM]) & empty
    wins = winning_squares_of(everywhere(own) | played) & empty
    threats = wins & replies
    double = (threats & (threats - ONE)) | (((threats & UP1) << S1) & wins)
    answers = replies & ~((wins & DOWN1) >> S1)
    return bool(bits(chosen(answers, double, everywhere(ONE))) & bits(played) != ZERO)


@njit("boolean(uint64, uint64, uint64, uint64[::1])", **INLINED)
def some_move_wins(own: np.uint64, opp: np.uint64, moves: np.uint64, memory: Words) -> bool:
    """The same as `some_lane_wins`, one move after the other."""
    while moves:
        bit = moves & (~moves + ONE)
        moves ^= bit
        occupied = own | opp | bit
        replies = landing(occupied, memory[BOTTOM], memory[BOARD])
        wins = winning_squares(own | bit) & memory[BOARD] & ~occupied
        threats = wins & replies
        if threats & (threats - ONE) or ((threats & UP1) << S1) & wins:
            return True
        if replies & ~((wins & DOWN1) >> S1) == ZERO:
            return True
    return False


@njit("boolean(uint64, uint64[::1])", **INLINED)
def wins_soon(at: np.uint64, memory: Words) -> bool:
    """Whether the side to move in the record at `at` wins with its second stone from now."""
    own, opp, opp_wins = memory[at + OWN], memory[at + OPP], memory[at + OPP_WINS]
    moves = landing(own | opp, memory[BOTTOM], memory[BOARD])
    forced = opp_wins & moves
    moves &= ~((opp_wins & DOWN1) >> S1)
    if forced:
        moves &= forced
    if memory[RULES] & BY_LANES:
        return bool(some_lane_wins(own, opp, moves, memory))
    return bool(some_move_wins(own, opp, moves, memory))
