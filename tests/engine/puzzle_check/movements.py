"""The rules of BOOM on arrays, and what a side can force within a number of movements.

A level of `stack` holds a board: seven columns of seven squares from the bottom, 0 for empty, 1 and
2 for stones, 3 and 4 for their bombs. A movement is a column, or 7 for the bomb; it is made from
one level to the next.
"""

from __future__ import annotations

from typing import Any

from tests.engine.puzzle_check.compiling import compiled

SQUARES, SIDE, BOMB = 49, 7, 7
LAST = 200
"""The movement after which the game is drawn."""
OPEN, DRAW, ILLEGAL = 0, 3, -1
"""The results of a movement besides a win by side 1 or 2."""


@compiled
def mover(ply: Any) -> Any:
    """The mover after a number of movements: the first one alone, then two each."""
    return 1 + (ply + 1) // 2 % 2


@compiled
def lines_of(stack: Any, level: Any, side: Any) -> bool:
    """Whether a side has four in line."""
    base = level * SQUARES
    for column in range(SIDE):
        for row in range(SIDE):
            for way in range(4):
                right = 0 if way == 0 else 1
                up = 1 if way == 0 else way - 2
                last_column, last_row = column + 3 * right, row + 3 * up
                if last_column >= SIDE or last_row >= SIDE or last_row < 0:
                    continue
                count = 0
                for step in range(4):
                    cell = stack[base + (column + step * right) * SIDE + row + step * up]
                    if cell != side and cell != side + 2:
                        break
                    count += 1
                if count == 4:
                    return True
    return False


@compiled
def bomb_at(stack: Any, level: Any, side: Any) -> Any:
    """The square of a side's bomb, or -1."""
    for square in range(SQUARES):
        if stack[level * SQUARES + square] == side + 2:
            return square
    return -1


@compiled
def explode(stack: Any, level: Any, side: Any, square: Any) -> None:
    """Remove the bomb and the other side's stones from its row; the stones above fall."""
    row = square % SIDE
    for column in range(SIDE):
        at = level * SQUARES + column * SIDE
        cell = stack[at + row]
        if cell == side + 2 or cell == 3 - side or cell == 5 - side:
            for above in range(row, SIDE - 1):
                stack[at + above] = stack[at + above + 1]
            stack[at + SIDE - 1] = 0


@compiled
def make(stack: Any, level: Any, ply: Any, move: Any) -> Any:
    """Make a movement on the next level; returns its result."""
    base, side = level * SQUARES, mover(ply)
    bomb = bomb_at(stack, level, side)
    for square in range(SQUARES):
        stack[base + SQUARES + square] = stack[base + square]
    if move == BOMB:
        if bomb < 0:
            return ILLEGAL
        explode(stack, level + 1, side, bomb)
    else:
        row = 0
        while row < SIDE and stack[base + move * SIDE + row] != 0:
            row += 1
        if row == SIDE:
            return ILLEGAL
        turn_round = ((ply + 1) // 2 + 2) // 2
        is_bomb = turn_round % 4 == 0 and bomb < 0
        stack[base + SQUARES + move * SIDE + row] = side + 2 if is_bomb else side
    if lines_of(stack, level + 1, side):
        return side
    if move == BOMB and lines_of(stack, level + 1, 3 - side):
        return 3 - side
    following = mover(ply + 1)
    full = bomb_at(stack, level + 1, following) < 0
    for column in range(SIDE):
        if stack[base + SQUARES + column * SIDE + SIDE - 1] == 0:
            full = False
    if full:
        return 3 - following
    return DRAW if ply + 1 == LAST else OPEN


@compiled
def forced(stack: Any, level: Any, ply: Any, side: Any, within: Any) -> bool:
    """Whether a side can force a win within a number of movements by either side."""
    if within <= 0:
        return False
    own = mover(ply) == side
    if own:
        for move in range(BOMB + 1):
            if make(stack, level, ply, move) == side:
                return True
    for move in range(BOMB + 1):
        end = make(stack, level, ply, move)
        if end == ILLEGAL:
            continue
        wins = end == side
        if end == OPEN:
            wins = forced(stack, level + 1, ply + 1, side, within - 1)
        if wins == own:
            return own
    return not own
