"""How games end other than by a move."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import pytest

from bot.play import endings
from bot.play.endings import Judge, given_up, run_out
from bot.rating.ratings import Evidence
from bot.store import EndRecord, GameRecord, MoveRecord, NewGameRecord, SeatRecord
from bot.table.refusal import Refusal
from bot.table.session import Session
from engine.game import Player

ANA, BEA, MOD = 1, 2, 3


def session(
    moves: str, end: EndRecord | None = None, *, second: SeatRecord | None = None
) -> Session:
    """A 5x4 game of Ana, against Bea unless somebody else is named."""
    opening = NewGameRecord(
        "connect4", "5x4", 7, None, "en", SeatRecord(ANA, None), second or SeatRecord(BEA, None),
        False, 0.0, ANA,
    )  # fmt: skip
    made = tuple(MoveRecord(1 + n % 2, None, move, False, 1.0, 1.0) for n, move in enumerate(moves))
    return Session.from_record(GameRecord(1, opening, None, made, frozenset(), end))


def test_who_gives_up_loses() -> None:
    """The other side of a player wins, at any time; a moderator only stops what others play."""
    assert given_up(session("1"), ANA, moderator=False, at=5.0) == EndRecord("resigned", 2, 5.0)
    assert given_up(session("1"), BEA, moderator=True, at=5.0) == EndRecord("resigned", 1, 5.0)
    assert given_up(session("1"), MOD, moderator=True, at=5.0) == EndRecord("stopped", None, 5.0)
    with pytest.raises(Refusal):
        given_up(session("1"), MOD, moderator=False, at=5.0)


def test_who_is_silent_loses() -> None:
    """From four moves on the other side wins; before that a game is stopped without a result."""
    assert run_out(session("1234"), 9.0) == EndRecord("time", 2, 9.0)
    assert run_out(session("12341"), 9.0) == EndRecord("time", 1, 9.0)
    assert run_out(session("123"), 9.0) == EndRecord("stopped", None, 9.0)


async def test_evidence_is_looked_for_on_peoples_sides(services: Any) -> None:
    """In a worker thread, once for all people, and not for games that do not count."""
    asked: list[tuple[list[Player], bool]] = []

    def look(_session: Session, sides: Sequence[Player]) -> dict[Player, Evidence]:
        asked.append((list(sides), threading.current_thread() is threading.main_thread()))
        return dict.fromkeys(sides, Evidence(1500.0, 100.0))

    judge = Judge(services.workers, look)
    assert await judge.rated(session("1234")) is None
    assert await judge.rated(session("123", EndRecord("resigned", 1, 5.0))) is None
    assert asked == []
    agents = session("1234", EndRecord("resigned", 2, 5.0), second=SeatRecord(None, "easy"))
    assert await judge.rated(agents) is not None
    assert asked == [([Player.FIRST], False)]
    assert await judge.rated(session("1234", EndRecord("resigned", 1, 5.0))) is not None
    assert asked[1:] == [([Player.FIRST, Player.SECOND], False)]


@pytest.mark.parametrize("trouble", ["slow", "broken"])
async def test_a_result_does_not_wait_for_evidence(
    services: Any, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Evidence that takes too long or fails leaves the game rated by its result."""
    monkeypatch.setattr(endings, "EVIDENCE_SECONDS", 0.05)
    done = threading.Event()

    def look(_session: Session, sides: Sequence[Player]) -> dict[Player, Evidence]:
        if trouble == "broken":
            raise ValueError("no idea")
        done.wait(60)
        return dict.fromkeys(sides, Evidence(3000.0, 50.0))

    over = session("1234", EndRecord("resigned", 2, 5.0))
    rated = await Judge(services.workers, look).rated(over)
    done.set()
    plain = await Judge(services.workers).rated(over)
    assert rated is not None
    assert plain is not None
    assert rated.rate({}) == plain.rate({})
