"""Rules of undos and draws: who may propose and answer what, and when a proposal lapses."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.features.proposals.store import NewProposal
from bot.game.session import Session
from bot.settings import Settings
from bot.store.records import Ending, GameSetup, TimeControl, agent, person
from engine.core.registry import games
from tests.bot.builders import ANA, BEA, HERE, THERE, refusal_of
from tests.bot.clock import StepClock
from tests.bot.features.proposals.made import (
    EVE,
    RULES,
    begin,
    draws_of,
    order,
    play_on,
    propose,
    undos_of,
)
from tests.bot.hinting import note_hint
from tests.bot.running import run_services
from tests.builders import until


async def taken_back(services: Any, user_id: int) -> Session:
    """The game after this person has taken a turn back without needing agreement."""
    session, asked = await undos_of(services).ask(HERE, user_id)
    assert asked is None
    return session


@pytest.mark.parametrize("answer", ["accepted", "declined"])
@pytest.mark.parametrize("kind", RULES)
async def test_the_other_person_answers_once(services: Any, kind: str, answer: str) -> None:
    """Nothing changes until the other person of the game answers, and the first answer counts."""
    rules = RULES[kind](services)
    session = await begin(services, "1234")
    asked = await propose(rules, ANA)
    remaining = 2 if kind == "undo" else None
    at = asked.request.asked_at
    assert asked.request == NewProposal(session.id, ANA, 4, 0, at, remaining)
    await begin(services, "1234", channel=THERE)
    await propose(rules, ANA, THERE)
    for work in (rules.accept, rules.decline):
        for user_id in (ANA, EVE):
            assert await refusal_of(work(asked.id, user_id)) == f"refusal.not_your_{kind}"
    assert await services.sessions.games.current(HERE) == session
    after = await (rules.accept if answer == "accepted" else rules.decline)(asked.id, BEA)
    if answer == "declined":
        assert after == session
    elif kind == "undo":
        assert [move.move for move in after.moves] == ["1", "2"]
        assert (after.mover.user_id, after.undos) == (ANA, 1)
    else:
        assert after.end is not None
        assert (after.end.ending, after.end.winner) == (Ending.AGREED, None)
    for work in (rules.accept, rules.decline):
        assert await refusal_of(work(asked.id, BEA)) == f"refusal.{kind}_lapsed"
    assert await services.sessions.games.current(HERE) == (None if after.is_over else after)
    found = await rules.stored.find(asked.id)
    assert found == replace(asked, answer=answer)


@pytest.mark.parametrize("reason", ["move", "end", "undo", "newer"])
@pytest.mark.parametrize("kind", RULES)
async def test_a_proposal_lapses(services: Any, kind: str, reason: str) -> None:
    """A move, the end of the game, an undo or a newer request closes a proposal."""
    rules, undos = RULES[kind](services), undos_of(services)
    await begin(services, "1234")
    asked = await propose(rules, ANA)
    assert await rules.lapse() == []
    if reason == "move":
        await play_on(services, "1")
    elif reason == "end":
        await services.sessions.resign(HERE, BEA)
    else:
        newer = await propose(undos, BEA)
        if reason == "undo":
            await undos.accept(newer.id, ANA)
            # As many moves as before, but different ones.
            await play_on(services, "1")
    if (kind, reason) == ("draw", "newer"):
        # A request to take back does not replace an offer of a draw.
        assert await rules.lapse() == []
        await rules.accept(asked.id, BEA)
        return
    before = await services.sessions.games.current(HERE)
    for work in (rules.accept, rules.decline):
        assert await refusal_of(work(asked.id, BEA)) == f"refusal.{kind}_lapsed"
    assert await services.sessions.games.current(HERE) == before
    assert await rules.lapse() == [replace(asked, answer="lapsed")]
    assert await rules.stored.find(asked.id) == replace(asked, answer="lapsed")
    assert await rules.lapse() == []


async def test_a_declined_draw_is_not_offered_again_at_once(services: Any) -> None:
    """After a declined offer the same person can offer a draw again once the game has changed."""
    draws = draws_of(services)
    await begin(services, "123")
    assert await refusal_of(draws.ask(HERE, ANA)) == "refusal.draw_early"
    await play_on(services, "4")
    for move in "34":
        asked = await propose(draws, ANA)
        assert await refusal_of(draws.ask(HERE, ANA)) == "refusal.draw_open"
        await draws.decline(asked.id, BEA)
        assert await refusal_of(draws.ask(HERE, ANA)) == "refusal.draw_declined"
        await play_on(services, move)
    await draws.decline((await propose(draws, ANA)).id, BEA)
    await propose(draws, BEA)


@pytest.mark.parametrize("family", games())
@pytest.mark.parametrize("is_first", [True, False])
async def test_against_an_agent_the_last_turn_is_taken_back(
    services: Any, family: str, is_first: bool
) -> None:
    """In every game an undo against an agent returns to the person's last turn."""
    sessions = services.sessions
    seats = (person(ANA), agent("easy"))
    session = await sessions.start(order(*(seats if is_first else seats[::-1]), family))
    positions = []
    for _ in range(3):
        while session.awaits_agent:
            session = await sessions.reply(HERE)
        positions.append(session.position)
        while session.awaits_person:
            legal = session.position.legal_moves()
            label = session.game.label(legal[session.number % len(legal)])
            session = await sessions.play(HERE, ANA, label)
    for position in reversed(positions):
        session = await taken_back(services, ANA)
        assert session.position == position
        assert session.mover.user_id == ANA
        assert await sessions.reply(HERE) is None
    assert await refusal_of(undos_of(services).ask(HERE, ANA)) == "refusal.undo_nothing"


@pytest.mark.parametrize(
    ("family", "moves", "left"), [("connect4", "123", (2, 1, 0)), ("boom", "1234", (3, 1, 0))]
)
async def test_a_person_on_both_sides_takes_back_at_once(
    services: Any, family: str, moves: str, left: tuple[int, ...]
) -> None:
    """A person on both sides takes back turn after turn without asking.

    Between the two movements of a turn an undo takes back only the first.
    """
    await services.sessions.start(order(person(ANA), person(ANA), family))
    await play_on(services, moves)
    for remaining in left:
        session = await taken_back(services, ANA)
        assert "".join(move.move for move in session.moves) == moves[:remaining]
    assert await refusal_of(undos_of(services).ask(HERE, ANA)) == "refusal.undo_nothing"


async def test_a_thinking_agent_is_stopped(services: Any) -> None:
    """An agent's answer to a position that was undone is never played."""
    sessions = services.sessions
    started = await sessions.start(
        GameSetup("connect4", "8x8", HERE, 9, "en", person(ANA), agent("perfect"), ANA)
    )
    played = await sessions.play(HERE, ANA, "4")
    thinking = asyncio.create_task(sessions.reply(HERE))
    await until(lambda: sessions.is_answering(played))
    undone = await taken_back(services, ANA)
    assert (undone.moves, undone.position) == ((), started.position)
    assert (await services.store.games.find(started.id)).moves == ()
    again = await sessions.play(HERE, ANA, "5")
    assert await thinking is None
    assert await sessions.games.current(HERE) == again


async def test_each_reason_to_refuse_is_its_own(services: Any) -> None:
    """A missing, foreign, watched, finished or unmoved game each has its own refusal."""
    sessions, undos = services.sessions, undos_of(services)
    assert await refusal_of(undos.ask(HERE, ANA)) == "refusal.no_game"
    await sessions.start(order(agent("easy"), agent("easy")))
    await sessions.reply(HERE)
    assert await refusal_of(undos.ask(HERE, ANA)) == "refusal.undo_watched"
    await sessions.resign(HERE, ANA)
    assert await refusal_of(undos.ask(HERE, ANA)) == "refusal.no_game"
    await begin(services, "")
    assert await refusal_of(undos.ask(HERE, ANA)) == "refusal.undo_nothing"
    assert await refusal_of(undos.ask(HERE, EVE)) == "refusal.not_your_game"
    session = await play_on(services, "1")
    assert await refusal_of(undos.ask(HERE, BEA)) == "refusal.undo_nothing"
    assert await sessions.games.current(HERE) == session
    await sessions.resign(HERE, ANA)
    assert await refusal_of(undos.ask(HERE, ANA)) == "refusal.undo_over"
    assert await refusal_of(undos.ask(HERE, EVE)) == "refusal.no_game"
    assert (await services.store.games.find(session.id)).undos == 0


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
        assert (await services.timer.check_due()).ended == []
        session = await sessions.play(HERE, ANA, "3")
        assert [move.seconds for move in session.moves] == [10.0, 60.0]


async def test_a_hint_for_a_move_that_was_taken_back_stays(services: Any) -> None:
    """A hint for an undone move counts for the game, and for a move only in the same position."""
    await begin(services, "", other=ANA)
    await note_hint(services, HERE, ANA)
    await play_on(services, "12")
    await note_hint(services, HERE, ANA)
    await play_on(services, "3")
    session = await taken_back(services, ANA)
    assert [hint.number for hint in session.hints] == [1, 3]
    assert (await services.store.games.find(session.id)).hints == session.hints
    session = await play_on(services, "4")
    assert [move.hinted for move in session.moves] == [True, False, True]
    for _ in range(2):
        await taken_back(services, ANA)
    session = await play_on(services, "34")
    assert [move.hinted for move in session.moves] == [True, False, False]
