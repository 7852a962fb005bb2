"""The levels of a hint."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.hints.rules import HintLevel, level_wanted
from bot.game.session import Session, fingerprint
from bot.store.records import GameRecord, GameSetup, HintRecord, MoveRecord, SeatRecord


def session_after(moves: str, variant: str = "5x4") -> Session:
    """A game against an agent after some moves."""
    opening = GameSetup(
        "connect4", variant, 1, 2, "en", SeatRecord(5, None), SeatRecord(None, "easy")
    )
    made = tuple(
        MoveRecord(2 - n % 2, 5 if n % 2 else None, move, False, float(n), 1.0)
        for n, move in enumerate(moves, 1)
    )
    return Session.from_record(GameRecord(1, opening, 0.0, None, made, (), None))


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (None, HintLevel.AREA),
        (1, HintLevel.THREAT),
        (2, HintLevel.MOVE),
        (3, HintLevel.MOVE),
    ],
)
def test_each_hint_raises_the_level(given: int | None, wanted: HintLevel) -> None:
    """Each request raises the level of the hint, up to the move, which is then repeated."""
    session = session_after("12")
    if given is not None:
        hint = HintRecord(3, 5, "1", 0.0, fingerprint(session.position), level=given)
        session = replace(session, hints=(hint,))
    assert level_wanted(session) is wanted


def test_the_only_move_is_shown_at_once() -> None:
    """An only move is named at once."""
    assert level_wanted(session_after("13133132214242", "4x4")) is HintLevel.MOVE
