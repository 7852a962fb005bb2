"""Analyses, reviews and refutations are measured and compared with the solver."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from benchmarks.study import (
    Wanted,
    answers,
    cells,
    compare,
    differs,
    full_board,
    positions,
    refutation_row,
    refuted,
    report,
    reviewed,
    timed,
)
from engine.core.game import Player
from engine.core.problem import Problem, Step
from engine.games.connect4.rules import Connect4
from engine.study.analysis import best_line
from engine.study.exercises import exercises
from engine.study.review import review

GAME = Connect4(5, 4)


def test_analyses_of_a_game_are_timed() -> None:
    """On a small board all analyses of a game are proven."""
    found = [(position, *timed(position)) for position in positions(GAME, Random(1))]
    assert cells(found)[:2] == (len(found), "100%")


def test_every_move_of_a_game_is_compared() -> None:
    """On a small board all moves are compared with the solver, and none differs."""
    done = reviewed(Wanted("5x4", 3, 0, ("random", "easy")))
    assert done.wrong == ()
    assert done.compared == done.proven == done.plies > 6
    lines = list(report("5x4", [done]))
    assert lines[0] == f"5x4: 1 games, {done.plies} moves, {done.plies} proven"
    assert lines[1] == f"compared with the solver: {done.plies}, wrong: 0"


def test_a_wrong_review_is_found() -> None:
    """A review that is shifted by one move differs in every move."""
    moves = GAME.moves("12123144")
    found = review(GAME, moves)
    assert compare(GAME, moves, found, 0) == (8, [])
    shifted = replace(found, moves=(found.moves[0], *found.moves[:-1]))
    compared, wrong = compare(GAME, moves, shifted, 4)
    assert compared == len(wrong) == 4
    assert len(full_board(GAME, Random(1))) == 20


def test_every_wrong_answer_is_refuted() -> None:
    """On a small board each wrong answer gets a proven line and an animation."""
    done = refuted(("5x4", 3))
    assert done
    assert all(one.proven and one.size > 1000 and not one.differs for one in done)
    assert refutation_row("5x4", done).startswith(f"| 5x4 | {len(done)} | 100% | 0 |")


def test_a_line_with_a_different_end_is_found() -> None:
    """The line of another move, which has a better value, differs from the review."""
    found = review(GAME, GAME.moves("12123144"))
    exercise = next(one for player in Player for one in exercises(found, player))
    assert sum(1 for _ in answers(GAME, exercise)) == 4 - len(exercise.solutions)
    problem = Problem(GAME, exercise.moves, (Step(exercise.solutions),))
    better = best_line(GAME.start(), (*exercise.moves, *exercise.solutions[:1]), seconds=1)
    assert differs(problem, exercise, exercise.played.move, better)
    assert not differs(problem, exercise, exercise.played.move, replace(better, proven=False))
