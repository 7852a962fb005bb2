"""Time in which the bot is down or can store nothing does not count against players' clocks."""

from __future__ import annotations

import asyncio
import shutil

import pytest

from bot.app import open_services
from bot.database.errors import Unavailable
from bot.feature import Services
from bot.game.clocks import BOARD_MAX
from bot.sessions import timer
from bot.sessions.timer import Hooks
from bot.settings import Settings
from bot.store.records import GameSetup, NewChallengeRecord, TimeControl, person
from engine.core.registry import game_of
from tests.bot.clock import StepClock
from tests.bot.databases import file_of
from tests.bot.running import run_services
from tests.builders import until

HERE, ANA, BEA = 5, 1, 2
DAY = 86_400.0


@pytest.fixture
def clock() -> StepClock:
    """A clock that moves only when the test moves it."""
    return StepClock(1_000_000.0)


def order(clock: TimeControl | None = None) -> GameSetup:
    """A game between Ana and Bea."""
    game = game_of("connect4", "6x7")
    return GameSetup(
        game.key, game.variant, HERE, None, "en", person(ANA), person(BEA), ANA, clock=clock
    )


async def begin(services: Services, clock: TimeControl | None = None, moves: str = "1122") -> None:
    """Begin a game and make some moves."""
    await services.sessions.start(order(clock))
    for number, move in enumerate(moves):
        await services.sessions.play(HERE, (ANA, BEA)[number % 2], move)


async def test_49_hours_away_forfeit_nothing(settings: Settings, clock: StepClock) -> None:
    """A game with two days per move continues after the bot was down for 49 hours."""
    async with run_services(settings, clock=clock) as services:
        await begin(services)
        clock.forward(DAY)
    clock.forward(49 * 3600.0)
    async with run_services(settings, clock=clock) as services:
        assert (await services.timer.check_due()).ended == []
        session = await services.sessions.games.current(HERE)
        assert session is not None
        assert session.countdown is not None
        assert session.countdown.deadline == clock() + DAY
        clock.forward(DAY - 1)
        assert (await services.timer.check_due()).ended == []
        clock.forward(2)
        (ended,) = (await services.timer.check_due()).ended
        assert ended.end is not None
        assert ended.end.ending == "time"


@pytest.mark.sqlite
async def test_a_kill_costs_at_most_a_minute(settings: Settings, clock: StepClock) -> None:
    """After a kill the absence is counted from the last stored heartbeat or event."""
    kept = file_of(settings.database_url)
    async with run_services(settings, clock=clock) as services:
        clock.forward(50.0)
        await begin(services)
        clock.forward(3.0)
        services.store.database.place.back_up(kept.with_name("killed.db"))
    shutil.copyfile(kept.with_name("killed.db"), kept)
    clock.forward(DAY)
    async with run_services(settings, clock=clock) as services:
        session = await services.sessions.games.current(HERE)
        assert session is not None
        assert session.paused == DAY + 3.0


async def test_a_board_shows_how_much_time_is_given_back(
    settings: Settings, clock: StepClock
) -> None:
    """A game whose time is extended has a board that is due to be shown again."""
    async with run_services(settings, clock=clock) as services:
        session = await services.sessions.start(order())
        await services.sessions.games.show_in(session, 9, shown=session.state)
        assert await services.store.boards.count_due() == 0
    clock.forward(3600)
    async with run_services(settings, clock=clock) as services:
        (due,) = await services.store.boards.due(clock(), 5)
        assert due.id == session.id


async def test_short_absences_change_no_board_until_they_add_up(
    settings: Settings, clock: StepClock
) -> None:
    """All lost time is given back, but boards are updated only in noticeable steps."""
    async with run_services(settings, clock=clock) as services:
        session = await services.sessions.start(order())
        await services.sessions.games.show_in(session, 9, shown=session.state)
    differing = []
    for _ in range(4):
        clock.forward(BOARD_MAX / 3)
        async with run_services(settings, clock=clock) as services:
            differing.append(await services.store.boards.count_due())
            found = await services.sessions.games.find(session.id)
    assert differing == [0, 0, 1, 1]
    assert found is not None
    assert found.paused == pytest.approx(4 * BOARD_MAX / 3)


async def test_absences_add_up_until_the_next_move(settings: Settings, clock: StepClock) -> None:
    """The time of two absences adds up until the next move, which ends the extension."""
    async with run_services(settings, clock=clock) as services:
        await begin(services, TimeControl(1000.0, "game"))
        clock.forward(100.0)
    for _ in range(2):
        clock.forward(DAY)
        async with run_services(settings, clock=clock):
            clock.forward(50.0)
    async with run_services(settings, clock=clock) as services:
        after = await services.sessions.play(HERE, ANA, "3")
        assert after.moves[-1].seconds == pytest.approx(200.0)
        assert after.paused == 0.0
    async with run_services(settings, clock=clock) as services:
        assert (await services.sessions.games.current(HERE)) == after


async def test_a_turn_taken_back_ends_what_was_given(settings: Settings, clock: StepClock) -> None:
    """After an undo the time for the move runs from the undo, without the earlier extension."""
    async with run_services(settings, clock=clock) as services:
        await begin(services)
    clock.forward(DAY)
    async with run_services(settings, clock=clock) as services:
        session = await services.sessions.take_back(HERE, lambda _: 3)
        assert session.paused == 0.0
        found = await services.sessions.games.find(session.id)
        assert found is not None
        assert (found.paused, found.due_at) == (0.0, session.due_at)


async def test_challenges_are_extended_by_an_absence(settings: Settings, clock: StepClock) -> None:
    """An open challenge is extended by an absence; one that had already expired stays expired."""

    def offer(expires_at: float) -> NewChallengeRecord:
        return NewChallengeRecord(order(), clock() - 600.0, expires_at)

    async with run_services(settings, clock=clock) as services:
        accepted = await services.store.challenges.add(offer(clock() + 60.0))
        over = await services.store.challenges.add(offer(clock() - 1.0))
    clock.forward(DAY)
    async with run_services(settings, clock=clock) as services:
        assert [c.id for c in await services.challenges.expire()] == [over.id]
        clock.forward(59.0)
        assert await services.challenges.expire() == []
        await services.challenges.accept(accepted.id, BEA)


@pytest.mark.databases
async def test_the_lease_is_kept_before_a_client_runs(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that takes long to log in keeps its lease, so others do not take its games."""
    for name in ("FILE_CHECK", "RENEWAL", "LONE_RENEWAL"):
        monkeypatch.setattr(timer, name, 0.01)
    clock = StepClock(1_000_000.0)
    async with open_services(settings, clock=clock) as services:
        entered = await services.store.processes.find(services.ownership.id)
        assert entered is not None
        clock.forward(60)

        async def is_renewed() -> bool:
            found = await services.store.processes.find(services.ownership.id)
            return found is not None and found.seen_at >= entered.seen_at + 60

        await until(is_renewed)


@pytest.mark.sqlite
async def test_players_do_not_lose_while_nothing_can_be_stored(
    settings: Settings, clock: StepClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the database is unavailable players do not lose on time.

    Afterwards their games continue.
    """
    back = asyncio.Event()
    file = file_of(settings.database_url)
    async with run_services(settings, clock=clock, hooks=Hooks(recovered=back.set)) as services:
        await begin(services)
        before = await services.sessions.games.current(HERE)
        file.rename(file.with_name("away.db"))
        clock.forward(3 * DAY)
        with pytest.raises(Unavailable):
            await services.timer.check_due()
        with pytest.raises(Unavailable):
            await services.sessions.play(HERE, ANA, "3")
        file.with_name("away.db").rename(file)
        await asyncio.wait_for(back.wait(), 60)
        assert (await services.timer.check_due()).ended == []
        after = await services.sessions.games.current(HERE)
        assert after is not None
        assert before is not None
        assert (after.moves, after.paused) == (before.moves, 3 * DAY)
        await services.sessions.play(HERE, ANA, "3")


@pytest.mark.sqlite
async def test_restored_games_replace_those_in_memory(settings: Settings, clock: StepClock) -> None:
    """After a restoration the games are those of the copy, also the ones that were in memory."""
    back = asyncio.Event()
    file = file_of(settings.database_url)
    async with run_services(settings, clock=clock, hooks=Hooks(recovered=back.set)) as services:
        await begin(services)
        services.store.database.place.back_up(file.with_name("copy.db"))
        await services.sessions.play(HERE, ANA, "3")
        file.rename(file.with_name("before.db"))
        file.with_name("copy.db").replace(file)
        await asyncio.wait_for(back.wait(), 60)
        session = await services.sessions.games.current(HERE)
        assert session is not None
        assert len(session.moves) == 4
        await services.sessions.play(HERE, ANA, "5")
    # The file that was moved away holds everything that was acknowledged, without its write-ahead
    # log.
    shutil.copyfile(file.with_name("before.db"), file)
    async with run_services(settings, clock=clock) as services:
        session = await services.sessions.games.current(HERE)
        assert session is not None
        assert [made.move for made in session.moves] == list("11223")


def suspend(services: Services, clock: StepClock, seconds: float) -> None:
    """Let time pass in which this process does not run at all."""
    clock.forward(seconds)
    services.presence._ran -= seconds


async def test_time_in_which_the_process_was_suspended_is_given_back(
    settings: Settings, clock: StepClock
) -> None:
    """After a suspension the player to move has as much time left as before it."""
    resumed: list[str] = []

    async def look() -> None:
        resumed.append("looked")

    async with run_services(settings, clock=clock, hooks=Hooks(resumed=look)) as services:
        await begin(services, TimeControl(30.0))
        clock.forward(20.0)
        suspend(services, clock, 600.0)
        assert not services.presence.note_activity()
        assert (await services.timer.check_due()).ended == []
        assert services.presence.note_activity()
        assert "looked" in resumed
        session = await services.sessions.games.current(HERE)
        assert session is not None
        assert session.countdown is not None
        assert session.countdown.deadline == pytest.approx(clock() + 10.0)
        clock.forward(11.0)
        (ended,) = (await services.timer.check_due()).ended
        assert ended.id == session.id


async def test_after_a_suspension_requests_wait_for_a_look_at_other_processes(
    settings: Settings, clock: StepClock
) -> None:
    """After a suspension requests wait until the process knows whether it has been replaced."""
    may_look = asyncio.Event()

    async def look() -> None:
        await may_look.wait()

    async with run_services(settings, clock=clock, hooks=Hooks(resumed=look)) as services:
        suspend(services, clock, 60.0)
        assert not services.presence.note_activity()
        await services.presence.wait_until_certain(0.01)
        assert not services.presence.note_activity()
        may_look.set()
        await services.presence.wait_until_certain(30.0)
        assert services.presence.note_activity()


async def test_times_in_a_game_never_decrease(settings: Settings, clock: StepClock) -> None:
    """A process that takes over from one with a fast clock stores no earlier times."""
    async with run_services(settings, clock=clock) as services:
        clock.forward(3600.0)
        await begin(services)
        clock.forward(-3600.0)
        await services.sessions.play(HERE, ANA, "3")
        await services.sessions.play(HERE, BEA, "3")
        ended = await services.sessions.resign(HERE, ANA)
        times = [made.at for made in ended.moves]
        assert ended.end is not None
        assert times == sorted(times)
        assert ended.end.at >= times[-1]
        assert ended.moves[-1].seconds == 0.0
