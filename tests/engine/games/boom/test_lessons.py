"""The lessons of BOOM: every claim is checked by plain rules, and the answers are exact."""

from __future__ import annotations

import pytest

from engine.core.game import Cell
from engine.core.problem import Lesson, Problem
from engine.core.registry import games
from engine.games.boom.lessons import BASICS
from tests.engine.games.boom.lesson_claims import CLAIMS, asked, shown

PROBLEMS = [
    pytest.param(lesson.key, problem, id=f"{lesson.key}-{number}")
    for lesson in BASICS
    for number, problem in enumerate(lesson.problems, 1)
]
SIGNS = {Cell.FIRST: "1", Cell.SECOND: "2", Cell.FIRST_BOMB: "A", Cell.SECOND_BOMB: "B"}


def test_five_lessons_have_a_few_problems_each() -> None:
    """Each of the five lessons has two or three positions, all different up to symmetry."""
    assert games()["boom"].lessons == BASICS
    assert len({lesson.key for lesson in BASICS}) == 5
    assert all(2 <= len(lesson.problems) <= 3 for lesson in BASICS)
    boards = [asked(problem).columns for lesson in BASICS for problem in lesson.problems]
    assert len({min(board, board[::-1]) for board in boards}) == len(boards)


@pytest.mark.parametrize(("_key", "problem"), PROBLEMS)
def test_a_position_is_reached_by_the_rules(_key: str, problem: Problem) -> None:
    """The movements before a problem are legal, and lead to the same board by the plain rules."""
    at, cells = asked(problem), problem.position(0).cells()
    columns = [[row[column] for row in reversed(cells)] for column in range(7)]
    assert at.columns == tuple("".join(SIGNS.get(cell, "") for cell in one) for one in columns)
    assert at.player == str(problem.solver.value)


@pytest.mark.parametrize(("key", "problem"), PROBLEMS)
def test_the_answers_are_those_that_do_what_is_asked(key: str, problem: Problem) -> None:
    """The answers are exactly the movements that complete a four, or stop the other's."""
    CLAIMS[key](problem)


@pytest.mark.parametrize("lesson", BASICS, ids=lambda lesson: lesson.key)
def test_the_picture_is_what_the_words_are_about(lesson: Lesson) -> None:
    """The marked squares, and what a text says of its picture, follow from the rules."""
    marked = {(square.column + 1, 7 - square.row) for square in lesson.shown.marked}
    assert marked == shown(lesson)
