"""One game as a value."""

from __future__ import annotations

import pytest

from bot.store import GameRecord, NewGameRecord, SeatRecord
from bot.table.seats import AgentSeat, HumanSeat, seat_of
from bot.table.session import Session
from engine.game import IllegalMove, Move, Player
from engine.levels import LEVELS


def new_session(first: SeatRecord, second: SeatRecord, variant: str = "4x4") -> Session:
    """A game that has just begun."""
    opening = NewGameRecord("connect4", variant, 1, None, "en", first, second, False, 100.0)
    return Session.from_record(GameRecord(1, opening, None, (), frozenset({1}), None))


PERSON, OTHER, AGENT = SeatRecord(5, None), SeatRecord(6, None), SeatRecord(None, "hard")


def test_a_move_makes_a_new_session() -> None:
    """The old value stays as it was; the new one has the move, its maker and its time."""
    before = new_session(PERSON, AGENT)
    after = before.after(Move(2), 103.5)
    assert before.moves == ()
    assert after.moves[0].move == "3"
    assert after.moves[0].user_id == 5
    assert after.moves[0].seconds == 3.5
    assert after.moves[0].hinted
    assert after.number == 2


def test_a_move_that_is_not_allowed_raises() -> None:
    """A full column raises and there is no new session."""
    session = new_session(PERSON, OTHER)
    for _ in range(4):
        session = session.after(Move(0), 101.0)
    with pytest.raises(IllegalMove):
        session.after(Move(0), 102.0)


def test_the_last_move_ends_the_session() -> None:
    """The winning move brings its end along."""
    session = new_session(PERSON, OTHER)
    for column in (0, 1, 0, 1, 0, 1, 0):
        session = session.after(Move(column), 101.0)
    assert session.is_over
    assert session.end is not None
    assert (session.end.ending, session.end.winner) == ("line", 1)
    assert session.winner is Player.FIRST
    assert not session.awaits_agent
    assert not session.awaits_person


def test_whose_turn_it_is_follows_the_position() -> None:
    """Seats answer for the side that the position says is to move."""
    session = new_session(AGENT, PERSON)
    assert session.awaits_agent
    assert session.after(Move(0), 101.0).awaits_person


def test_a_person_has_until_a_deadline() -> None:
    """The time for a turn runs from the move before, or the start; an agent has no deadline."""
    session = new_session(PERSON, AGENT)
    assert session.deadline(60.0) == 160.0
    answering = session.after(Move(0), 130.0)
    assert answering.deadline(60.0) is None
    assert answering.after(Move(0), 140.0).deadline(60.0) == 200.0


def test_a_turn_begins_once() -> None:
    """It begins when the other side has moved; a second movement of a turn begins none."""
    session = new_session(PERSON, PERSON)
    assert session.begins_turn
    assert session.after(Move(0), 101.0).begins_turn


def test_a_person_may_sit_on_both_sides() -> None:
    """Somebody who plays both sides is always on the one that is to move."""
    session = new_session(PERSON, PERSON)
    assert session.side_of(5) is Player.FIRST
    assert session.after(Move(0), 101.0).side_of(5) is Player.SECOND
    assert session.side_of(99) is None


def test_a_stored_seat_is_found_again() -> None:
    """People and agents come back from what is stored of them."""
    assert seat_of("connect4", 5, None) == HumanSeat(5)
    assert seat_of("connect4", None, "hard") == AgentSeat(LEVELS["hard"])
    with pytest.raises(KeyError):
        seat_of("connect4", None, "nobody")
