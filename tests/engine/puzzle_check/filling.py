"""Checking puzzles of Connect 4 and Gato, by perfect play to the end of the game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.engine.puzzle_check.boards import Board, connect4, gato
from tests.engine.puzzle_check.compiling import PLAIN, words_unless_plain
from tests.engine.puzzle_check.puzzles import Claimed, Found, Wrong, need
from tests.engine.puzzle_check.search import WIDEST, value

TABLE_SIZE = 99_991 if PLAIN else 15_999_989
"""Positions whose bounds are kept; a prime."""
BEYOND_VALUES = 100
"""Beyond every value."""


@dataclass(frozen=True)
class State:
    """A position: the stones of both sides as sets of squares, in the order of moving."""

    board: Board
    stones: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
    heights: tuple[int, ...] = ()

    @classmethod
    def start(cls, board: Board) -> State:
        """The empty board."""
        return cls(board, heights=(0,) * len(board.stacks))

    @property
    def ply(self) -> int:
        """The number of stones."""
        return sum(map(len, self.stones))

    @property
    def over(self) -> bool:
        """Whether a side has a line, or the board is full."""
        lines = (line <= side for side in self.stones for line in self.board.lines)
        return self.ply == self.board.squares or any(lines)

    @property
    def won(self) -> bool:
        """Whether the side that has just moved has a line."""
        return any(line <= self.stones[1 - self.ply % 2] for line in self.board.lines)

    def legal(self) -> list[int]:
        """The stacks that are not full."""
        sizes = map(len, self.board.stacks)
        full = (h == size for h, size in zip(self.heights, sizes, strict=True))
        return [] if self.over else [at for at, is_full in enumerate(full) if not is_full]

    def after(self, stack: int) -> State:
        """The position after a move; raises Wrong if it is not legal."""
        need(stack in self.legal(), f"an illegal move: {self.board.labels[stack]}")
        square = self.board.stacks[stack][self.heights[stack]]
        sides = [set(side) for side in self.stones]
        sides[self.ply % 2].add(square)
        heights = tuple(h + (at == stack) for at, h in enumerate(self.heights))
        return State(self.board, (frozenset(sides[0]), frozenset(sides[1])), heights)

    def name(self) -> str:
        """A text that is the same for all symmetric positions."""
        first, second = self.stones
        return min(
            "".join(
                sorted(f"{image[s]:02}x" for s in first) + sorted(f"{image[s]:02}o" for s in second)
            )
            for image in self.board.images
        )


class Solver:
    """Values of positions on one board, remembering results."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._known = tuple(words_unless_plain([0] * TABLE_SIZE) for _ in range(3))
        self._room = words_unless_plain([0] * (WIDEST * (board.squares + 1)))

    def value(self, state: State, alpha: int = -BEYOND_VALUES, beta: int = BEYOND_VALUES) -> int:
        """The value for the side to move of a position, which may be over; see `search`."""
        if state.over:
            return -(self.board.squares + 1 - state.ply) if state.won else 0
        bits = self.board.tables[0]
        own, other = (
            sum(int(bits[square]) for square in state.stones[side])
            for side in (state.ply % 2, 1 - state.ply % 2)
        )
        known = (*self._known, self._room)
        heights: Any = words_unless_plain(state.heights)
        return int(value(own, other, heights, state.ply, alpha, beta, self.board.tables, known))

    def result(self, state: State) -> int:
        """The result for the side to move: 1, 0 or -1."""
        found = self.value(state, -1, 1)
        return (found > 0) - (found < 0)


@cache
def solver_of(game: str) -> Solver:
    """The solver of a game, as GAME:VARIANT."""
    family, _, variant = game.partition(":")
    if family == "gato":
        return Solver(gato())
    rows, _, columns = variant.partition("x")
    return Solver(connect4(int(rows), int(columns)))


def check(claimed: Claimed) -> Found:
    """Check a puzzle; raises Wrong."""
    solver = solver_of(claimed.game)
    state, previous = State.start(solver.board), State.start(solver.board)
    for move in read(solver.board, claimed.moves):
        previous, state = state, state.after(move)
    if claimed.kind == "refute":
        need(solver.result(previous) >= 0, "the move before was no mistake: all lost")
    line = read(solver.board, claimed.line)
    need(len(line) % 2 == 1, "the line does not end with a move of the solver")
    wanted = {"win": 1, "refute": 1, "hold": 0}[claimed.kind]
    asked, trivial, start = [], True, state
    for number, move in enumerate(line):
        if number % 2 == 0:
            need_only(solver, state, move, wanted)
            asked.append(state.name())
            trivial = trivial and is_trivial(state, move)
        else:
            need_best(solver, state, move, wanted)
        state = state.after(move)
    if claimed.kind == "win":
        need_win(solver, start, state, claimed, len(asked))
    return Found(tuple(asked), trivial)


def read(board: Board, text: str) -> list[int]:
    """Moves as players write them."""
    length = len(board.labels[0])
    parts = [text[at : at + length] for at in range(0, len(text), length)]
    if not set(parts) <= set(board.labels):
        raise Wrong(f"no moves: {text}")
    return list(map(board.labels.index, parts))


def need_only(solver: Solver, state: State, move: int, wanted: int) -> None:
    """Require that exactly this move has the wanted result, and none a better one."""
    results = {one: -solver.result(state.after(one)) for one in state.legal()}
    best = max(results.values(), default=-1)
    right = [one for one, found in results.items() if found == best]
    label = solver.board.labels
    need(best == wanted, f"after {state.ply} moves the result is {best}, not {wanted}")
    names = ", ".join(label[one] for one in right)
    need(right == [move], f"after {state.ply} moves {names} are right, not just {label[move]}")
    need(len(results) > 1, f"after {state.ply} moves there is no choice")


def need_best(solver: Solver, state: State, move: int, wanted: int) -> None:
    """Require that a reply resists as long as possible or, in a draw, keeps the draw."""
    if not wanted:
        need(solver.result(state.after(move)) == 0, "a reply gives the draw away")
        return
    found = {one: -solver.value(state.after(one)) for one in state.legal()}
    need(found[move] == max(found.values()), f"after {state.ply} moves another reply lasts longer")


def need_win(solver: Solver, start: State, end: State, claimed: Claimed, asked: int) -> None:
    """Require the win at the move that the puzzle claims, or at the end of the line."""
    assert claimed.wins_in is not None
    last = start.ply + 2 * claimed.wins_in - 1
    found = solver.board.squares + 1 - solver.value(start)
    need(found == last, f"the win comes with stone {found}, not with {last}")
    if end.over:
        need(end.won and asked == claimed.wins_in, "the line is too long or too short")
        return
    need(asked == claimed.wins_in - 1, "the line is too long or too short")
    there = [end.after(reply) for reply in end.legal()]
    need(all(has_line(state) for state in there), "the win is not there where the line ends")


def has_line(state: State) -> bool:
    """Whether the side to move can complete a line."""
    return any(state.after(move).won for move in state.legal())


def is_trivial(state: State, move: int) -> bool:
    """Whether a move completes a line, or parries the only one that could be completed."""
    if state.after(move).won:
        return True
    return all(has_line(state.after(other)) for other in state.legal() if other != move)
