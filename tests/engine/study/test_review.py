"""The results of a review: accuracies, the course, and the decisive move."""

from __future__ import annotations

import pytest

from engine.core.analysis import Analysis
from engine.core.compiled.scores import WIN
from engine.core.game import Move, Player
from engine.core.values import Value
from engine.strength.judging import JudgedMove
from engine.study.analysis import Line
from engine.study.move_class import class_of, expectations, losses
from engine.study.review import SOUND, Phase, Review, TurningPoint

ONE, TWO = Player
SPREAD = 20.0


def reviewed(ply: int, player: Player, move: int, *scores: int, proven: bool = True) -> JudgedMove:
    """A reviewed move in a position whose moves 0, 1, ... have these scores."""
    found = {Move(at): score for at, score in enumerate(scores)}
    seen = Analysis(found, {at: (at,) for at in found}, 7, 1, 0.0, proven=proven)
    shares = expectations(seen, SPREAD)
    return JudgedMove(ply, player, Move(move), seen, shares, losses(seen, SPREAD), None)


def test_best_play_is_perfectly_accurate_and_blind_play_half() -> None:
    """Accuracy is 100 for best moves and 50 for the average loss of random moves."""
    best = reviewed(0, ONE, 0, 0, 20 - WIN)
    worst = reviewed(2, ONE, 1, 0, 20 - WIN)
    assert Review((best,)).accuracy(ONE) == 100
    assert Review((best, worst)).accuracy(ONE) == pytest.approx(50)
    assert Review((best, best, best, worst)).accuracy(ONE) == pytest.approx(100 * 2 / 3)
    assert Review((worst,)).accuracy(ONE) == pytest.approx(100 / 3)


def test_without_a_mistake_accuracy_is_at_least_90() -> None:
    """A side that changed no result has at least 90, however late it won or soon it lost."""
    slow = reviewed(0, ONE, 1, WIN - 9, WIN - 39)
    soon = reviewed(2, ONE, 2, 40 - WIN, 38 - WIN, 10 - WIN)
    found = Review((slow, soon)).accuracy(ONE)
    assert found is not None
    assert SOUND <= found < 95
    mistaken = reviewed(4, ONE, 1, 0, 20 - WIN)
    whole = Review((slow, soon, mistaken)).accuracy(ONE)
    assert whole is not None
    assert whole < 60


def test_each_third_of_a_game_has_its_accuracy() -> None:
    """The phases are the thirds of a game; one without an informative move has no accuracy."""
    good, bad = reviewed(0, ONE, 0, 0, 20 - WIN), reviewed(2, ONE, 1, 0, 20 - WIN)
    only = reviewed(4, ONE, 0, 20 - WIN)
    found = Review((good, good, bad, bad, only, only, only))
    assert [found.bounds(phase) for phase in Phase] == [slice(0, 2), slice(2, 5), slice(5, 7)]
    expected = [100, pytest.approx(100 / 3), None]
    assert [found.accuracy(ONE, phase) for phase in Phase] == expected


def test_uninformative_moves_do_not_count() -> None:
    """An only move, or one among equal ones, does not count in the accuracy."""
    only, equal = reviewed(0, ONE, 0, 20 - WIN), reviewed(1, TWO, 1, 0, 0, 0)
    for one in (only, equal):
        assert (one.is_informative, class_of(one).value) == (False, "best")
    found = Review((only, equal))
    assert (found.accuracy(ONE), found.accuracy(TWO)) == (None, None)
    telling = reviewed(2, ONE, 1, 0, 0, 20 - WIN)
    assert Review((only, telling)).accuracy(ONE) == Review((telling,)).accuracy(ONE) == 100


def test_excluded_moves_do_not_count() -> None:
    """Excluded moves count in no accuracy and are no turning point; the course is unchanged."""
    bad, later = reviewed(0, ONE, 1, 0, 20 - WIN), reviewed(1, TWO, 1, 0, 20 - WIN)
    line = Line((Move(1),), proven=True)
    whole = Review((bad, later), TurningPoint(0, line, line))
    spared = whole.without_opening(1)
    assert spared.accuracy(ONE) is None
    assert spared.accuracy(TWO) == whole.accuracy(TWO)
    assert class_of(spared.moves[0]).value == "best"
    assert spared.course == whole.course
    assert spared.turning_point is None
    assert (
        Review((bad, later), TurningPoint(1, line, line)).without_opening(1).turning_point
        is not None
    )


def test_each_side_has_its_own_accuracy() -> None:
    """A player's accuracy does not depend on the other side's moves."""
    found = Review((reviewed(0, ONE, 0, 0, 20 - WIN), reviewed(1, TWO, 1, 0, 20 - WIN)))
    assert found.accuracy(ONE) == 100
    assert found.accuracy(TWO) == pytest.approx(100 / 3)


def test_the_course_is_the_first_players_expectation() -> None:
    """The course is the first player's expected score after each move by either player."""
    found = Review((reviewed(0, ONE, 0, WIN - 9, 0), reviewed(1, TWO, 1, 8 - WIN, WIN - 8)))
    assert found.course == (1, 0)


def test_the_last_change_of_the_result_decides() -> None:
    """The last change of the result decides the game, even if an earlier move lost more."""
    blunder = reviewed(0, ONE, 1, WIN - 9, 20 - WIN)
    back = reviewed(1, TWO, 1, WIN - 20, 0)
    last = reviewed(2, ONE, 1, 0, 20 - WIN)
    slow = reviewed(3, TWO, 1, WIN - 12, WIN - 30)
    assert Review((blunder, back, last, slow)).decisive is last


def test_without_a_change_the_costliest_move_decides() -> None:
    """Without a change of the result, the costliest bad move decides; good moves never do."""
    slow, good = reviewed(0, ONE, 1, WIN - 9, WIN - 29), reviewed(1, TWO, 1, 30 - WIN, 28 - WIN)
    assert Review((good, slow, slow)).decisive is slow
    assert Review((good,)).decisive is None
    assert Review(()).decisive is None


def test_unproven_positions_are_decided_by_the_lead() -> None:
    """In unproven positions the decisive move is the last change of the lead."""
    lead = reviewed(0, ONE, 1, 20, -20, proven=False)
    behind = reviewed(2, ONE, 1, -20, -80, proven=False)
    assert class_of(behind).is_serious
    assert Review((lead, behind)).decisive is lead


def test_only_decided_scores_have_values() -> None:
    """A search's score has an exact value only if it is decided."""
    guess = reviewed(0, ONE, 1, 20, 9 - WIN, proven=False)
    assert (guess.value, guess.best_value, guess.is_proven) == (Value(-9), None, False)
    exact = reviewed(0, TWO, 1, 0, WIN - 9)
    assert (exact.value, exact.best_value, exact.is_proven) == (Value(-9), Value(-9), True)
    assert reviewed(0, ONE, 2, 0, 5 - WIN, 0).best_moves == (0, 2)
