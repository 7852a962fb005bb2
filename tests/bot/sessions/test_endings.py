"""Games that end other than by a move."""

from __future__ import annotations

import pytest

from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.sessions.endings import end_of, loss_on_time, resignation
from bot.store.records import Ending, EndRecord, GameRecord, GameSetup, MoveRecord, SeatRecord

ANA, BEA, MOD = 1, 2, 3


def session(
    moves: str, end: EndRecord | None = None, *, second: SeatRecord | None = None
) -> Session:
    """A 5x4 game that Ana started, against Bea unless another opponent is given."""
    opening = GameSetup(
        "connect4",
        "5x4",
        7,
        None,
        "en",
        SeatRecord(ANA, None),
        second or SeatRecord(BEA, None),
        ANA,
    )
    made = tuple(MoveRecord(1 + n % 2, None, move, False, 1.0, 1.0) for n, move in enumerate(moves))
    return Session.from_record(GameRecord(1, opening, 0.0, None, made, frozenset(), end))


def test_a_player_who_resigns_loses() -> None:
    """A player who resigns loses to the other side.

    A moderator can only stop other people's games.
    """
    begun = session("1234")
    assert resignation(begun, ANA, moderator=False, at=5.0) == EndRecord(Ending.RESIGNED, 2, 5.0)
    assert resignation(begun, BEA, moderator=True, at=5.0) == EndRecord(Ending.RESIGNED, 1, 5.0)
    assert resignation(begun, MOD, moderator=True, at=5.0) == EndRecord(Ending.STOPPED, None, 5.0)
    with pytest.raises(Refusal):
        resignation(begun, MOD, moderator=False, at=5.0)


@pytest.mark.parametrize("user_id", [ANA, BEA])
def test_a_game_that_has_hardly_begun_is_called_off(user_id: int) -> None:
    """A game that is left before the fourth move is called off, and neither player loses."""
    called_off = EndRecord(Ending.ABORTED, None, 5.0)
    assert resignation(session("123"), user_id, moderator=False, at=5.0) == called_off
    assert end_of(session("123"), 5.0, Ending.AGREED) == called_off
    assert end_of(session("1234"), 5.0, Ending.AGREED) == EndRecord(Ending.AGREED, None, 5.0)


def test_a_moderator_who_stops_a_game_early_is_named_as_the_reason() -> None:
    """A moderator's stop before the fourth move has its own ending, which counts as little."""
    ended = resignation(session("123"), MOD, moderator=True, at=5.0)
    assert ended == EndRecord(Ending.HALTED, None, 5.0)
    assert session("123", ended).is_aborted


def test_a_player_whose_time_runs_out_loses() -> None:
    """From four moves on a player whose time runs out loses; before that the game is called off."""
    assert loss_on_time(session("1234"), 9.0) == EndRecord(Ending.TIME, 2, 9.0)
    assert loss_on_time(session("12341"), 9.0) == EndRecord(Ending.TIME, 1, 9.0)
    assert loss_on_time(session("123"), 9.0) == EndRecord(Ending.ABORTED, None, 9.0)


def test_endings_know_whether_they_count_and_have_a_result() -> None:
    """A stopped game has no result; called off and unreadable games do not count."""
    assert [one.value for one in Ending if not one.has_result] == [
        "stopped",
        "aborted",
        "halted",
        "unreadable",
    ]
    assert [one.value for one in Ending if not one.counts] == ["aborted", "halted", "unreadable"]


def test_a_damaged_ending_is_kept_as_it_is() -> None:
    """An unknown ending keeps its stored word, so that messages about the game can name it."""
    assert Ending.read("time") is Ending.TIME
    assert Ending.read("chess") == "chess"
