"""How the lessons of Connect 4 are written down; a marked square is its column and its row."""

from __future__ import annotations

from engine.core import lessons
from engine.core.game import Square
from engine.core.problem import Lesson, Problem
from engine.games.connect4.rules import Connect4

CLASSIC, SMALL = Connect4(6, 7), Connect4(5, 4)


def lesson(
    key: str, shown: str, marked: str, *problems: Problem, is_played: bool = False
) -> Lesson:
    """Return a lesson; in `shown`, the moves after a space are those that the learner makes."""
    diagram = lessons.diagram(CLASSIC, shown, map(square, marked.split()))
    return Lesson(key, diagram, problems, is_played)


def square(text: str) -> Square:
    """The square of a column and a row from the bottom."""
    column, row = CLASSIC.moves(text)
    return Square(CLASSIC.rows - 1 - row, column)


def problem(moves: str, solution: str, game: Connect4 = CLASSIC) -> Problem:
    """A problem from the moves that lead to its position, and its solution."""
    return lessons.problem(game, moves, solution)
