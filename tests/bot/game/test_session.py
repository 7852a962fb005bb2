"""One game as a value."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.game.clocks import Countdown
from bot.game.session import ANSWER_SECONDS, Session, fingerprint
from bot.store.records import GameRecord, GameSetup, HintRecord, SeatRecord, TimeControl
from engine.core.game import IllegalMove, Move, Player
from engine.core.registry import game_of


def new_session(first: SeatRecord, second: SeatRecord, variant: str = "4x4") -> Session:
    """A game that has just begun."""
    opening = GameSetup("connect4", variant, 1, None, "en", first, second)
    here = fingerprint(game_of("connect4", variant).start())
    hint = HintRecord(1, 5, "3", 100.0, here)
    return Session.from_record(GameRecord(1, opening, 100.0, None, (), (hint,), None))


PERSON, OTHER, AGENT = SeatRecord(5, None), SeatRecord(6, None), SeatRecord(None, "hard")


def test_a_move_makes_a_new_session() -> None:
    """A move returns a new session with the move, its player and its time.

    The old one is unchanged.
    """
    before = new_session(PERSON, AGENT)
    after = before.after(Move(2), 103.5)
    assert before.moves == ()
    assert after.moves[0].move == "3"
    assert after.moves[0].user_id == 5
    assert after.moves[0].seconds == 3.5
    assert after.moves[0].hinted
    assert after.number == 2


def test_a_move_that_is_not_allowed_raises() -> None:
    """A move in a full column raises, and there is no new session."""
    session = new_session(PERSON, OTHER)
    for _ in range(4):
        session = session.after(Move(0), 101.0)
    with pytest.raises(IllegalMove):
        session.after(Move(0), 102.0)


def test_the_last_move_ends_the_session() -> None:
    """The session after a winning move has an end."""
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
    """The mover is the seat of the side to move."""
    session = new_session(AGENT, PERSON)
    assert session.awaits_agent
    assert session.after(Move(0), 101.0).awaits_person


def timed(session: Session, seconds: float | None = 60.0) -> Session:
    """The same game with this many seconds for each move."""
    clock = None if seconds is None else TimeControl(seconds)
    return replace(session, setup=replace(session.setup, clock=clock))


def test_a_person_has_until_a_deadline() -> None:
    """A person's clock starts with the previous move or the start; agents have no deadline."""
    session = new_session(PERSON, AGENT)
    assert session.countdown is None
    session = timed(session)
    assert session.countdown == Countdown(100.0, 160.0)
    answering = session.after(Move(0), 130.0)
    assert answering.countdown is None
    assert answering.after(Move(0), 140.0).countdown == Countdown(140.0, 200.0)


def test_a_game_knows_when_it_must_be_looked_at() -> None:
    """A game is due when a person must be warned, is out of time, or when an agent is overdue."""
    session = timed(new_session(PERSON, AGENT))
    assert session.due_at == 145.0
    warned = replace(session, reminded_at=146.0)
    assert (warned.is_warned, warned.due_at) == (True, 160.0)
    answering = warned.after(Move(0), 150.0)
    assert answering.due_at == 150.0 + ANSWER_SECONDS
    following = answering.after(Move(0), 151.0)
    assert (following.is_warned, following.due_at) == (False, 196.0)
    assert timed(following, None).due_at is None


def test_a_turn_begins_once() -> None:
    """A turn begins when the other side has moved; the second movement of one begins none."""
    session = new_session(PERSON, PERSON)
    assert session.begins_turn
    assert session.after(Move(0), 101.0).begins_turn


def test_a_person_may_sit_on_both_sides() -> None:
    """A person who plays both sides counts as the side to move."""
    session = new_session(PERSON, PERSON)
    assert session.side_of(5) is Player.FIRST
    assert session.after(Move(0), 101.0).side_of(5) is Player.SECOND
    assert session.side_of(99) is None


def test_a_game_with_an_empty_seat_is_refused() -> None:
    """A seat without a person or an agent is refused."""
    with pytest.raises(ValueError, match="neither"):
        new_session(PERSON, SeatRecord(None, None))


def test_a_hint_belongs_to_a_position() -> None:
    """A hint is found again in the position it was for, and only there, also after an undo."""
    before = new_session(PERSON, OTHER)
    assert before.hint is not None
    after = before.after(Move(2), 101.0)
    assert after.hint is None
    undone = after.taken_back(0, 102.0)
    assert undone.hint == before.hint
    other = before.after(Move(0), 101.0).after(Move(1), 102.0)
    assert not other.after(Move(0), 103.0).moves[2].hinted


def test_earlier_states_have_no_player_to_move() -> None:
    """An earlier state of a game has a side to move, but no person or agent is awaited there."""
    played = new_session(PERSON, AGENT).after(Move(0), 101.0)
    assert played.awaits_agent
    replied = played.after(Move(1), 102.0)
    assert not replied.until(1).awaits_agent
    assert not replied.until(0).awaits_person
    assert replied.taken_back(0, 103.0).awaits_person


def with_pie(variant: str = "4x4", family: str = "connect4") -> Session:
    """A game of two people with the pie rule, and ten seconds for all moves of each."""
    clock = TimeControl(10.0, "game")
    opening = GameSetup(family, variant, 1, None, "en", PERSON, OTHER, clock=clock, pie=True)
    return Session.from_record(GameRecord(1, opening, 100.0, None, (), (), None))


@pytest.mark.parametrize(("family", "variant"), [("connect4", "4x4"), ("boom", "7x7")])
def test_sides_can_be_swapped_right_after_the_first_turn(family: str, variant: str) -> None:
    """Sides can be swapped once, and only before the second player has moved."""
    begun = with_pie(variant, family)
    opened = begun.after(Move(0), 103.0)
    assert not begun.may_swap
    assert opened.may_swap
    assert not opened.after(Move(0), 104.0).may_swap
    swapped = opened.swapped(105.0)
    assert not swapped.may_swap
    assert swapped.people == opened.people[::-1]
    assert swapped.mover.user_id == 5
    assert swapped.state > opened.state
    plain = replace(opened, setup=replace(opened.setup, pie=False))
    assert not plain.may_swap


def test_a_swap_does_not_change_who_made_a_move() -> None:
    """After a swap the first move counts for the person who made it, who has the other side."""
    swapped = with_pie().after(Move(0), 103.0).swapped(105.0).after(Move(0), 106.0)
    swapped = swapped.after(Move(1), 107.0)
    assert [swapped.plies_of(player) for player in Player] == [[2], [0, 1]]
    plain = with_pie().after(Move(0), 103.0).after(Move(0), 106.0).after(Move(1), 107.0)
    assert [plain.plies_of(player) for player in Player] == [[0, 2], [1]]


def test_after_a_swap_players_keep_their_clocks() -> None:
    """After a swap the time of the first move counts for its maker; the next runs from the swap."""
    swapped = with_pie().after(Move(0), 103.0).swapped(105.0)
    assert swapped.last_at() == 105.0
    # Three of ten seconds are used.
    assert swapped.countdown == Countdown(105.0, 112.0)
    other = swapped.after(Move(0), 109.0)
    assert other.countdown == Countdown(109.0, 119.0)
