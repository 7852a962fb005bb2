"""The measurement of reviews' marks finds what is false."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.review_marks import of_board
from benchmarks.review_truth import Case, fault_of_turn, four_missed_or_allowed, holds
from engine.core.game import Move
from engine.core.reason import ReasonKind
from engine.core.registry import game_called, package_of
from engine.study.reasons import faults_in
from tests.builders import after


@pytest.mark.parametrize(
    ("board", "before", "move"),
    [("6x7", "625142", "1"), ("6x7", "31564", "1"), ("5x4", "23132412", "1")],
)
def test_a_reason_that_is_not_so_is_found(board: str, before: str, move: str) -> None:
    """The plain rules agree with a true reason, and not with another kind or other moves."""
    position = after(board, before)
    made = position.game.parse(move)
    case = Case.of(position, made)
    reason = package_of(position.game).reasons_about(position, made).against[0]
    assert four_missed_or_allowed(case) is reason.kind
    assert holds(case, reason)
    others = {ReasonKind.MISSED_FOUR, ReasonKind.NOT_BLOCKED, ReasonKind.STEPPED_BELOW}
    assert not any(holds(case, replace(reason, kind=kind)) for kind in others - {reason.kind})
    wrong = [each for each in position.legal_moves() if each not in reason.moves]
    assert not holds(case, replace(reason, moves=(wrong[0],)))


def test_turns_of_boom_are_judged_by_trying_all() -> None:
    """A turn that missed a four is found by trying every turn."""
    game = game_called("boom:7x7")
    moves = game.moves("255235461")
    assert fault_of_turn(after(game, "2552354"), (Move(5), Move(0))) is ReasonKind.MISSED_TURN
    found = faults_in(game, moves)[7]
    assert found is not None
    assert found.kind is ReasonKind.MISSED_TURN


def test_a_small_run_finds_nothing_false() -> None:
    """Games of each kind of player are played, reviewed and checked."""
    found = of_board("gato", 4, seed=3)
    assert (found.games, found.unmarked, found.false) == (4, 0, [])
    assert found.said.total() > 0
