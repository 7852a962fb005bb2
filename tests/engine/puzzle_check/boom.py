"""Checking puzzles of BOOM by what can be forced within `HORIZON` movements."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tests.engine.puzzle_check.compiling import words
from tests.engine.puzzle_check.movements import (
    BOMB,
    ILLEGAL,
    LAST,
    OPEN,
    SIDE,
    SQUARES,
    forced,
    make,
    mover,
)
from tests.engine.puzzle_check.puzzles import Claimed, Found, Wrong, need

HORIZON = 8
"""Movements within which a win or a loss counts."""
PERIOD = 16
"""Movements after which the sequence of bombs repeats."""
LABELS = "1234567B"


@dataclass(frozen=True)
class State:
    """A position, whose properties are computed when they are first needed."""

    cells: tuple[int, ...] = (0,) * SQUARES
    ply: int = 0
    end: int = OPEN
    """The winner, or one of the other results in `movements`."""

    @property
    def mover(self) -> int:
        """1 or 2."""
        return int(mover(self.ply))

    @cached_property
    def after(self) -> dict[int, State]:
        """The positions after all legal movements."""
        if self.end != OPEN:
            return {}
        found = {}
        for move in range(BOMB + 1):
            stack = words([*self.cells, *[0] * SQUARES])
            end = int(make(stack, 0, self.ply, move))
            if end != ILLEGAL:
                cells = tuple(int(cell) for cell in stack[SQUARES:])
                found[move] = State(cells, self.ply + 1, end)
        return found

    def forces(self, side: int, within: int) -> bool:
        """Whether a side wins within this number of movements."""
        if self.end != OPEN:
            return self.end == side
        stack = words([*self.cells, *[0] * (SQUARES * (HORIZON + 1))])
        return bool(forced(stack, 0, self.ply, side, within))

    def distance(self, side: int) -> int:
        """Movements in which a side wins; one more than the horizon if it does not win in it."""
        tried = range(HORIZON + 1)
        return next((within for within in tried if self.forces(side, within)), HORIZON + 1)

    def result(self, move: int) -> int:
        """The result of a movement for its mover within the horizon: 1, 0 or -1."""
        there = self.after[move]
        if there.forces(self.mover, HORIZON - 1):
            return 1
        return -1 if there.forces(3 - self.mover, HORIZON - 1) else 0

    def name(self) -> str:
        """A text that is the same for both mirror images."""
        columns = [self.cells[at : at + SIDE] for at in range(0, SQUARES, SIDE)]
        return f"{min(columns, columns[::-1])} {self.ply % PERIOD}"


def check(claimed: Claimed) -> Found:
    """Check a puzzle; raises Wrong."""
    need(claimed.game == "boom:7x7", f"unknown rules: {claimed.game}")
    state = previous = State()
    for move in read(claimed.moves):
        previous, state = state, following(state, move)
    need(state.ply + 2 * HORIZON < LAST, "too near the longest game")
    solver, wanted = state.mover, int(claimed.kind != "hold")
    if claimed.kind == "refute":
        need(previous.mover != solver, "it was not the other side that moved before")
        results = {previous.result(move) for move in previous.after}
        need(max(results) >= 0, "the movement before was no mistake: all lost")
        need(state.forces(solver, HORIZON - 1), "the movement before was no mistake: it holds")
    asked, trivial, start, line = [], True, state, read(claimed.line)
    for move in line:
        if state.mover == solver:
            need_only(state, move, wanted)
            asked.append(state.name())
            trivial = trivial and is_trivial(state, move)
        else:
            need_best(state, move, wanted)
        last, state = state, following(state, move)
    need(last.mover == solver, "the line does not end with a movement of the solver")
    if claimed.kind == "win":
        need_win(start, state, claimed, len(line), len(asked))
    return Found(tuple(asked), trivial)


def read(text: str) -> list[int]:
    """Movements as players write them."""
    if not set(text) <= set(LABELS):
        raise Wrong(f"no movements: {text}")
    return [LABELS.index(move) for move in text]


def following(state: State, move: int) -> State:
    """The position after a movement; raises Wrong if it is not legal."""
    need(move in state.after, f"an illegal movement: {LABELS[move]}")
    return state.after[move]


def need_only(state: State, move: int, wanted: int) -> None:
    """Require that exactly this movement has the wanted result, and none a better one."""
    results = {one: state.result(one) for one in state.after}
    best = max(results.values())
    right = [one for one, found in results.items() if found == best]
    need(best == wanted, f"after {state.ply} movements the result is {best}, not {wanted}")
    names = ", ".join(LABELS[one] for one in right)
    need(right == [move], f"after {state.ply} movements {names} are right, not {LABELS[move]}")
    need(len(results) > 1, f"after {state.ply} movements there is no choice")


def need_best(state: State, move: int, wanted: int) -> None:
    """A reply resists as long as possible or, if neither side wins, does not lose."""
    if not wanted:
        need(state.result(move) >= 0, "a reply loses")
        return
    found = {one: there.distance(3 - state.mover) for one, there in state.after.items()}
    best = max(found.values())
    need(found[move] == best, f"after {state.ply} movements another reply lasts longer")


def need_win(start: State, end: State, claimed: Claimed, made: int, asked: int) -> None:
    """Require the win at the movement that the puzzle claims, or at the end of the line."""
    solver, found = start.mover, start.distance(start.mover)
    assert claimed.wins_in is not None
    if end.end == OPEN:
        replies = 0
        while mover(end.ply + replies) != solver:
            replies += 1
        need(asked == claimed.wins_in - 1, "the line is too long or too short")
        need(found == made + replies + 1, f"the win comes with movement {found}")
        need(end.forces(solver, replies + 1), "the win is not there where the line ends")
    else:
        need(end.end == solver and asked == claimed.wins_in, "the line is too long or too short")
        need(found == made, f"the win comes with movement {found}, not with {made}")


def is_trivial(state: State, move: int) -> bool:
    """Whether a movement completes a line, or parries the only one that could be completed."""
    if state.after[move].end == state.mover:
        return True
    others = [there for one, there in state.after.items() if one != move]
    return all(there.mover != state.mover and there.forces(there.mover, 1) for there in others)
