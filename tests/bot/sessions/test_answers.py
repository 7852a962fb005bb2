"""Agents always answer, even if the database, the search, its thread or the process fails."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.engine import make_url

from bot.feature import Services
from bot.game.session import ANSWER_SECONDS, Session
from bot.settings import Settings
from bot.store.records import agent, person
from bot.workers import pool
from engine.core.limits import Stop
from engine.strength.roster import own_agents
from tests.bot.builders import ANA, HERE, THERE, new_game
from tests.bot.clock import StepClock
from tests.bot.engine_jobs import Calling
from tests.bot.running import run_services
from tests.builders import PATIENCE, until


def file_of(settings: Settings) -> Path:
    """The database's file."""
    database = make_url(settings.database_url).database
    assert database is not None
    return Path(database)


def give_up_locks_at_once(services: Services) -> None:
    """Make the database give up on a lock at once, so that tests need not wait for that."""
    services.store.database.patience = 0.2


@asynccontextmanager
async def statements(settings: Settings, before: str, after: str) -> AsyncIterator[None]:
    """Another program runs a statement before the block and one after it."""
    other = sqlite3.connect(
        file_of(settings), timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    # In a thread, since a transaction that holds the lock needs this loop to end.
    await asyncio.to_thread(other.execute, before)
    yield
    await asyncio.to_thread(other.execute, after)
    other.close()


locked = partial(statements, before="BEGIN IMMEDIATE", after="ROLLBACK")
"""Another program holds the database's write lock."""

broken = partial(
    statements,
    before="ALTER TABLE moves RENAME TO away",
    after="ALTER TABLE away RENAME TO moves",
)
"""The database refuses every move."""


async def stored(services: Services, session: Session) -> Any:
    """The stored state of a game."""
    return await services.store.games.find(session.id)


@pytest.mark.sqlite
@pytest.mark.parametrize("fault", [locked, broken], ids=["locked", "broken"])
async def test_a_move_that_cannot_be_stored_is_stored_when_it_can(
    services: Services, caplog: pytest.LogCaptureFixture, fault: Any
) -> None:
    """A move that could not be stored is retried until it is stored once.

    The problem is logged once, not per attempt.
    """
    give_up_locks_at_once(services)
    await services.sessions.start(new_game())
    played = await services.sessions.play(HERE, ANA, "2")
    async with fault(services.settings):
        replying = asyncio.create_task(services.sessions.reply(HERE))
        await until(lambda: "cannot be stored yet" in caplog.text)
        await asyncio.sleep(1.0)
        assert not replying.done()
        assert services.sessions.is_answering(played)
    async with asyncio.timeout(60):
        answered = await replying
    assert answered is not None
    assert (await stored(services, played)).moves == answered.moves
    assert len(answered.moves) == 2
    assert caplog.text.count("cannot be stored yet") == 1
    assert await services.sessions.games.require_current(HERE) == answered


async def test_a_move_is_made_even_if_the_request_for_it_is_cancelled(services: Services) -> None:
    """An agent's move is made even if the request that waited for it is cancelled."""
    await services.sessions.start(new_game())
    played = await services.sessions.play(HERE, ANA, "2")
    replying = asyncio.create_task(services.sessions.reply(HERE))
    while not services.sessions.is_answering(played):  # noqa: ASYNC110  # there is no event to wait for
        await asyncio.sleep(0)
    replying.cancel()
    await asyncio.gather(replying, return_exceptions=True)
    await until(lambda: not services.sessions.is_answering(played))
    assert len((await stored(services, played)).moves) == 2


@pytest.mark.sqlite
async def test_an_undo_overtakes_a_move_that_cannot_be_stored(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    """A move that waits to be stored is dropped if an undo comes first; it is never stored late."""
    give_up_locks_at_once(services)
    await services.sessions.start(new_game())
    played = await services.sessions.play(HERE, ANA, "2")
    async with broken(services.settings):
        replying = asyncio.create_task(services.sessions.reply(HERE))
        await until(lambda: "cannot be stored yet" in caplog.text)
    await services.sessions.take_back(HERE, lambda session: 0)
    async with asyncio.timeout(60):
        assert await replying is None
    assert (await stored(services, played)).moves == ()


@pytest.mark.sqlite
async def test_a_move_that_could_not_be_stored_is_made_after_a_restart(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """After a restart the bot makes a move that could not be stored.

    The game's row says when its answer was due.
    """
    clock = StepClock()
    async with run_services(settings, Random(7), clock) as services:
        give_up_locks_at_once(services)
        await services.sessions.start(new_game())
        played = await services.sessions.play(HERE, ANA, "2")
        async with broken(settings):
            replying = asyncio.create_task(services.sessions.reply(HERE))
            await until(lambda: "cannot be stored yet" in caplog.text)
            async with asyncio.timeout(60):
                await services.sessions.close()
                assert await replying is None
    clock.forward(ANSWER_SECONDS)
    async with run_services(settings, Random(7), clock) as later:
        assert [session.id for session in (await later.timer.check_due()).overdue] == [played.id]
        assert await later.sessions.reply(HERE) is not None


async def test_every_game_in_which_an_agent_is_to_move_has_a_deadline(
    services: Services, clock: StepClock
) -> None:
    """Every game in which an agent is to move has a stored deadline, also after an undo."""
    sessions, games = services.sessions, []
    games.append(await sessions.start(new_game(1, first=agent("easy"), second=person(ANA))))
    games.append(await sessions.start(new_game(2, first=agent("easy"))))
    await sessions.start(new_game(3))
    games.append(await sessions.play(3, ANA, "2"))
    await sessions.start(new_game(4, first=agent("easy"), second=person(ANA)))
    await sessions.reply(4)
    games.append(await sessions.take_back(4, lambda session: 0))
    boom = await sessions.start(new_game(5, first=agent("easy"), family="boom", variant="7x7"))
    games.append(await sessions.reply(5) or boom)
    for game in games:
        assert game.awaits_agent
        assert (await stored(services, game)).look_at == game.last_at() + ANSWER_SECONDS
    clock.forward(ANSWER_SECONDS)
    overdue = (await services.timer.check_due()).overdue
    assert {session.id for session in overdue} == {game.id for game in games}


async def test_a_game_that_cannot_be_looked_at_keeps_no_other_waiting(
    services: Services, settings: Settings, clock: StepClock
) -> None:
    """A game that cannot be read is logged and does not delay the answers in other games."""
    spoiled = await services.sessions.start(new_game(HERE))
    await services.sessions.play(HERE, ANA, "2")
    await services.sessions.start(new_game(THERE))
    good = await services.sessions.play(THERE, ANA, "2")
    async with services.store.database.writing() as connection:
        spoil = text("UPDATE moves SET move = 'rubbish' WHERE game_id = :game")
        await connection.execute(spoil, {"game": spoiled.id})
    await services.presence.stop()
    async with run_services(settings, Random(7), clock) as later:
        clock.forward(ANSWER_SECONDS + 1)
        assert [session.id for session in (await later.timer.check_due()).overdue] == [good.id]


async def test_a_check_without_due_answers_is_one_query(
    services: Services, clock: StepClock
) -> None:
    """If no answer is due, the check is one query that reads only the index of due games."""
    await services.sessions.start(new_game())
    await services.sessions.play(HERE, ANA, "2")
    asked = list[str]()
    engine = services.store.database._engine.sync_engine
    event.listen(engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    assert (await services.timer.check_due()).overdue == []
    assert len([statement for statement in asked if "SELECT" in statement]) == 1
    asked.clear()
    clock.forward(ANSWER_SECONDS + 1)
    assert len((await services.timer.check_due()).overdue) == 1
    assert len(asked) > 1


async def test_while_an_agent_is_busy_it_is_not_asked_again(
    services: Services, clock: StepClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While an agent waits for a thread it is not asked again, and the wait causes no writes."""
    release = threading.Event()
    blocked = [asyncio.create_task(services.workers.do(Calling(release.wait))) for _ in range(2)]
    await services.sessions.start(new_game())
    played = await services.sessions.play(HERE, ANA, "2")
    replying = asyncio.create_task(services.sessions.reply(HERE))
    await until(lambda: services.sessions.is_answering(played))
    before = await services.timer.next_due()
    clock.forward(10 * ANSWER_SECONDS)
    assert (await services.timer.check_due()).overdue == []
    assert await services.timer.next_due() == before
    release.set()
    await asyncio.gather(*blocked)
    assert await replying is not None


class FailingAgent:
    """An agent that fails."""

    name = "raises"

    def choose(self, position: Any, *, rng: Random, stop: Stop | None = None) -> Any:
        """Fail."""
        raise ArithmeticError("this agent is broken")


class ThreadEndingAgent(FailingAgent):
    """An agent that ends the thread it runs in."""

    def choose(self, position: Any, *, rng: Random, stop: Stop | None = None) -> Any:
        """Raise the exception that ends a thread."""
        raise SystemExit


class StoppableAgent(FailingAgent):
    """An agent that searches until it is stopped."""

    def choose(self, position: Any, *, rng: Random, stop: Stop | None = None) -> Any:
        """Wait for the flag, and give up."""
        while stop is not None and not stop.is_set:
            threading.Event().wait(0.005)
        raise ArithmeticError("stopped")


class HangingAgent(FailingAgent):
    """An agent that ignores every request to stop."""

    def __init__(self) -> None:
        self.release = threading.Event()

    def choose(self, position: Any, *, rng: Random, stop: Stop | None = None) -> Any:
        """Block until the end of the test."""
        self.release.wait(60)
        raise ArithmeticError("released")


@pytest.mark.parametrize("kind", [FailingAgent, ThreadEndingAgent, StoppableAgent, HangingAgent])
@pytest.mark.parametrize("is_watched", [False, True])
async def test_an_agent_that_fails_in_any_way_is_replaced(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, kind: Any, is_watched: bool
) -> None:
    """A game whose agent fails continues with another agent.

    Threads remain for the searches of other games.
    """
    failing = kind()
    monkeypatch.setattr(pool, "GRACE", 0.05)
    known = {**own_agents("connect4"), "broken": failing}
    monkeypatch.setattr("engine.strength.roster.own_agents", lambda _key: known)
    async with run_services(settings, Random(7)) as services:
        monkeypatch.setattr(services.sessions._answers._searches, "_patience", 0.3)
        seats = {"first": agent("broken")} if is_watched else {}
        await services.sessions.start(new_game(HERE, agent("broken"), **seats))
        if not is_watched:
            await services.sessions.play(HERE, ANA, "2")
        async with asyncio.timeout(60):
            answered = await services.sessions.reply(HERE)
        assert answered is not None
        assert not answered.is_unsearched
        meeting = threading.Barrier(2, timeout=60)
        both = (services.workers.do(Calling(meeting.wait)) for _ in range(2))
        assert sorted(await asyncio.gather(*both)) == [0, 1]
    if isinstance(failing, HangingAgent):
        failing.release.set()


async def test_nothing_is_searched_for_once_the_bot_closes(services: Services) -> None:
    """A closing bot begins no search and makes no random move.

    The agent's move is left to the next run.
    """
    await services.sessions.start(new_game())
    played = await services.sessions.play(HERE, ANA, "2")
    await services.sessions.close()
    assert await services.sessions.reply(HERE) is None
    assert len((await stored(services, played)).moves) == 1
