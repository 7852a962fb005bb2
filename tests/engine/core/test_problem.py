"""Problems: positions with moves to be found."""

from __future__ import annotations

import pytest

from engine.core.game import Move, Player
from engine.core.problem import Problem, Step
from tests.builders import CLASSIC


def steps(*texts: tuple[str, str]) -> tuple[Step, ...]:
    """Steps from their answers and replies, as players write them."""
    return tuple(Step(CLASSIC.moves(answers), CLASSIC.moves(replies)) for answers, replies in texts)


def test_each_step_is_asked_after_the_replies_to_the_ones_before() -> None:
    """Each step is asked in the position after the previous answers and replies."""
    problem = Problem(CLASSIC, CLASSIC.moves("4433"), steps(("5", "2"), ("6", "")))
    assert problem.solver is Player.FIRST
    assert problem.line == CLASSIC.moves("526")
    assert problem.made(0) == CLASSIC.moves("4433")
    assert problem.made(1) == CLASSIC.moves("443352")
    assert problem.position(2).outcome is not None
    assert problem.is_answer(0, Move(4))
    assert not problem.is_answer(1, Move(4))


def test_a_problem_has_an_answer_and_one_way_on() -> None:
    """Several answers are allowed only in the last step, because replies follow a single answer."""
    assert Problem(CLASSIC, (), steps(("345", ""))).line == CLASSIC.moves("3")
    for wrong in ((), steps(("", "")), steps(("34", "1"), ("4", ""))):
        with pytest.raises(ValueError, match="answer"):
            Problem(CLASSIC, (), wrong)
