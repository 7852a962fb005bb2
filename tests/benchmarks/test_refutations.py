"""What follows wrong answers, compared with what the review has proven."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.refutations import answers, differs, refuted, row
from engine.core.game import Player
from engine.core.problem import Problem, Step
from engine.games.connect4.rules import Connect4
from engine.study.analysis import best_line
from engine.study.exercises import exercises
from engine.study.review import review

GAME = Connect4(5, 4)


def test_every_wrong_answer_is_refuted() -> None:
    """Each legal move that is not right, with a proof and a picture on a small board."""
    done = refuted(("5x4", 3))
    assert done
    assert all(one.proven and one.size > 1000 and not one.differs for one in done)
    assert row("5x4", done).startswith(f"| 5x4 | {len(done)} | 100% | 0 |")


def test_a_line_that_ends_otherwise_is_found() -> None:
    """Here the line of another move, which is worth more."""
    found = review(GAME, GAME.moves("12123144"))
    exercise = next(one for player in Player for one in exercises(found, player))
    assert sum(1 for _ in answers(GAME, exercise)) == 4 - len(exercise.solutions)
    problem = Problem(GAME, exercise.moves, (Step(exercise.solutions),))
    better = best_line(GAME.start(), (*exercise.moves, *exercise.solutions[:1]), seconds=1)
    assert differs(problem, exercise, exercise.played.move, better)
    assert not differs(problem, exercise, exercise.played.move, replace(better, proven=False))
