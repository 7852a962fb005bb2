"""What goes with an advised move."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.game import replay, target
from engine.core.plan import PlanKind
from engine.core.registry import game_called, package_of
from engine.core.threat import ThreatKind
from engine.study.advice import Effect, agreeing, effects_of, plan_of, worth_saying
from tests.builders import after
from tests.engine.threat_checks import random_game
from tests.engine.threat_truth import Grid, above, loses_at_once


def kinds(before: str, move: str, board: str = "connect4:6x7") -> list[ThreatKind]:
    """The kinds of the threats that agree with a move."""
    position = after(board, before)
    return [one.kind for one in agreeing(position, position.game.parse(move))]


@pytest.mark.parametrize(("board", "count"), [("6x7", 40), ("5x4", 40), ("gato", 15)])
def test_nothing_speaks_against_an_advised_move(board: str, count: int) -> None:
    """Whichever move is advised: no warning names it, and it begins what is said to be possible."""
    rng = Random(11)
    for _ in range(count):
        position = replay(game_called(board), random_game(game_called(board), rng))
        mover = position.to_move
        for move in position.legal_moves():
            square, grid = target(position, move), Grid.of(position.play(move))
            assert square is not None
            for threat in agreeing(position, move):
                is_own = threat.player is mover
                if threat.kind in (ThreatKind.GIVES, ThreatKind.SPENDS):
                    assert threat.moves
                    assert move not in threat.moves
                    assert above(square) not in threat.squares
                if is_own and threat.kind in (ThreatKind.ODD, ThreatKind.EVEN, ThreatKind.STACKED):
                    assert board == "gato" or above(square) not in threat.squares
                if is_own and threat.kind is ThreatKind.FORK:
                    assert grid.wins_after_every_reply(mover)
                if is_own and threat.kind is ThreatKind.FORCED:
                    assert not loses_at_once(position, move)
                if not is_own and threat.kind is ThreatKind.FORK:
                    assert grid.wins(mover.other) or not grid.forks(mover.other)


def test_a_warning_keeps_the_other_moves() -> None:
    """A warning of several moves goes on warning of those that are not advised."""
    position = after("connect4:6x7", "2342747243")
    found = package_of(position.game).threats_in(position)
    (warning,) = (one for one in found if one.kind is ThreatKind.GIVES)
    first, second = warning.moves
    for advised, left in ((first, second), (second, first)):
        (kept,) = (one for one in agreeing(position, advised) if one.kind is ThreatKind.GIVES)
        assert kept.moves == (left,)


def test_zugzwang_is_said_of_the_move_that_starts_it() -> None:
    """That answering on top wins is said only if the advised move begins it."""
    before = "7727216715767"
    assert ThreatKind.ZUGZWANG in kinds(before, "5")
    assert ThreatKind.ZUGZWANG not in kinds(before, "4")


def test_two_threats_that_no_move_prevents_are_said_if_all_is_lost() -> None:
    """Two threats of the other side are said if the move prevents them, or if all moves lose."""
    position = after("connect4:6x7", "362")
    leaves, prevents = position.game.moves("61")
    forks = [
        any(one.kind is ThreatKind.FORK for one in agreeing(position, move, is_lost=is_lost))
        for move, is_lost in ((prevents, False), (leaves, False), (leaves, True))
    ]
    assert forks == [True, False, True]


@pytest.mark.parametrize(
    ("before", "move", "effect"),
    [
        ("15526", "5", Effect.FINISHES),
        ("2771", "7", Effect.STOPS),
        ("72", "1", Effect.THREATENS),
    ],
)
def test_a_move_in_boom_changes_the_threats(before: str, move: str, effect: Effect) -> None:
    """In BOOM it is said what a move does to the threats of a turn."""
    position = after("boom:7x7", before)
    assert next(effects_of(position, position.game.parse(move))) is effect


def test_of_equal_moves_the_one_with_most_to_say_is_advised() -> None:
    """Two threats at once come before a plan, and a plan before nothing."""
    position = after("connect4:6x7", "5547")
    fork, other = position.game.moves("31")
    assert worth_saying(position, [other, fork]) == [fork]
    empty = after("connect4:6x7", "")
    middle, edge = empty.game.moves("47")
    assert worth_saying(empty, [edge, middle]) == [middle]
    plan = plan_of(empty, middle)
    assert plan is not None
    assert plan.kind is PlanKind.MOST_LINES
    assert worth_saying(empty, [edge]) == [edge]
    assert worth_saying(empty, [middle, edge], is_lost=True) == [middle, edge]
