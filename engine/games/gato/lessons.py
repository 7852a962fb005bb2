"""The lessons of Gato; docs/lessons.md describes them."""

from __future__ import annotations

from engine.core import lessons
from engine.core.game import Square
from engine.core.problem import Lesson, LessonCourse, Problem
from engine.games.gato.rules import SIDE, Gato

GAME = Gato()


def lesson(key: str, shown: str, marked: str, *problems: Problem) -> Lesson:
    """Return a lesson; in `shown`, the moves after a space are those that the learner makes."""
    squares = (Square(*divmod(move, SIDE)) for move in GAME.moves(marked))
    return Lesson(key, lessons.diagram(GAME, shown, squares), problems)


def problem(moves: str, solution: str) -> Problem:
    """A problem from the moves that lead to its position, and its solution."""
    return lessons.problem(GAME, moves, solution)


BASICS = (
    lesson(
        "line",
        "a2c3b2d3c2b4 d2",
        "",
        problem("a2c3c4a4b2d3d2c1", "c2"),
        problem("c1a3b2a1d3a2c2", "a4"),
        problem("c2b1b3a3a4b4", "d1"),
    ),
    lesson(
        "block",
        "c3c1c2b1a3d3a4d2b4a2d1",
        "b3",
        problem("a3a4c3b1d2a2d3", "b3"),
        problem("b4c4d3c1d2a4d4", "d1"),
        problem("b4c3a4c4d1b2a3c2", "c1"),
    ),
    lesson(
        "fork",
        "a4d2b1a2c4b4c3b3d1a3 c1",
        "a1c2",
        problem("b2d3a4c4b4c1d1a3", "b3 b1 c2"),
        problem("d4d2a2c4b2c1a3b1", "a1 c3 a4"),
        problem("b1d4c3c1d2a2a3c4b4a4", "b3 b2 d3"),
    ),
    lesson(
        "stop",
        "d3a2a1b4c3c4d2",
        "d4",
        problem("d1b1c2a4d4a3b2b4c1", "a1a2"),
        problem("c2c4a4c3a3d3d2", "a1a2b2"),
        problem("b1d1b2c3a2c2d2a3", "b3d3a4"),
    ),
    lesson(
        "tempo",
        "c4d3b1a3b2d2c3b4 c1",
        "c2",
        problem("a3c2a1d1b1a4b3d2", "b2 b4 c3 d3 d4"),
        problem("c1a3b3b2b4d3c2d2", "c4 c3 a4 d1 d4"),
    ),
)

COURSES = (LessonCourse("basics", BASICS),)
