"""Twelve lessons of Connect 4, from four in line to zugzwang; docs/lessons.md describes them.

A solution is written as the learner's moves with the opponent's replies between them; if several
moves are right at the end, they are written without a space between them. A marked square is its
column and its row from the bottom.
"""

from __future__ import annotations

from engine.core.game import Square, replay
from engine.core.problem import Diagram, Lesson, Problem, Step
from engine.games.connect4.rules import Connect4

CLASSIC, SMALL = Connect4(6, 7), Connect4(5, 4)


def lesson(
    key: str, shown: str, marked: str, *problems: Problem, is_played: bool = False
) -> Lesson:
    """Return a lesson; in `shown`, the moves after a space are those that the learner makes."""
    before, _, made = shown.partition(" ")
    learner = replay(CLASSIC, list(CLASSIC.moves(before))).to_move
    squares = frozenset(square(text) for text in marked.split())
    diagram = Diagram(CLASSIC, CLASSIC.moves(before + made), learner, squares)
    return Lesson(key, diagram, problems, is_played)


def square(text: str) -> Square:
    """The square of a column and a row from the bottom."""
    column, row = CLASSIC.moves(text)
    return Square(CLASSIC.rows - 1 - row, column)


def problem(moves: str, solution: str, game: Connect4 = CLASSIC) -> Problem:
    """A problem from the moves that lead to its position, and its solution."""
    words = [game.moves(word) for word in solution.split()]
    replies = [*words[1::2], ()][: len(words[::2])]
    steps = tuple(Step(*step) for step in zip(words[::2], replies, strict=True))
    return Problem(game, game.moves(moves), steps)


LESSONS = (
    lesson(
        "line",
        "445467 3",
        "",
        problem("223315", "4"),
        problem("42353434", "3"),
        problem("34443633457", "5"),
    ),
    lesson(
        "block",
        "42345",
        "61",
        problem("41243", "5"),
        problem("75737", "7"),
        problem("442323144", "3"),
    ),
    lesson(
        "first",
        "552545",
        "31 55",
        problem("441424", "3"),
        problem("4323434", "3"),
        problem("345646546355", "6"),
    ),
    lesson(
        "above",
        "644356543",
        "22",
        problem("3244424324", "23", SMALL),
        problem("3343433144", "14", SMALL),
        problem("55545344244634252252626", "6"),
    ),
    lesson(
        "open",
        "3353 4",
        "21 61",
        problem("4464", "5 3 7"),
        problem("62232", "4 1 5"),
        problem("3735434412", "2 1 5"),
    ),
    lesson(
        "fork",
        "344435334 6",
        "52 71",
        problem("4244342332", "5 2 6"),
        problem("254323225", "3 3 4"),
        problem("3524335534", "4 5 6"),
    ),
    lesson(
        "tempo",
        "65546466556 2",
        "31",
        problem("1472453534", "2 1 3 3 4"),
        problem("5255533363", "4 7 4 6 2"),
    ),
    lesson(
        "centre",
        "",
        "41 42 43 44 45 46",
        problem("", "4"),
        problem("44", "4"),
        problem("315", "4"),
    ),
    lesson(
        "hole",
        "25253554 3",
        "43",
        problem("42241342", "4"),
        problem("34441241", "2"),
        problem("322145234", "4"),
    ),
    lesson(
        "parity",
        "775336355 6",
        "42",
        problem("17424425", "4"),
        problem("352335562", "6"),
        problem("2421425564", "2"),
        problem("35532325413", "4"),
    ),
    lesson(
        "follow",
        "342455663444426 6",
        "72",
        problem("244443321451452", "2"),
        problem("5347471434144656556", "6"),
        problem("345125345443543542157", "7"),
    ),
    lesson(
        "zugzwang",
        "74556633447777724442226",
        "54",
        problem("3424432241212", "4", SMALL),
        problem("44522343674713356356443621621627727", "7"),
        problem("624235533653445525314366442661777717", "7"),
        is_played=True,
    ),
)
