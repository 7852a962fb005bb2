"""Reasons for and against moves: the board's first, then those of proven values."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.game import Move, Position, replay
from engine.core.reason import BY_VALUE, ReasonKind
from engine.core.registry import game_called, package_of
from engine.study.reasons import fault_of, merit_of
from tests.engine.threat_checks import random_game


def proven(position: Position) -> dict[Move, int]:
    """The exact values of all moves."""
    found = package_of(position).prove(position, seconds=20.0)
    assert found is not None
    return found.scores


@pytest.mark.parametrize(
    ("best", "made", "expected"),
    [
        (9000, 0, ReasonKind.WIN_GONE),
        (9000, -9000, ReasonKind.NOW_LOST),
        (0, -9000, ReasonKind.NOW_LOST),
        (9000, 8990, ReasonKind.WINS_LATER),
        (-8990, -9000, ReasonKind.LOSES_SOONER),
        (0, 0, None),
        (9000, 9000, None),
    ],
)
def test_a_move_is_explained_by_what_it_costs(
    best: int, made: int, expected: ReasonKind | None
) -> None:
    """Where the board shows nothing, the proven values before and after a move are the reason."""
    start = game_called("6x7").start()
    values = dict.fromkeys(start.legal_moves(), best) | {Move(2): made}
    found = fault_of(start, Move(2), values)
    assert (found and found.kind) == expected
    assert fault_of(start, Move(2)) is None


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((9000, 0, -9000), ReasonKind.ONLY_WINS),
        ((0, -9000, -9000), ReasonKind.ONLY_HOLDS),
        ((9000, 8000, 0), None),
        ((-8000, -9000, -9000), None),
        ((9000,), None),
    ],
)
def test_the_only_move_by_value_is_named(
    values: tuple[int, ...], expected: ReasonKind | None
) -> None:
    """A move that alone wins, or alone does not lose, is said to, if others are legal."""
    start = game_called("6x7").start()
    known = {Move(at): value for at, value in enumerate(values)}
    found = merit_of(start, Move(0), known)
    assert (found and found.kind) == expected
    if found is not None:
        assert found.moves == (0,)
    if len(values) > 1:
        assert merit_of(start, Move(1), known) is None


def test_values_speak_after_the_board_and_before_what_matters_later() -> None:
    """Of a real game, values are named only where no reason of the board is weightier."""
    game, rng = game_called("5x4"), Random(5)
    later, named = (ReasonKind.FOLLOW_UP, ReasonKind.WAITING), set()
    for _ in range(60):
        position = replay(game, random_game(game, rng)[:9])
        if position.outcome is not None:
            continue
        values = proven(position)
        for move in position.legal_moves():
            board = package_of(game).reasons_about(position, move)
            merit, fault = merit_of(position, move, values), fault_of(position, move, values)
            if merit is not None and merit.kind in BY_VALUE:
                named.add(merit.kind)
                assert all(one.kind in later for one in board.in_favour)
            if fault is not None and fault.kind in BY_VALUE:
                named.add(fault.kind)
                assert all(one.kind in WASTED for one in board.against)
    assert named == set(BY_VALUE)


WASTED = (ReasonKind.FILLED_BELOW, ReasonKind.ONE_THREAT)
"""The reasons that say nothing against a move that keeps the result."""
