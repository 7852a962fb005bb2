"""Ratings of puzzles from the answers of the ladder's rungs."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.problem import Problem, Step
from engine.core.registry import game_called
from engine.strength.elo import expected
from engine.strength.ladder import ladder_of
from engine.study.mining.grading import Answers, ask, graders, rating_of, solves, tries

CLASSIC, BOOM = map(game_called, ("6x7", "boom"))
STEPS = (Step(CLASSIC.moves("6"), CLASSIC.moves("5")), Step(CLASSIC.moves("6")))
WIN = Problem(CLASSIC, CLASSIC.moves("6643315733414416455"), STEPS)


@pytest.mark.parametrize("rating", [700, 1200, 1700])
def test_a_rating_explains_the_answers(rating: int) -> None:
    """If each rung solves a puzzle as often as a player of its rating would, that is its rating."""
    shares = [float(expected(rung.elo - rating)) for rung in graders(CLASSIC)]
    answers = Answers(tuple(round(1000 * share) for share in shares), (1000,) * len(shares))
    assert rating_of(CLASSIC, answers) == pytest.approx(rating, abs=3)


def test_a_puzzle_that_all_or_none_solve_has_a_rating() -> None:
    """A puzzle that all or none solve is rated near or beyond the ends; more tries move it on."""
    rungs = len(graders(CLASSIC))
    all_of_two, all_of_eight = (
        rating_of(CLASSIC, Answers((n,) * rungs, (n,) * rungs)) for n in (2, 8)
    )
    none = rating_of(CLASSIC, Answers((0,) * rungs, (2,) * rungs))
    assert -500 < all_of_eight < all_of_two < graders(CLASSIC)[0].elo + 100
    assert ladder_of(CLASSIC).rungs[-1].elo - 100 < none < 3000


def test_every_move_of_the_line_has_to_be_found() -> None:
    """A correct first move alone does not count as solved."""
    easy, hard = ladder_of(CLASSIC).named("easy"), ladder_of(CLASSIC).named("rung-12")
    assert solves(hard, WIN, Random(1))
    wrong = Problem(CLASSIC, WIN.moves, (WIN.steps[0], Step(CLASSIC.moves("1"))))
    assert not solves(hard, wrong, Random(1))
    answers = ask((easy, hard), "name", WIN, 0)
    assert answers.asked == (tries(easy), tries(hard)) == (4, 2)
    assert answers == ask((easy, hard), "name", WIN, 0)
    assert (answers + answers).asked == (8, 4)


def test_agents_that_depend_on_the_clock_are_not_asked() -> None:
    """`perfect` is not asked in a game without a solver, and rungs that waste moves in none."""
    classic, boom = ladder_of(CLASSIC), ladder_of(BOOM)
    assert graders(CLASSIC) == classic.rungs[classic.place_of(0) :]
    assert graders(BOOM) == boom.rungs[boom.place_of(-1) : -1]
