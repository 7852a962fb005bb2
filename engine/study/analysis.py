"""The analysis of a position for people: the value of every move, and the line of best play.

Limits of time are counted in nodes, so that the same position has the same analysis on every
machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import eq
from time import perf_counter
from typing import ClassVar

from engine.core.analysis import Analysis
from engine.core.exact import ExactSolver, values_by
from engine.core.game import Game, Move, Position
from engine.core.kept import TABLES
from engine.core.kernel import KernelKind
from engine.core.limits import Limit, Stop
from engine.core.position_code import position_of
from engine.core.registry import package_of
from engine.core.search import Deepening, analyse, from_the_middle
from engine.core.values import is_decided
from engine.strength.judging import FULL_MARGIN


def wall_clock_limit(seconds: float) -> float:
    """Return a generous wall-clock limit for work that takes `seconds` on an idle core."""
    return 5 * (seconds + 1)


def nodes_in(game: Game, seconds: float) -> int:
    """Return the number of nodes for `seconds` of one core, at least one.

    Limits of time are counted in nodes, so that the same work has the same result on every machine.
    """
    return max(int(seconds * package_of(game).nodes_per_second), 1)


@dataclass(frozen=True, slots=True)
class Line:
    """A sequence of moves."""

    moves: tuple[Move, ...]
    proven: bool
    """Whether the moves of both sides, after the given ones, are best moves to the game's end."""
    depth: int = 0
    """Plies searched, if it is not proven."""


def best_line(
    position: Position,
    moves: Sequence[Move] = (),
    *,
    seconds: float,
    stop: Stop | None = None,
    solver: ExactSolver | None = None,
) -> Line:
    """The best play after `moves`, beginning with them.

    It goes to the end if it is proven within `seconds` of one core; from the first unproven move on
    it is what a search expects, which is a proof if the search sees the end. A winner wins as soon,
    a loser loses as late as possible; of equal moves the one nearest to the middle is chosen.
    Raises IllegalMove for moves that the rules do not allow.
    """
    solver = solver or package_of(position).solver(position.game)
    ends, nodes = perf_counter() + wall_clock_limit(seconds), nodes_in(position.game, seconds)
    line = list(moves)
    for move in moves:
        position = position.play(move)
    while position.outcome is None:
        left = max(ends - perf_counter(), 0.0)
        proof = values_by(solver, position, nodes=max(nodes, 1), seconds=left, stop=stop)
        if proof is None:
            return _searched(line, position, max(nodes_in(position.game, seconds) // 10, 1), stop)
        nodes -= proof.nodes
        move = nearest_to_middle(position, proof)
        line.append(move)
        position = position.play(move)
    return Line(tuple(line), proven=True)


def _searched(made: Sequence[Move], position: Position, nodes: int, stop: Stop | None) -> Line:
    """The line that a search expects after the moves made; proven if it sees the end."""
    line = list(made)
    while position.outcome is None:
        found = analyse(position, Limit(nodes=nodes), stop, FULL_MARGIN, kind=KernelKind.FITTED)
        move = nearest_to_middle(position, found)
        if not is_decided(found.top):
            return Line((*line, *found.lines[move]), proven=False, depth=found.depth)
        # Only this move is certain: the rest of its line may be short, and not the best defence.
        line.append(move)
        position = position.play(move)
    return Line(tuple(line), proven=True)


def nearest_to_middle(position: Position, analysis: Analysis) -> Move:
    """The best move nearest to the middle of all moves; of two, the first."""
    best = analysis.best()
    return next(move for move in from_the_middle(position) if move in best)


SECONDS = 2.0
"""Seconds of one core for an analysis."""

PROVING, SEARCHING, LINE = 0.5, 0.3, 0.2
"""The shares of that time for the proof, for a search if it fails, for the best line. Where a proof
is not attempted, its share goes to the search."""

ENOUGH, SEARCHES = 8, 8
"""The length of an unproven line that suffices, and the searches that may extend a shorter one."""


FURTHER = 4.0
"""Seconds of one core for each time that an analysis goes on."""


@dataclass(frozen=True, slots=True)
class PositionAnalysis:
    """A position that is not over, with its analysis and the best line; a plain value."""

    analysis: Analysis
    """Every legal move with its exact value, or with the score of a search."""
    line: Line
    """The best play from the position."""
    earlier: int = 0
    """The depth that an earlier analysis had reached, if this one was asked to go on from it."""

    @property
    def is_open(self) -> bool:
        """Whether it could find out more by going on."""
        known = self.analysis.proven or self.analysis.in_book
        return not known and not is_decided(self.analysis.top)


class Begun:
    """A proof and a search of one position, which can both go on with their tables."""

    def __init__(self, position: Position) -> None:
        """Begin with empty tables."""
        self.position = position
        self.solver = package_of(position).solver(position.game)
        self._search: Deepening | None = None

    @property
    def search(self) -> Deepening:
        """The search, whose table is created when it is first used."""
        self._search = self._search or Deepening(self.position, margin=FULL_MARGIN)
        return self._search

    @property
    def size(self) -> int:
        """The bytes of its tables."""
        proof = 0 if self.solver is None else self.solver.table_bytes
        return proof + (0 if self._search is None else self._search.size)


def analyse_position(
    position: Position,
    *,
    seconds: float = SECONDS,
    stop: Stop | None = None,
    begun: Begun | None = None,
) -> PositionAnalysis:
    """Analyse a position.

    `seconds` of one core are counted in nodes (see `nodes_in`), so that a position has the same
    analysis on every machine; `stop` ends the work at once. Values that are not proven by then come
    from a search of at least one ply. With `begun`, an earlier analysis goes on. Raises ValueError
    for a position that is over.
    """
    if position.outcome is not None:
        raise ValueError("the game is over: there is nothing to analyse")
    package, begun = package_of(position), begun or Begun(position)
    solver = begun.solver
    proving = PROVING * seconds if package.worth_proving(position) else 0.0
    nodes = nodes_in(position.game, proving) if proving else 0
    proof = values_by(solver, position, nodes=nodes, seconds=wall_clock_limit(proving), stop=stop)
    if proof is not None:
        # The solver's table now makes the moves of the line quick to prove.
        line = best_line(position, seconds=LINE * seconds, stop=stop, solver=solver)
        return PositionAnalysis(proof, line)
    searching = (PROVING + SEARCHING) * seconds - proving
    limit = Limit(seconds=wall_clock_limit(searching), nodes=nodes_in(position.game, searching))
    found = package.informed(position, begun.search.go_on(limit, stop))
    expected = found.lines[nearest_to_middle(position, found)]
    if not is_decided(found.top):
        seen = _extended(position, expected, LINE * seconds, stop)
        return PositionAnalysis(found, Line(seen, proven=False, depth=found.depth))
    # The line that a search remembers may be shorter than its depth.
    line = best_line(position, expected, seconds=LINE * seconds, stop=stop, solver=solver)
    return PositionAnalysis(found, line)


def analyse_and_keep(
    position: Position, *, goes_on: bool, seconds: float, stop: Stop | None = None
) -> PositionAnalysis:
    """Analyse a position as `analyse_position` does, and keep the tables unless all is known.

    With `goes_on` it begins where the last analysis of the position ended, if its tables are still
    kept; otherwise anew.
    """
    earlier: Begun | None = TABLES.take("analysis", position, eq)
    begun = earlier if earlier is not None and goes_on else Begun(position)
    found = analyse_position(position, seconds=seconds, stop=stop, begun=begun)
    if found.is_open:
        TABLES.keep("analysis", position, begun, begun.size)
    return found


def _extended(
    position: Position, moves: Sequence[Move], seconds: float, stop: Stop | None
) -> tuple[Move, ...]:
    """A line that a search expects, extended by further searches if it is short."""
    line = list(moves)
    for move in moves:
        position = position.play(move)
    for _ in range(SEARCHES):
        if position.outcome is not None or len(line) >= ENOUGH:
            break
        nodes = nodes_in(position.game, seconds / SEARCHES)
        found = analyse(position, Limit(nodes=nodes), stop, FULL_MARGIN, kind=KernelKind.FITTED)
        expected = found.lines[nearest_to_middle(position, found)]
        for move in expected:
            position = position.play(move)
        line += expected
    return tuple(line)


@dataclass(frozen=True, slots=True)
class ShowLine:
    """The task of finding the best play from the position."""

    priority: ClassVar[int] = 25
    takes_limit: ClassVar[bool] = False

    seconds: float = 0.5
    """Seconds of one core, counted in nodes."""

    def run(
        self,
        game: Game,
        moves: Sequence[Move],
        *,
        seed: int,
        limit: Limit | None,
        stop: Stop | None,
    ) -> Line:
        """Return the game so far and the best play after it."""
        return best_line(game.start(), moves, seconds=self.seconds, stop=stop)

    def parts(self, game: Game) -> tuple[str, ...]:
        """Return all compiled parts of the game."""
        return package_of(game).part_names()


@dataclass(frozen=True, slots=True)
class AnalysePosition:
    """The task of finding the value of every move of a position, and the best play from there."""

    priority: ClassVar[int] = 20
    takes_limit: ClassVar[bool] = False

    code: str
    """The position's code. The job itself has no moves, because a position may have been set up."""
    seconds: float = SECONDS
    """Seconds of one core, counted in nodes."""
    goes_on: bool = False
    """Whether to go on from the last analysis, if this process has kept its tables."""

    def run(
        self,
        game: Game,
        moves: Sequence[Move],
        *,
        seed: int,
        limit: Limit | None,
        stop: Stop | None,
    ) -> PositionAnalysis:
        """Return the analysis of the position with the code."""
        position = position_of(self.code)
        return analyse_and_keep(position, goes_on=self.goes_on, seconds=self.seconds, stop=stop)

    def parts(self, game: Game) -> tuple[str, ...]:
        """Return all compiled parts of the game."""
        return package_of(game).part_names()
