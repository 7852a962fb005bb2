"""Exercises from the worst moves of a game."""

from __future__ import annotations

from dataclasses import replace

from engine.core.compiled.scores import WIN
from engine.core.game import Move, Player
from engine.core.reason import Reason, ReasonKind
from engine.core.registry import game_called
from engine.study.exercises import exercises, solutions
from engine.study.move_class import MoveClass
from engine.study.review import Review, review
from tests.engine.study.test_review import reviewed

ONE, TWO = Player


def test_the_worst_moves_come_first() -> None:
    """At most the requested number of exercises, of that player only, without good moves."""
    slow, lost = reviewed(0, ONE, 1, WIN - 9, WIN - 29), reviewed(2, ONE, 1, WIN - 9, 8 - WIN)
    others, good = reviewed(1, TWO, 1, 0, 8 - WIN), reviewed(3, ONE, 1, WIN - 9, WIN - 11)
    found = exercises(Review((slow, others, lost, good)), ONE)
    assert [one.played for one in found] == [lost, slow]
    assert [one.moves for one in found] == [(1, 1), ()]
    assert [one.played for one in exercises(Review((slow, others, lost)), ONE, most=1)] == [lost]
    assert exercises(Review((good,)), ONE) == ()


def test_moves_that_keep_a_lost_result_are_correct() -> None:
    """All moves that keep the result are correct if the move made lost it.

    If it only won later than possible, only quick wins are correct.
    """
    scores = (WIN - 9, 8 - WIN, WIN - 11, WIN - 29, 0)
    assert solutions(reviewed(0, ONE, 1, *scores)) == (0, 2, 3)
    assert solutions(reviewed(0, ONE, 3, *scores)) == (0, 2)


def test_an_estimate_asks_for_a_good_move() -> None:
    """For unproven positions the correct moves are the good ones."""
    assert solutions(reviewed(0, ONE, 2, 20, 19, -60, 8, proven=False)) == (0, 1)


def test_a_step_below_a_four_is_an_exercise_also_in_a_lost_position() -> None:
    """Where the move hastened a loss by letting the other complete a line, safer ones are right."""
    lost = reviewed(0, ONE, 1, 6 - WIN, 2 - WIN, 4 - WIN, 2 - WIN)
    assert solutions(lost) == (0, 1, 2, 3)
    stepped = replace(lost, fault=Reason(ReasonKind.STEPPED_BELOW, (Move(1),)))
    assert solutions(stepped) == (0, 2)
    assert [one.played for one in exercises(Review((stepped,)), ONE)] == [stepped]


def test_the_wrong_move_is_never_a_solution() -> None:
    """In a real game, every solution is at least good or keeps the result, unlike the move made."""
    game = game_called("5x4")
    found = review(game, game.moves("12123144"), seconds=20.0)
    every = [one for side in Player for one in exercises(found, side, most=9)]
    assert every
    for one in every:
        assert one.played.move not in one.solutions
        assert set(one.played.best_moves) <= set(one.solutions)
        assert MoveClass.of(one.played.loss) not in (MoveClass.BEST, MoveClass.GOOD)
        assert one.moves == game.moves("12123144")[: one.played.ply]
