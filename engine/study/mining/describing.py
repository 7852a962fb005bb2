"""What follows from a puzzle and is stored with it: themes, distances, and which contains which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.core.game import Position
from engine.core.values import is_decided, moves_to_end
from engine.study.mining.lines import Judge, Scores
from engine.study.mining.miner import canonical, passed
from engine.study.puzzles import Puzzle, PuzzleKind
from engine.study.themes import finish_of, forced_moves, themes_of


def described(puzzle: Puzzle, judge: Judge) -> Puzzle:
    """Return a puzzle with its themes, its distance and its finish.

    Raises ValueError if the judge cannot prove the moves.
    """
    problem, is_defence = puzzle.problem, puzzle.kind is PuzzleKind.HOLD
    end, solver = problem.position(puzzle.asked), problem.solver
    forced = 0 if is_defence else forced_moves(end, solver, puzzle.asked)
    return replace(
        puzzle,
        themes=themes_of(problem, is_defence=is_defence, forced=forced),
        forced=forced,
        distance=_threatened_distance(puzzle, judge) if is_defence else _distance(puzzle, judge),
        finish=() if is_defence else finish_of(end, solver),
    )


def _distance(puzzle: Puzzle, judge: Judge) -> int:
    """The solver's moves until the win."""
    position = puzzle.problem.position(0)
    return moves_to_end(_scores(judge, position)[puzzle.problem.line[0]], position.ply)


def _threatened_distance(puzzle: Puzzle, judge: Judge) -> int:
    """The greatest number of moves until the other side's win after a wrong move."""
    found = list[int]()
    for number in range(puzzle.asked):
        position = puzzle.problem.position(number)
        losing = (score for score in _scores(judge, position).values() if is_decided(score))
        found += [moves_to_end(score, position.ply) for score in losing if score < 0]
    return max(found)


def _scores(judge: Judge, position: Position) -> Scores:
    scores = judge.scores(position)
    if scores is None:
        raise ValueError("the moves of a puzzle cannot be proven")
    return scores


def related(puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    """Return a board's puzzles, each with the first one whose solution contains its position."""
    containing = dict[str, str]()
    for puzzle in puzzles:
        for position in passed(puzzle.problem.position(0), puzzle.played.line):
            containing.setdefault(position, puzzle.id)
    return [
        replace(puzzle, within=containing.get(canonical(puzzle.problem.position(0)), ""))
        for puzzle in puzzles
    ]
