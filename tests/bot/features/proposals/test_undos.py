"""Rules of undo: who may take back which turn, running searches, and crashes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.features.proposals.rules import Undos
from bot.features.proposals.store import Proposal
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.sessions.sessions import Sessions
from bot.settings import Settings
from bot.store.records import GameSetup, SeatRecord, TimeControl, agent, person
from engine.core.registry import games
from tests.bot.clock import StepClock
from tests.bot.features.proposals.made import undos_of
from tests.bot.hinting import note_hint
from tests.bot.running import run_services

pytestmark = pytest.mark.databases

ANA, BEA, EVE, HERE = 1, 2, 3, 100


def order(first: SeatRecord, second: SeatRecord, family: str = "connect4") -> GameSetup:
    """Ana's order for a game in this channel."""
    variant = "5x4" if family == "connect4" else games()[family].usual
    return GameSetup(family, variant, HERE, 9, "en", first, second, ANA)


async def play_on(sessions: Sessions, moves: str) -> Session:
    """Make these moves, each for the player to move."""
    for move in moves:
        session = await sessions.games.current(HERE)
        assert session is not None
        assert session.mover.user_id is not None
        await sessions.play(HERE, session.mover.user_id, move)
    session = await sessions.games.current(HERE)
    assert session is not None
    return session


async def refusal_of(work: Any) -> str:
    """The key of the refusal that `work` raises."""
    with pytest.raises(Refusal) as caught:
        await work
    return caught.value.key


async def request_of(undos: Undos, user_id: int) -> Proposal:
    """An undo request by this person."""
    _, asked = await undos.ask(HERE, user_id)
    assert asked is not None
    return asked


async def taken_back(services: Any, user_id: int) -> Session:
    """The game after this person has taken a turn back without needing agreement."""
    session, asked = await undos_of(services).ask(HERE, user_id)
    assert asked is None
    return session


@pytest.mark.parametrize("family", games())
@pytest.mark.parametrize("is_first", [True, False])
async def test_against_an_agent_the_last_turn_is_taken_back(
    services: Any, family: str, is_first: bool
) -> None:
    """In every game an undo against an agent returns to the person's last turn."""
    sessions = services.sessions
    seats = (person(ANA), agent("easy"))
    session = await sessions.start(order(*(seats if is_first else seats[::-1]), family))
    stood = {}
    for _ in range(3):
        while session.awaits_agent:
            session = await sessions.reply(HERE)
        stood[len(stood)] = session.position
        while session.awaits_person:
            legal = session.position.legal_moves()
            label = session.game.label(legal[session.number % len(legal)])
            session = await sessions.play(HERE, ANA, label)
    for turn in (2, 1, 0):
        session = await taken_back(services, ANA)
        assert session.position == stood[turn]
        assert session.mover.user_id == ANA
        assert await sessions.reply(HERE) is None
    assert await refusal_of(undos_of(services).ask(HERE, ANA)) == "refusal.undo_nothing"


async def test_a_turn_that_goes_on_is_taken_back_to_its_beginning(services: Any) -> None:
    """Between the two movements of a turn an undo takes back only the first."""
    await services.sessions.start(order(person(ANA), person(ANA), "boom"))
    session = await play_on(services.sessions, "1234")
    assert (session.mover.user_id, session.position.ply) == (ANA, 4)
    session = await taken_back(services, ANA)
    assert [move.move for move in session.moves] == ["1", "2", "3"]
    session = await taken_back(services, ANA)
    assert [move.move for move in session.moves] == ["1"]


async def test_a_person_on_both_sides_takes_back_at_once(services: Any) -> None:
    """A person on both sides can take back turn after turn without asking."""
    await services.sessions.start(order(person(ANA), person(ANA)))
    await play_on(services.sessions, "123")
    for left in (2, 1, 0):
        session = await taken_back(services, ANA)
        assert len(session.moves) == left
    assert await refusal_of(undos_of(services).ask(HERE, ANA)) == "refusal.undo_nothing"


async def test_a_thinking_agent_is_stopped(services: Any) -> None:
    """An agent's answer to a position that was undone is never played, even if it recurs."""
    sessions = services.sessions
    started = await sessions.start(
        GameSetup("connect4", "8x8", HERE, 9, "en", person(ANA), agent("perfect"), ANA)
    )
    await sessions.play(HERE, ANA, "4")
    thinking = asyncio.create_task(sessions.reply(HERE))
    await asyncio.sleep(0.1)
    undone = await taken_back(services, ANA)
    assert (undone.moves, undone.position) == ((), started.position)
    assert (await services.store.games.find(started.id)).moves == ()
    again = await sessions.play(HERE, ANA, "5")
    assert await thinking is None
    assert await sessions.games.current(HERE) == again
    assert (await sessions.reply(HERE)).moves[0] == again.moves[0]


async def test_simultaneous_changes_leave_one_consistent_game(services: Any) -> None:
    """After an undo during the agent's answers no move remains, and memory and store agree."""
    sessions = services.sessions
    await sessions.start(order(person(ANA), agent("easy")))
    for _ in range(5):
        await sessions.play(HERE, ANA, "1")
        await asyncio.gather(sessions.reply(HERE), taken_back(services, ANA), sessions.reply(HERE))
        present = await sessions.games.current(HERE)
        assert present.moves == ()
        async with run_services(services.settings) as others:
            assert await others.sessions.games.current(HERE) == present


async def test_each_reason_to_refuse_is_its_own(services: Any) -> None:
    """A missing, foreign, watched, finished or unmoved game each has its own refusal."""
    sessions, undos = services.sessions, undos_of(services)
    assert await refusal_of(undos.ask(HERE, ANA)) == "refusal.no_game"
    await sessions.start(order(agent("easy"), agent("easy")))
    await sessions.reply(HERE)
    assert await refusal_of(undos.ask(HERE, ANA)) == "refusal.undo_watched"
    await sessions.resign(HERE, ANA)
    assert await refusal_of(undos.ask(HERE, ANA)) == "refusal.no_game"
    session = await sessions.start(order(person(ANA), person(BEA)))
    assert await refusal_of(undos.ask(HERE, ANA)) == "refusal.undo_nothing"
    assert await refusal_of(undos.ask(HERE, EVE)) == "refusal.not_your_game"
    session = await play_on(sessions, "1")
    assert await refusal_of(undos.ask(HERE, BEA)) == "refusal.undo_nothing"
    assert await sessions.games.current(HERE) == session
    await sessions.resign(HERE, ANA)
    assert await refusal_of(undos.ask(HERE, ANA)) == "refusal.undo_over"
    assert await refusal_of(undos.ask(HERE, EVE)) == "refusal.no_game"
    assert (await services.store.games.find(session.id)).undos == 0


async def test_between_two_people_the_other_decides(services: Any) -> None:
    """Nothing changes until the other person accepts, and no third person can."""
    sessions, undos = services.sessions, undos_of(services)
    await sessions.start(order(person(ANA), person(BEA)))
    session = await play_on(sessions, "123")
    asked = await request_of(undos, BEA)
    assert await sessions.games.current(HERE) == session
    for work in (undos.accept, undos.decline):
        for nobody in (BEA, EVE):
            assert await refusal_of(work(asked.id, nobody)) == "refusal.not_your_undo"
    undone = await undos.accept(asked.id, ANA)
    assert [move.move for move in undone.moves] == ["1"]
    assert undone.mover.user_id == BEA
    assert await refusal_of(undos.accept(asked.id, ANA)) == "refusal.undo_lapsed"
    assert await sessions.games.current(HERE) == undone


async def test_a_declined_request_changes_nothing(services: Any) -> None:
    """After a No the game goes on as it was, and the request can no longer be accepted."""
    await services.sessions.start(order(person(ANA), person(BEA)))
    session = await play_on(services.sessions, "12")
    asked = await request_of(undos_of(services), ANA)
    assert await undos_of(services).decline(asked.id, BEA) == session
    assert await refusal_of(undos_of(services).accept(asked.id, BEA)) == "refusal.undo_lapsed"
    assert await services.sessions.games.current(HERE) == session


async def test_accepting_twice_at_once_takes_back_once(services: Any) -> None:
    """Of many simultaneous clicks on Accept, one counts."""
    await services.sessions.start(order(person(ANA), person(BEA)))
    session = await play_on(services.sessions, "1234")
    asked = await request_of(undos_of(services), ANA)
    tried = await asyncio.gather(
        *(undos_of(services).accept(asked.id, BEA) for _ in range(5)), return_exceptions=True
    )
    assert sum(isinstance(result, Session) for result in tried) == 1
    assert sum(isinstance(result, Refusal) for result in tried) == 4
    game = await services.store.games.find(session.id)
    assert (len(game.moves), game.undos) == (2, 1)


@pytest.mark.parametrize("reason", ["move", "end", "newer", "undo"])
async def test_a_request_lapses(services: Any, reason: str) -> None:
    """A move, the end of the game, a newer request or another undo closes a request."""
    sessions, undos = services.sessions, undos_of(services)
    await sessions.start(order(person(ANA), person(BEA)))
    await play_on(sessions, "1234")
    asked = await request_of(undos, ANA)
    assert await undos.lapse() == []
    if reason == "move":
        await play_on(sessions, "1")
    elif reason == "end":
        await sessions.resign(HERE, BEA)
    else:
        newer = await request_of(undos, BEA)
        if reason == "undo":
            await undos.accept(newer.id, ANA)
            # As many moves as before, but different ones.
            await play_on(sessions, "1")
    before = await sessions.games.current(HERE)
    assert await refusal_of(undos.accept(asked.id, BEA)) == "refusal.undo_lapsed"
    assert await refusal_of(undos.decline(asked.id, BEA)) == "refusal.undo_lapsed"
    assert await sessions.games.current(HERE) == before
    assert [undo.id for undo in await undos.lapse()] == [asked.id]
    assert (await undos.stored.find(asked.id)).answer == "lapsed"


async def test_the_end_is_unrated_even_after_a_restart(services: Any) -> None:
    """A game with an undo changes no rating, whichever player ends it."""
    await services.sessions.start(order(person(ANA), person(BEA)))
    await play_on(services.sessions, "121212")
    await undos_of(services).accept((await request_of(undos_of(services), BEA)).id, ANA)
    async with run_services(services.settings) as fresh:
        await play_on(fresh.sessions, "3")
        ended = await fresh.sessions.resign(HERE, ANA)
    assert ended.undos == 1
    assert not ended.rating_due


async def test_time_that_was_taken_back_counts_for_no_player(settings: Settings) -> None:
    """After an undo the clock of the next move starts at the undo."""
    clock = StepClock(1000.0)
    async with run_services(settings, clock=clock) as services:
        sessions = services.sessions
        wanted = order(person(ANA), person(ANA))
        await sessions.start(replace(wanted, clock=TimeControl(100.0)))
        for seconds, move in ((10.0, "1"), (20.0, "2")):
            clock.forward(seconds)
            await sessions.play(HERE, ANA, move)
        clock.forward(60.0)
        undone = await taken_back(services, ANA)
        assert undone.countdown is not None
        assert undone.countdown.deadline == 1190.0
        clock.forward(60.0)
        assert (await services.timer.look()).ended == []
        session = await sessions.play(HERE, ANA, "3")
        assert [move.seconds for move in session.moves] == [10.0, 60.0]


async def test_a_hint_for_a_move_that_was_taken_back_stays(services: Any) -> None:
    """A hint for an undone move counts for the game, and for a move only in the same position."""
    sessions = services.sessions
    await sessions.start(order(person(ANA), person(ANA)))
    await note_hint(services, HERE, ANA)
    await play_on(sessions, "12")
    await note_hint(services, HERE, ANA)
    await play_on(sessions, "3")
    session = await taken_back(services, ANA)
    assert [hint.number for hint in session.hints] == [1, 3]
    assert (await services.store.games.find(session.id)).hints == session.hints
    session = await play_on(sessions, "4")
    assert [move.hinted for move in session.moves] == [True, False, True]
    for _ in range(2):
        await taken_back(services, ANA)
    session = await play_on(sessions, "34")
    assert [move.hinted for move in session.moves] == [True, False, False]
