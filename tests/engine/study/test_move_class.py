"""The losses of moves, and their classes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.analysis import Analysis
from engine.core.compiled.scores import WIN
from engine.core.game import Move, Player
from engine.strength.judging import JudgedMove
from engine.study.move_class import MAX_FOR_DELAY, MoveClass, Praise, expectations, losses

SPREAD = 20.0
BEST, GOOD, INACCURACY, MISTAKE, BLUNDER = MoveClass


def analysis(*scores: int, proven: bool = True) -> Analysis:
    """An analysis with these scores, of moves 0, 1, ..."""
    found = {Move(move): score for move, score in enumerate(scores)}
    return Analysis(found, {move: (move,) for move in found}, 5, 1, 0.0, proven=proven)


def cost(best: int, made: int, *, proven: bool = True) -> float:
    """The loss of a move if the best one has another score."""
    return losses(analysis(best, made, proven=proven), SPREAD)[Move(1)]


@pytest.mark.parametrize(
    ("best", "made", "expected", "called"),
    [
        (WIN - 21, 21 - WIN, 1.0, BLUNDER),
        (WIN - 21, 0, 0.5, MISTAKE),
        (0, 40 - WIN, 0.5, MISTAKE),
        (0, 0, 0.0, BEST),
        (WIN - 21, WIN - 21, 0.0, BEST),
        (WIN - 21, WIN - 23, 0.0125, GOOD),
        (WIN - 21, WIN - 27, 0.0375, GOOD),
        (WIN - 21, WIN - 29, 0.05, INACCURACY),
        (30 - WIN, 22 - WIN, 0.05, INACCURACY),
        (40 - WIN, 2 - WIN, MAX_FOR_DELAY, INACCURACY),
    ],
)
def test_losses_of_exact_values_are_as_documented(
    best: int, made: int, expected: float, called: MoveClass
) -> None:
    """A change of the result loses its share of the point; a delay a little for each own move."""
    found = cost(best, made)
    assert found == pytest.approx(expected)
    assert MoveClass.of(found) is called


def test_delays_lose_less_than_changes_of_the_result() -> None:
    """A delay of any length loses less than any change of the result."""
    assert cost(WIN - 1, WIN - 200) == MAX_FOR_DELAY < cost(0, 200 - WIN)


def test_the_loss_of_an_estimate_is_expected_score() -> None:
    """An estimate loses expected score by a logistic curve; a decided score is its result."""
    assert cost(0, -20, proven=False) == pytest.approx(0.5 - 1 / (1 + 2.718281828), abs=1e-6)
    assert cost(WIN - 9, 0, proven=False) == 0.5
    assert cost(WIN - 9, WIN - 13, proven=False) == pytest.approx(0.025)
    assert expectations(analysis(0, WIN - 9, 9 - WIN, proven=False), SPREAD) == {0: 0.5, 1: 1, 2: 0}


def praise(*scores: int, move: int = 0, proven: bool = True, nodes: int = 1) -> Praise | None:
    """What a move is called in a position with these scores."""
    seen = replace(analysis(*scores, proven=proven), nodes=nodes)
    shares, costs = expectations(seen, SPREAD), losses(seen, SPREAD)
    return Praise.of(JudgedMove(0, Player.FIRST, Move(move), seen, shares, costs, None))


def test_only_moves_and_opening_moves_are_best_moves() -> None:
    """An only move that wins or holds is called so; another best one in a book, of the opening."""
    only, book = Praise
    assert praise(WIN - 21, 0, 40 - WIN) is only
    assert praise(0, 40 - WIN) is only
    assert praise(0, 40 - WIN, nodes=0) is only
    assert praise(WIN - 21, WIN - 23, nodes=0) is book
    assert praise(WIN - 21, WIN - 23) is None
    assert praise(WIN - 21, WIN - 23, move=1, nodes=0) is None
    assert praise(38 - WIN, 36 - WIN) is None
    assert praise(90, -90, proven=False) is None
    assert praise(0) is None


def test_similar_estimates_have_no_loss() -> None:
    """If all moves have about the same estimate, none loses anything."""
    assert set(losses(analysis(1, 0, 0, proven=False), SPREAD).values()) == {0.0}
    assert losses(analysis(1, 0, -9, proven=False), SPREAD)[Move(1)] > 0


def test_classes_have_the_thresholds_of_the_table() -> None:
    """Classes have the documented thresholds, and half a point is still a mistake."""
    found = [MoveClass.of(c) for c in (0, 0.0499, 0.05, 0.199, 0.2, 0.5, 0.501, 1)]
    assert found == [BEST, GOOD, INACCURACY, INACCURACY, MISTAKE, MISTAKE, BLUNDER, BLUNDER]
    assert [one.is_serious for one in MoveClass] == [False, False, False, True, True]
