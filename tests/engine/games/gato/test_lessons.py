"""The lessons of Gato: every claim is checked, and every solution proven."""

from __future__ import annotations

import pytest

from engine.core.problem import Lesson, Problem
from engine.core.registry import games
from engine.games.gato.exact import GatoSolver
from engine.games.gato.lessons import BASICS, GAME
from tests.engine.games.gato.lesson_claims import CLAIMS, LINES, shown

PROBLEMS = [
    pytest.param(lesson.key, problem, id=f"{lesson.key}-{number}")
    for lesson in BASICS
    for number, problem in enumerate(lesson.problems, 1)
]


def test_five_lessons_have_a_few_problems_each() -> None:
    """Each of the five lessons has two or three positions, all different up to symmetry."""
    assert games()["gato"].lessons == BASICS
    assert len({lesson.key for lesson in BASICS}) == 5
    assert all(2 <= len(lesson.problems) <= 3 for lesson in BASICS)
    images = games()["gato"].images(GAME)
    boards = [sum(problem.position(0).cells(), ()) for lesson in BASICS
        for problem in lesson.problems]  # fmt: skip
    same = {min(tuple(board[at] for at in image) for image in images) for board in boards}
    assert len(same) == len(boards)


@pytest.mark.parametrize(("_key", "problem"), PROBLEMS)
def test_the_answers_are_the_moves_that_keep_the_result(_key: str, problem: Problem) -> None:
    """In every step the answers are exactly the moves with the best result, which is not a loss."""
    for number, step in enumerate(problem.steps):
        proof = GatoSolver(GAME).values(problem.position(number))
        assert proof is not None
        best = max(proof.verdict.values())
        assert best > 0
        assert {m for m, share in proof.verdict.items() if share == best} == {*step.answers}


@pytest.mark.parametrize(("key", "problem"), PROBLEMS)
def test_a_problem_matches_the_claim_of_its_lesson(key: str, problem: Problem) -> None:
    """Each problem has what its lesson is about: a line, a block, two threats, ..."""
    CLAIMS[key](problem)


@pytest.mark.parametrize("lesson", BASICS, ids=lambda lesson: lesson.key)
def test_the_marked_squares_are_those_that_the_words_are_about(lesson: Lesson) -> None:
    """A lesson marks threats, or the squares with which the opponent would make two."""
    assert set(lesson.shown.marked) == shown(lesson)


def test_the_first_lesson_has_a_line_of_every_kind() -> None:
    """There are ten lines; the problems of the first lesson complete one of each kind."""
    assert len(LINES) == 10
    kinds = []
    for problem in BASICS[0].problems:
        outcome = problem.position(0).play(problem.steps[0].answers[0]).outcome
        assert outcome is not None
        rows, columns = ({at[axis] for at in outcome.squares} for axis in (0, 1))
        kinds.append((len(rows), len(columns)))
    assert kinds == [(1, 4), (4, 1), (4, 4)]
