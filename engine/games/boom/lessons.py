"""The lessons of BOOM; docs/lessons.md describes them.

A problem asks for the rest of a turn: for both movements only where their order is the only one.
"""

from __future__ import annotations

from engine.core import lessons
from engine.core.game import Square
from engine.core.problem import Lesson, LessonCourse, Problem, Step
from engine.games.boom.rules import SIDE, Boom

GAME = Boom()


def lesson(key: str, shown: str, marked: str, *problems: Problem) -> Lesson:
    """Return a lesson; in `shown`, the moves after a space are those that the learner makes.

    A marked square is its column and its row from the bottom.
    """
    squares = (Square(SIDE - int(text[1]), int(text[0]) - 1) for text in marked.split())
    return Lesson(key, lessons.diagram(GAME, shown, squares), problems)


def problem(moves: str, solution: str) -> Problem:
    """A problem from the movements that lead to its position, and its solution.

    The same player makes all movements of the solution; several are right only at the end.
    """
    steps = tuple(Step(GAME.moves(word)) for word in solution.split())
    return Problem(GAME, GAME.moves(moves), steps)


BASICS = (
    lesson(
        "turn",
        "23112447363 22",
        "",
        problem("644563127", "4 4"),
        problem("755464736", "5 5"),
        problem("35412356443453", "3"),
    ),
    lesson(
        "stop",
        "417752",
        "31 61",
        problem("6775", "7"),
        problem("1434", "5"),
        problem("73213373", "45"),
    ),
    lesson(
        "bomb",
        "44351477634 2",
        "",
        problem("41413346253", "7 B"),
        problem("3643752427363", "1 B"),
        problem("12327213467611674171", "B"),
    ),
    lesson(
        "defuse",
        "5213732346562253",
        "",
        problem("141533565252", "B"),
        problem("56664426263261215455", "B"),
    ),
    lesson(
        "backfire",
        "4464513233243441",
        "",
        problem("4212735553254542", "3"),
        problem("573431113655332354", "5"),
    ),
)

COURSES = (LessonCourse("basics", BASICS),)
