"""Several processes share a database, and each game belongs to one of them at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from sqlalchemy import update

from bot.feature import Services
from bot.game.clocks import SILENCE
from bot.game.refusal import Refusal
from bot.sessions.people import DELETE_EVERY, KEPT
from bot.settings import Settings
from bot.shards import Shards
from bot.store.records import GameSetup, NewChallengeRecord, SeatRecord, TimeControl, agent, person
from bot.store.tables import ProcessRow
from engine.core.jobs import Job
from engine.strength.judging import JudgeGame
from tests.bot.builders import ANA, BEA, HERE, THERE, new_game
from tests.bot.clock import StepClock
from tests.bot.engine_jobs import RUN, doing
from tests.bot.running import run_services

FIRST_SHARD, SECOND_SHARD = 4 << 22, 5 << 22
"""Servers of the two shards of two."""
CLOCK = TimeControl(1000.0)

pytestmark = pytest.mark.databases


@pytest.fixture
def clock() -> StepClock:
    """A clock that moves only when the test moves it."""
    return StepClock(1_000_000.0)


@asynccontextmanager
async def a_process(
    settings: Settings, clock: StepClock, shards: str | None = None
) -> AsyncIterator[Services]:
    """A process on the database, for these shards or for all of them."""
    its = replace(settings, shards=None if shards is None else Shards.parse(shards))
    async with run_services(its, Random(7), clock) as services:
        yield services


@pytest.fixture
async def one(settings: Settings, clock: StepClock) -> AsyncIterator[Services]:
    """The first process."""
    async with a_process(settings, clock) as services:
        yield services


@pytest.fixture
async def two(settings: Settings, clock: StepClock, one: Services) -> AsyncIterator[Services]:
    """The second process."""
    async with a_process(settings, clock) as services:
        yield services


def order(second: SeatRecord, channel: int = HERE, guild: int = FIRST_SHARD) -> GameSetup:
    """Ana's setup of a small game."""
    return new_game(channel, second, guild_id=guild, clock=CLOCK)


async def owner_of(services: Services, game_id: int) -> str | None:
    """The process that owns a game."""
    found = await services.store.games.find(game_id)
    assert found is not None
    return found.owner


async def moves_in(services: Services, channel: int = HERE) -> str:
    """The moves of a channel's game as a process knows them."""
    session = await services.sessions.games.current(channel)
    assert session is not None
    return "".join(made.move for made in session.moves)


def require_shared(services: Services) -> None:
    """Skip the test where only one process can use the database."""
    if not services.store.database.is_shared:
        pytest.skip("a file is one process's at a time")


async def kill(services: Services) -> None:
    """Make a process stop renewing its lease, and let the lease expire."""
    services.presence._stopping.set()
    assert services.presence._watching is not None
    await asyncio.wait({services.presence._watching})
    mine = update(ProcessRow).where(ProcessRow.id == services.ownership.id)
    await services.store.database.change(mine.values(until=0.0))


async def test_the_process_that_is_asked_takes_the_game_over(one: Services, two: Services) -> None:
    """A process that is asked to change a game takes it over.

    Each click counts once, on the stored state.
    """
    require_shared(one)
    game = await one.sessions.start(order(person(BEA)))
    assert await owner_of(one, game.id) == one.ownership.id
    await one.sessions.play(HERE, ANA, "1")
    await two.sessions.play(HERE, BEA, "2")
    assert await owner_of(one, game.id) == two.ownership.id
    await one.sessions.play(HERE, ANA, "3")
    with pytest.raises(Refusal, match="not_your_turn"):
        await two.sessions.play(HERE, ANA, "4")
    await two.sessions.play(HERE, BEA, "4")
    assert await moves_in(two) == "1234"
    await one.sessions.resign(HERE, ANA)
    with pytest.raises(Refusal, match="no_game"):
        await two.sessions.play(HERE, ANA, "1")


async def test_a_turn_taken_back_elsewhere_is_taken_back_here(one: Services, two: Services) -> None:
    """A process that takes a game over reads it again from the store.

    The number of moves alone does not tell whether the game has changed.
    """
    require_shared(one)
    await one.sessions.start(order(person(BEA)))
    for number, move in enumerate("1234"):
        await one.sessions.play(HERE, (ANA, BEA)[number % 2], move)
    await two.sessions.take_back(HERE, lambda _: 2)
    await two.sessions.play(HERE, ANA, "4")
    await two.sessions.play(HERE, BEA, "4")
    after = await one.sessions.play(HERE, ANA, "1")
    assert "".join(made.move for made in after.moves) == "12441"


async def test_clicks_in_both_at_once_make_one_move(one: Services, two: Services) -> None:
    """Of two clicks in two processes at once, one makes a move and the other is refused."""
    await one.sessions.start(order(person(BEA)))
    for number in range(6):
        mover = (ANA, BEA)[number % 2]
        plays = (process.sessions.play(HERE, mover, "1234"[number % 4]) for process in (one, two))
        made = await asyncio.gather(*plays, return_exceptions=True)
        refused = [error for error in made if isinstance(error, BaseException)]
        assert len(refused) == 1
        assert isinstance(refused[0], Refusal)
    assert await moves_in(one) == await moves_in(two) == "123412"


async def test_a_late_answer_is_dropped_and_the_new_owner_answers(
    one: Services, two: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If another process takes a game over during a search, its own agent's answer is made."""
    found, go_on = asyncio.Event(), asyncio.Event()
    answer = one.sessions._searches.answer

    async def late(session: Any, opponent: float | None) -> Any:
        result = await answer(session, opponent)
        found.set()
        await go_on.wait()
        return result

    monkeypatch.setattr(one.sessions._searches, "answer", late)
    taken: list[int] = []
    two.sessions.games.start(lambda session: taken.append(session.id))
    game = await one.sessions.start(order(agent("easy")))
    await one.sessions.play(HERE, ANA, "1")
    reply = asyncio.create_task(one.sessions.reply(HERE))
    await asyncio.wait_for(found.wait(), 60)
    with pytest.raises(Refusal, match="cuatro_thinking"):
        await two.sessions.play(HERE, ANA, "2")
    assert taken == [game.id]
    answered = await two.sessions.reply(HERE)
    go_on.set()
    assert await reply is None
    assert answered is not None
    assert await moves_in(one) == await moves_in(two) == "1" + answered.moves[-1].move


async def test_games_of_a_process_that_is_gone_are_adopted(
    one: Services, two: Services, clock: StepClock
) -> None:
    """When the lease of a process expires, another one adopts its games.

    Their clocks are extended by the lost time.
    """
    require_shared(one)
    await one.sessions.start(order(agent("easy"), HERE))
    game = await one.sessions.start(order(person(BEA), THERE))
    await one.sessions.play(HERE, ANA, "1")
    taken: list[int] = []
    two.sessions.games.start(lambda session: taken.append(session.channel_id))
    await two.presence.renew_and_adopt()
    assert await two.sessions.reply(HERE) is None, "it is the other one's"
    await kill(one)
    clock.forward(100.0)
    await two.presence.renew_and_adopt()
    assert await owner_of(two, game.id) == two.ownership.id
    assert taken == [HERE]
    assert await two.sessions.reply(HERE) is not None
    waiting = await two.sessions.games.current(THERE)
    assert waiting is not None
    assert waiting.paused == 100.0
    assert [known.id for known in await two.store.processes.all()] == [two.ownership.id]


async def test_a_process_that_ends_leaves_its_games_at_once(
    settings: Settings, clock: StepClock, two: Services
) -> None:
    """A process that ends releases its games at once, so no time is added to their clocks."""
    async with a_process(settings, clock) as third:
        game = await third.sessions.start(order(person(BEA)))
    clock.forward(2.0)
    await two.presence.renew_and_adopt()
    found = await two.store.games.find(game.id)
    assert found is not None
    assert (found.owner, found.paused) == (two.ownership.id, 0.0)


async def test_clocks_run_once(one: Services, two: Services, clock: StepClock) -> None:
    """Only the owner of a game warns its players or ends it on time."""
    require_shared(one)
    for channel in (HERE, THERE):
        await one.sessions.start(order(person(BEA), channel))
    await two.sessions.play(THERE, ANA, "1")
    clock.forward(800.0)
    looks = await asyncio.gather(one.timer.check_due(), two.timer.check_due())
    assert [[game.channel_id for game in looked.warned] for looked in looks] == [[HERE], [THERE]]
    clock.forward(201.0)
    looks = await asyncio.gather(one.timer.check_due(), two.timer.check_due())
    assert [[game.channel_id for game in looked.ended] for looked in looks] == [[HERE], [THERE]]
    assert await one.timer.next_due() is await two.timer.next_due() is None


async def test_a_silence_is_pinged_once(one: Services, two: Services, clock: StepClock) -> None:
    """A person who is silent is pinged by one process, also when another takes the game over."""
    require_shared(one)
    game = await one.sessions.start(order(person(BEA)))
    clock.forward(SILENCE)
    looks = await asyncio.gather(one.timer.check_due(), two.timer.check_due())
    assert [[found.id for found in looked.silent] for looked in looks] == [[game.id], []]
    await kill(one)
    await two.presence.renew_and_adopt()
    assert await owner_of(two, game.id) == two.ownership.id
    clock.forward(SILENCE)
    assert (await two.timer.check_due()).silent == []


async def test_a_challenge_expires_once(one: Services, two: Services, clock: StepClock) -> None:
    """If two processes find an expired challenge, only one of them closes it."""
    setup = GameSetup("connect4", "6x7", HERE, FIRST_SHARD, "en", person(ANA), person(BEA), ANA)
    offer = NewChallengeRecord(setup, clock(), clock() + 60.0)
    await one.store.challenges.add(offer)
    clock.forward(61.0)
    expired = await asyncio.gather(one.challenges.expire(), two.challenges.expire())
    assert sorted(map(len, expired)) == [0, 1]


async def test_old_challenges_are_deleted(one: Services, clock: StepClock) -> None:
    """A challenge is deleted a month after its end; one that waits for an answer never is."""
    setup = GameSetup("connect4", "6x7", HERE, FIRST_SHARD, "en", person(ANA), person(BEA), ANA)
    ended = await one.store.challenges.add(NewChallengeRecord(setup, clock(), clock() + 60.0))
    open_until = clock() + 2 * KEPT
    waiting = await one.store.challenges.add(NewChallengeRecord(setup, clock(), open_until))
    clock.forward(61.0)
    await one.challenges.expire()
    clock.forward(KEPT - 61.0)
    await one.challenges.expire()
    assert await one.challenges.find(ended.id) is not None
    clock.forward(DELETE_EVERY + 61.0)
    await one.challenges.expire()
    assert await one.challenges.find(ended.id) is None
    assert await one.challenges.find(waiting.id) is not None


async def test_each_game_is_judged_and_rated_once(
    one: Services, two: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game is rated once, by its owner.

    A person's games are rated in order, also across processes.
    """
    require_shared(one)
    asked, free, judged = threading.Event(), threading.Event(), list[int]()

    def judge(job: Any, stop: Any) -> Any:
        judged.append(len(job.moves))
        asked.set()
        assert free.wait(60)
        return RUN(job, stop)

    monkeypatch.setattr(Job, "run", doing(judge, JudgeGame))
    for process in (one, two):
        await process.sessions.start(order(person(BEA)))
        for number, move in enumerate("1212121"):
            await process.sessions.play(HERE, (ANA, BEA)[number % 2], move)
        await asyncio.to_thread(asked.wait, 60)
    two.ratings.wake()
    assert len(judged) == 1
    free.set()
    async with asyncio.timeout(60):
        while await one.store.ratings.is_due(ANA):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert len(judged) == 2
    found = await one.store.ratings.course(ANA, "connect4-small")
    assert [point.rating.games for point in found] == [1, 2]


async def test_an_absence_counts_only_for_shards_that_were_not_served(
    settings: Settings, clock: StepClock
) -> None:
    """Time in which one of two shards is not served is given back to that shard's games alone."""
    async with a_process(settings, clock, "0/2") as first:
        require_shared(first)
        served = await first.sessions.start(order(person(BEA), HERE, FIRST_SHARD))
        async with a_process(settings, clock, "1/2") as second:
            alone = await second.sessions.start(order(person(BEA), THERE, SECOND_SHARD))
            for guild in (FIRST_SHARD, SECOND_SHARD):
                setup = order(person(BEA), 7, guild)
                offer = NewChallengeRecord(setup, clock(), clock() + 60.0)
                await second.store.challenges.add(offer)
            await kill(second)
            clock.forward(86_400.0)
            await first.presence.renew_and_adopt()
            assert await owner_of(first, alone.id) == second.ownership.id
            async with a_process(settings, clock, "1/2") as later:
                found = {game.id: game.paused for game in await later.store.games.running()}
                assert found == {served.id: 0.0, alone.id: 86_400.0}
                assert await later.challenges.expire() == []
                assert len(await first.challenges.expire()) == 1


async def test_a_process_that_is_asked_to_drain_hands_over(one: Services, two: Services) -> None:
    """A process that is asked to drain hands its games over and takes no others."""
    require_shared(one)
    game = await one.sessions.start(order(agent("easy")))
    await one.sessions.play(HERE, ANA, "1")
    (old,) = await two.store.processes.overlapping(two.ownership.id, None)
    await two.store.processes.ask_to_drain([old.id])
    await one.presence.renew_and_adopt()
    assert one.ownership.is_draining
    await two.presence.renew_and_adopt()
    assert await owner_of(one, game.id) == two.ownership.id
    await kill(two)
    await one.presence.renew_and_adopt()
    assert await owner_of(one, game.id) == two.ownership.id


async def test_a_board_that_lost_its_owner_is_shown_again(one: Services, two: Services) -> None:
    """A board is shown again when another process takes its game over.

    It is unknown which process edited the message last.
    """
    require_shared(one)
    session = await one.sessions.start(order(person(BEA)))
    session = await one.sessions.games.show_in(session, 9, shown=session.state)
    await two.sessions.play(HERE, ANA, "1")
    shown = await two.sessions.games.board_of(session)
    assert shown is not None
    await two.store.boards.note({session.id: replace(shown, state=4)}, two.ownership.owner)
    assert await two.store.boards.count_due() == 0
    await one.store.boards.note({session.id: shown}, one.ownership.owner)
    assert await two.store.boards.count_due(two.ownership.owner) == 1
    assert await one.store.boards.count_due(one.ownership.owner) == 0
