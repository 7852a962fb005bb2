"""Learning from a game: its worst moves, to be found better ones for."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.game import Move, Player
from engine.study.move_class import GOOD, INACCURATE, MoveClass
from engine.study.review import Review, ReviewedMove

MOST = 3
"""Exercises that a player is given from one game."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position in which a player went wrong.

    What refutes a wrong answer is `engine.line.best_line` after it.
    """

    moves: tuple[Move, ...]
    """The game up to there."""
    played: ReviewedMove
    """What the player did, and what is known of the position."""
    solutions: tuple[Move, ...]
    """The moves that count as right, in the order of the controls."""


def exercises(review: Review, player: Player, most: int = MOST) -> tuple[Exercise, ...]:
    """The positions before a player's worst moves, inaccuracies at least, the worst one first."""
    wrong = [
        one
        for one in review.moves
        if one.player is player and one.move_class not in (MoveClass.BEST, MoveClass.GOOD)
    ]
    worst = sorted(wrong, key=lambda one: -one.cost)[:most]
    return tuple(
        Exercise(tuple(made.move for made in review.moves[: one.ply]), one, solutions(one))
        for one in worst
    )


def solutions(reviewed: ReviewedMove) -> tuple[Move, ...]:
    """The moves that are right where the one made was wrong: the best and the good ones.

    Where it is proven that the move gave the result away, all that keep the result are right.
    """
    keeps = reviewed.is_proven and reviewed.move_class.is_serious
    enough = INACCURATE if keeps else GOOD
    return tuple(sorted(move for move, cost in reviewed.costs.items() if cost < enough))
