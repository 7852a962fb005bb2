"""Exercises from a player's own game: positions in which a better move is to be found."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from engine.core.game import Move, Player
from engine.core.reason import ReasonKind
from engine.strength.judging import JudgedMove
from engine.study.move_class import GOOD, INACCURATE, Fault, MoveClass, class_of
from engine.study.reach import Reach
from engine.study.review import Review

MAX_EXERCISES = 3
"""The most exercises from one game."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position in which a player made a mistake.

    A wrong answer is refuted by `engine.study.analysis.best_line` after it.
    """

    moves: tuple[Move, ...]
    """The moves that lead to the position."""
    played: JudgedMove
    """The player's move, with the analysis of the position."""
    solutions: tuple[Move, ...]
    """The correct moves, in the order of the buttons."""


def exercises(
    review: Review, player: Player, most: int = MAX_EXERCISES, reach: Reach | None = None
) -> tuple[Exercise, ...]:
    """Return the positions before a player's worst moves, inaccuracies at least.

    Those that teach the most come first (`weight`). With a `reach` only those within it.
    """
    own = [one for one in review.moves if one.player is player and not class_of(one).is_good]
    # A search can prefer a move that the board speaks against: then there is nothing to find.
    wrong = [one for one in own if one.move not in solutions(one)]
    wrong = [one for one in wrong if reach is None or reach.has(one)]
    worst = sorted(wrong, key=partial(weight, review))[:most]
    return tuple(
        Exercise(tuple(made.move for made in review.moves[: one.ply]), one, solutions(one))
        for one in worst
    )


def weight(review: Review, judged: JudgedMove) -> tuple[bool, bool, float]:
    """A key by which the moves that teach the most come first.

    These are missed and allowed fours, first the one on which the game turned in practice; then
    those with the largest losses.
    """
    is_turned = review.practical is not None and review.practical.ply == judged.ply
    return Fault.of(judged) is None, not is_turned, -judged.loss


def solutions(judged: JudgedMove) -> tuple[Move, ...]:
    """Return the moves that are correct instead of the one made: the best and the good ones.

    If it is proven that the move gave the result away, all that keep the result are correct; if it
    missed a four, those that complete it are, and if it left a four open, the block. Where a turn
    has several moves, those are correct after which it can still be right.
    """
    fault = judged.fault
    if fault is not None and fault.instead:
        held = [move for move in fault.instead if judged.losses[move] < INACCURATE]
        return tuple(sorted(held)) or fault.instead
    if fault is not None and fault.kind in (ReasonKind.MISSED_FOUR, ReasonKind.NOT_BLOCKED):
        return tuple(sorted(fault.moves))
    keeps = judged.is_proven and MoveClass.of(judged.loss).is_serious
    enough = INACCURATE if keeps else GOOD
    found = {move for move, loss in judged.losses.items() if loss < enough}
    if fault is not None and fault.kind is ReasonKind.STEPPED_BELOW:
        # Every move after which the other completes a line at once has the same score.
        scores = judged.analysis.scores
        found = {move for move in found if scores[move] > scores[judged.move]}
    return tuple(sorted(found))
