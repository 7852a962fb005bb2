"""The lessons of Connect 4: every claim is checked, and every solution proven."""

from __future__ import annotations

import pytest

from engine.core.boards import fours
from engine.core.exact import ExactSolver
from engine.core.game import Game, Player, replay, target
from engine.core.problem import Lesson, Problem
from engine.core.registry import games as all_games
from engine.games.connect4.lessons.basics import BASICS
from engine.games.connect4.lessons.plans import PLANS
from engine.games.connect4.rules import Connect4, Connect4Position
from tests.engine.games.connect4 import lesson_claims as basics
from tests.engine.games.connect4 import plan_claims as plans
from tests.engine.games.connect4.lesson_claims import (
    directions,
    ends_of_answering_above,
    odd_columns,
    row_number,
    threats,
    waiting,
)

FAMILY = all_games()["connect4"]
LESSONS = FAMILY.lessons
CLAIMS = basics.CLAIMS | plans.CLAIMS
PROBLEMS = [
    pytest.param(lesson.key, problem, id=f"{lesson.key}-{number}")
    for lesson in LESSONS
    for number, problem in enumerate(lesson.problems, 1)
]


@pytest.fixture(scope="module")
def provers() -> dict[Game, ExactSolver]:
    """The exact solver of each board that lessons use."""
    games = {problem.game for lesson in LESSONS for problem in lesson.problems}
    return {game: FAMILY.solver(game) for game in games}


def test_lessons_have_a_few_problems_each() -> None:
    """Twelve lessons and eight have two to four positions each, all different up to symmetry."""
    assert [course.lessons for course in FAMILY.courses] == [BASICS, PLANS]
    assert (len(BASICS), len(PLANS), len({lesson.key for lesson in LESSONS})) == (12, 8, 20)
    assert all(2 <= len(lesson.problems) <= 4 for lesson in LESSONS)
    boards = [problem.position(0).cells() for lesson in LESSONS for problem in lesson.problems]
    mirrored = [tuple(row[::-1] for row in board) for board in boards]
    assert len({min(pair) for pair in zip(boards, mirrored, strict=True)}) == len(boards)
    assert [lesson.is_played for lesson in BASICS] == [False] * 11 + [True]
    assert not any(lesson.is_played for lesson in PLANS)


@pytest.mark.parametrize(("key", "problem"), PROBLEMS)
def test_the_answers_are_the_moves_that_keep_the_result(
    key: str, problem: Problem, provers: dict[Game, ExactSolver]
) -> None:
    """In every step the answers are exactly the moves with the best result, which is not a loss.

    In lost positions they are those that hold out longest.
    """
    for number, step in enumerate(problem.steps):
        proof = provers[problem.game].values(problem.position(number), nodes=10**8, seconds=60)
        assert proof is not None
        is_lost = key == "defend"
        value_of = proof.scores if is_lost else proof.verdict
        best = max(value_of.values())
        assert is_lost or best > 0
        assert {move for move, value in value_of.items() if value == best} == {*step.answers}


@pytest.mark.parametrize(("key", "problem"), PROBLEMS)
def test_a_problem_matches_the_claim_of_its_lesson(key: str, problem: Problem) -> None:
    """Each problem has what its lesson is about: a threat, an unreachable square, a row, ..."""
    CLAIMS[key](problem)


def test_the_first_lesson_has_a_line_of_every_kind() -> None:
    """The problems of the first lesson have a line across, an upright one and a diagonal."""
    found = []
    for problem in BASICS[0].problems:
        position = problem.position(0)
        square = target(position, problem.steps[0].answers[0])
        assert square is not None
        found += directions(position.cells(), problem.solver, square)
    assert found[:2] == [(0, 1), (1, 0)]
    assert found[2] in ((1, 1), (1, -1))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_the_marked_squares_are_those_that_the_words_are_about(lesson: Lesson) -> None:
    """A lesson marks the learner's or the opponent's threats, or the middle column."""
    course = basics if lesson in BASICS else plans
    assert set(lesson.shown.marked) == course.shown(lesson)
    if lesson.key == "line":
        outcome = lesson.shown.position.outcome
        assert outcome is not None
        assert outcome.winner is lesson.shown.learner
    if lesson.key in ("hole", "parity", "follow", "zugzwang"):
        assert waiting(lesson.shown.position, lesson.shown.learner) == lesson.shown.marked
    if lesson.key in ("parity", "follow", "zugzwang"):
        (square,) = lesson.shown.marked
        assert lesson.shown.learner is Player.SECOND
        assert row_number(lesson.shown.position, square) % 2 == 0


def test_the_claims_about_the_middle() -> None:
    """There are 69 lines; 13 go through either of the two middle squares, 3 through a corner."""
    game = Connect4(6, 7)
    lines = [set(game.squares(four)) for four in fours(6, 7)]
    assert len(lines) == 69
    through = {square: sum(square in line for line in lines) for square in set().union(*lines)}
    assert [s for s, count in through.items() if count == max(through.values())] in (
        [(2, 3), (3, 3)],
        [(3, 3), (2, 3)],
    )
    assert max(through.values()) == 13
    assert {through[s] for s in through if s.row in (0, 5) and s.column in (0, 6)} == {3}
    across = [line for line in lines if len({square.row for square in line}) == 1]
    assert all(any(square.column == 3 for square in line) for line in across)


def test_the_game_is_won_by_answering_above(provers: dict[Game, ExactSolver]) -> None:
    """Only answering above wins the game of the lesson, and always doing so wins it."""
    diagram = BASICS[-1].shown
    game, position, learner = diagram.game, diagram.position, diagram.learner
    assert isinstance(position, Connect4Position)
    last = diagram.moves[-1]
    assert odd_columns(position) == {last}
    assert not threats(position, learner.other)
    proof = provers[game].values(position, nodes=10**8, seconds=60)
    assert proof is not None
    assert len(proof.verdict) >= 4
    assert [move for move, share in proof.verdict.items() if share == 1] == [last]
    ends = list(ends_of_answering_above(position.play(last)))
    assert ends
    for end in ends:
        assert end.outcome is not None
        assert end.outcome.winner is learner
        assert diagram.marked < end.outcome.squares


def test_the_parts_of_a_lesson() -> None:
    """A lesson's parts are its problems, and the game if there is one."""
    assert [lesson.parts for lesson in LESSONS] == [
        len(lesson.problems) + lesson.is_played for lesson in LESSONS
    ]
    assert BASICS[-1].parts == len(BASICS[-1].problems) + 1
    assert replay(LESSONS[0].shown.game, []).to_move is LESSONS[0].shown.learner
