"""Turns that take too long: warnings, losses on time, and agents that are asked again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest

from bot.feature import Services
from bot.game.clocks import SILENCE
from bot.game.refusal import Refusal
from bot.game.session import ANSWER_SECONDS, Session
from bot.ratings.glicko import newcomer
from bot.sessions.timer import LONGEST_SILENCE, CheckedGames
from bot.settings import Settings
from bot.store.records import GameSetup, SeatRecord, TimeControl, agent, person
from engine.core.game import Player
from engine.core.registry import game_of
from engine.strength.ladder import ladder_of
from tests.bot.builders import ANA, BEA, HERE, THERE, new_game
from tests.bot.clock import StepClock
from tests.bot.running import run_services

LADDER = "connect4-small"
CLOCK = TimeControl(100.0)


@asynccontextmanager
async def a_run(settings: Settings, clock: StepClock) -> AsyncIterator[Services]:
    """A bot that has just been started, without Discord."""
    async with run_services(settings, Random(7), clock) as services:
        yield services


@pytest.fixture
def clock() -> StepClock:
    """A clock that moves only when the test advances it."""
    return StepClock(1_000_000.0)


@pytest.fixture
async def run(settings: Settings, clock: StepClock) -> AsyncIterator[Services]:
    """Services that use the test's clock."""
    async with a_run(settings, clock) as services:
        yield services


def order(
    second: SeatRecord, channel_id: int = HERE, control: TimeControl | None = CLOCK
) -> GameSetup:
    """Ana's setup of a game."""
    return new_game(channel_id, second, clock=control)


def ids(sessions: list[Session]) -> list[int]:
    """The ids of these sessions."""
    return [session.id for session in sessions]


async def play_on(run: Services, channel_id: int, moves: str) -> None:
    """Make these moves for the people to move; agents choose their own."""
    for move in moves:
        session = await run.sessions.games.require_current(channel_id)
        assert session.mover.user_id is not None
        await run.sessions.play(channel_id, session.mover.user_id, move)
        await run.sessions.reply(channel_id)


@pytest.mark.parametrize("seconds", [30.0, 100.0, 7 * 86_400.0])
@pytest.mark.parametrize("second", [person(BEA), agent("easy"), person(ANA)])
async def test_a_player_with_a_quarter_left_is_warned_once(
    run: Services, clock: StepClock, second: SeatRecord, seconds: float
) -> None:
    """A player with a quarter of the time left is warned once per move, against any opponent."""
    game = await run.sessions.start(order(second, control=TimeControl(seconds)))
    if game.ping_at is not None:
        clock.forward(SILENCE)
        assert ids((await run.timer.check_due()).silent) == [game.id]
        clock.forward(-SILENCE)
    assert await run.timer.next_due() == clock() + 0.75 * seconds
    clock.forward(0.74 * seconds)
    assert await run.timer.check_due() == CheckedGames()
    clock.forward(0.01 * seconds)
    assert ids((await run.timer.check_due()).warned) == [game.id]
    assert await run.timer.next_due() == clock() + 0.25 * seconds
    clock.forward(0.24 * seconds)
    assert await run.timer.check_due() == CheckedGames()


async def test_a_silent_person_is_pinged_once_for_a_move(
    run: Services, settings: Settings, clock: StepClock
) -> None:
    """A person who is silent for two minutes is due to be pinged once, over a restart too."""
    game = await run.sessions.start(order(person(BEA), control=None))
    assert await run.timer.next_due() == clock() + SILENCE
    clock.forward(SILENCE)
    assert ids((await run.timer.check_due()).silent) == [game.id]
    async with a_run(settings, clock) as later:
        assert await later.timer.check_due() == CheckedGames()
        clock.forward(SILENCE)
        assert await later.timer.check_due() == CheckedGames()
        await later.sessions.play(HERE, ANA, "1")
        clock.forward(SILENCE)
        assert ids((await later.timer.check_due()).silent) == [game.id]


@pytest.mark.parametrize("seconds", [30.0, 179.0])
async def test_quick_games_have_no_pings(run: Services, seconds: float) -> None:
    """With less than three minutes for a move, the warning is the only message."""
    game = await run.sessions.start(order(person(BEA), control=TimeControl(seconds)))
    assert game.ping_at is None
    assert await run.timer.next_due() == game.started_at + 0.75 * seconds


async def test_a_warning_leaves_no_ping_due(run: Services, clock: StepClock) -> None:
    """Where a warning comes before the two minutes are over, there is no ping."""
    await run.sessions.start(order(person(BEA), control=TimeControl(200.0, "game")))
    for by, move in ((ANA, "1"), (BEA, "2")):
        clock.forward(100.0)
        await run.sessions.play(HERE, by, move)
    clock.forward(80.0)
    checked = await run.timer.check_due()
    assert (len(checked.warned), checked.silent) == (1, [])
    clock.forward(19.0)
    assert await run.timer.check_due() == CheckedGames()


async def test_a_restart_repeats_no_warning(
    run: Services, settings: Settings, clock: StepClock
) -> None:
    """A warning is stored before it is sent, so a restart does not repeat it."""
    game = await run.sessions.start(order(person(BEA)))
    clock.forward(80.0)
    assert ids((await run.timer.check_due()).warned) == [game.id]
    async with a_run(settings, clock) as later:
        assert await later.timer.check_due() == CheckedGames()


async def test_each_move_has_a_time_and_a_warning_of_its_own(
    run: Services, clock: StepClock
) -> None:
    """Each move has its own time and warning: after a move or an undo the clock starts again."""
    game = await run.sessions.start(order(person(ANA)))
    for _ in range(2):
        clock.forward(80.0)
        assert ids((await run.timer.check_due()).warned) == [game.id]
        await run.sessions.play(HERE, ANA, "1")
        assert await run.timer.check_due() == CheckedGames()
    clock.forward(80.0)
    assert ids((await run.timer.check_due()).warned) == [game.id]
    await run.sessions.take_back(HERE, lambda session: len(session.moves) - 1)
    clock.forward(74.0)
    assert await run.timer.check_due() == CheckedGames()
    clock.forward(1.0)
    assert ids((await run.timer.check_due()).warned) == [game.id]


@pytest.mark.parametrize("seconds", [30.0, 48 * 3600.0])
async def test_a_player_who_runs_out_of_time_loses(
    run: Services, clock: StepClock, seconds: float
) -> None:
    """A player whose time is up loses, not earlier, and the game is rated as usual."""
    await run.sessions.start(order(person(BEA), control=TimeControl(seconds)))
    await play_on(run, HERE, "1234")
    clock.forward(seconds - 0.1)
    assert (await run.timer.check_due()).ended == []
    clock.forward(0.1)
    (ended,) = (await run.timer.check_due()).ended
    assert ended.end is not None
    assert (ended.end.ending, ended.winner) == ("time", Player.SECOND)
    assert await run.sessions.games.current(HERE) is None
    assert await run.timer.check_due() == CheckedGames()
    await run.ratings.settled(ANA, 60)
    ana, bea = [await run.store.ratings.of(user, LADDER) for user in (ANA, BEA)]
    new = newcomer(ladder_of(game_of("connect4", "5x4")))
    assert ana.rating.value < new.value < bea.rating.value


async def test_the_default_clock_is_the_bots(run: Services, clock: StepClock) -> None:
    """Games that are started without a clock of their own give two days for a move."""
    game = await run.sessions.start(order(person(BEA), control=None))
    assert game.setup.clock == TimeControl(48 * 3600.0)
    assert game.countdown is not None
    assert game.countdown.deadline == clock() + 48 * 3600.0


async def test_a_time_for_the_whole_game_is_used_up(run: Services, clock: StepClock) -> None:
    """With a time for the whole game, each side has a clock that runs only while it is to move."""
    await run.sessions.start(order(person(BEA), control=TimeControl(100.0, "game")))
    for user, move, seconds in ((ANA, "1", 60), (BEA, "2", 10), (ANA, "3", 30), (BEA, "4", 80)):
        clock.forward(seconds)
        await run.sessions.play(HERE, user, move)
    assert await run.timer.next_due() == clock() + 7.5
    clock.forward(10.0)
    (ended,) = (await run.timer.check_due()).ended
    assert ended.winner is Player.SECOND


async def test_a_game_that_hardly_began_is_called_off(run: Services, clock: StepClock) -> None:
    """A game that runs out of time before the fourth move ends without a result.

    Its channel is free for another game.
    """
    await run.sessions.start(order(agent("easy")))
    await play_on(run, HERE, "1")
    clock.forward(101.0)
    (ended,) = (await run.timer.check_due()).ended
    assert ended.end is not None
    assert (ended.end.ending, ended.end.winner, ended.rating_due) == ("aborted", None, False)
    with pytest.raises(Refusal):
        await run.sessions.play(HERE, ANA, "1")


async def test_an_agent_that_is_silent_is_asked_again(run: Services, clock: StepClock) -> None:
    """An agent that does not answer never loses on time.

    It is asked again until it answers, in watched games too.
    """
    await run.sessions.start(order(agent("easy")))
    await run.sessions.play(HERE, ANA, "1")
    two = GameSetup("connect4", "5x4", THERE, 9, "en", agent("easy"), agent("easy"), ANA)
    await run.sessions.start(two)
    clock.forward(ANSWER_SECONDS - 1)
    assert await run.timer.check_due() == CheckedGames()
    for _ in range(3):
        clock.forward(LONGEST_SILENCE)
        looked = await run.timer.check_due()
        assert len(looked.overdue) == 2
        assert looked.ended == looked.warned == []
    await run.sessions.reply(HERE)
    await run.sessions.reply(THERE)
    assert await run.timer.check_due() == CheckedGames()


async def test_a_fresh_run_finds_what_became_due(
    run: Services, settings: Settings, clock: StepClock
) -> None:
    """After a restart the bot knows from the store when each game is due."""
    await run.sessions.start(order(agent("easy")))
    await play_on(run, HERE, "12")
    clock.forward(1000.0)
    await run.presence.stop()
    async with a_run(settings, clock) as later:
        (ended,) = (await later.timer.check_due()).ended
    assert ended.winner is Player.SECOND


async def test_a_finished_game_is_never_due(run: Services, clock: StepClock) -> None:
    """A finished game is never due, even if it was due before it ended."""
    await run.sessions.start(order(person(BEA)))
    await run.sessions.resign(HERE, ANA)
    assert await run.timer.next_due() is None
    clock.forward(1000.0)
    assert await run.timer.check_due() == CheckedGames()


async def test_games_from_before_there_were_clocks_get_the_default(
    run: Services, settings: Settings, clock: StepClock
) -> None:
    """At startup, running games without a time control get the bot's default."""
    game = await run.sessions.start(order(person(BEA)))
    async with run.store.database.writing() as connection:
        await connection.exec_driver_sql("UPDATE games SET clock_seconds = NULL, look_at = 0")
    await run.presence.stop()
    async with a_run(settings, clock) as later:
        assert await later.timer.check_due() == CheckedGames()
        found: Any = await later.sessions.games.find(game.id)
        assert found.setup.clock == TimeControl(48 * 3600.0)
        assert await later.timer.next_due() == clock() + SILENCE
