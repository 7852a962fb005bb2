"""The queue in the database: places, pairs in one transaction with their game, forgotten data."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bot.feature import Services
from bot.features.queue.rules import (
    ANSWER_SECONDS,
    KEPT,
    ROW_SECONDS,
    SECONDS,
    Asked,
    GameChannel,
    Queue,
    queue_files,
)
from bot.features.queue.store import (
    PAIRED,
    AlreadyWaiting,
    QueuePlace,
    QueueStore,
    count_places,
    forget_guild,
    forget_person,
    guilds_query,
    open_query,
)
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.sessions.people import Objection
from bot.settings import Settings
from bot.shards import Shards
from bot.store.people import RequestAnswered
from bot.store.records import TimeControl
from bot.store.store import Store
from tests.bot.builders import ANA, BEA, HERE, THERE, new_game, refusal_of
from tests.bot.clock import StepClock
from tests.bot.databases import plan
from tests.bot.running import run_services

pytestmark = pytest.mark.databases

CARLA, SERVER = 3, 9
USUAL = ("connect4", "6x7", None)
FREE = GameChannel(HERE, is_apart=False)


async def no_objection(_user_id: int, _other_id: int) -> Objection | None:
    """Any two people may play each other."""
    return None


def queue_of(services: Services, objection: Any = no_objection) -> Queue:
    """The rules in a process."""
    return Queue(
        services.store,
        QueueStore(services.store.database),
        services.sessions,
        services.clock,
        toss=lambda: True,
        objection=objection,
        games_per_player=2,
    )


async def begin(
    queue: Queue, one: QueuePlace, other: QueuePlace, where: GameChannel = FREE
) -> Session:
    """Begin the game of two people in a channel itself."""
    return await queue.begin(one, other, queue.setup(one, other, where.channel_id))


async def join(queue: Queue, user_id: int, wants: Any = USUAL, guild_id: int = SERVER) -> Any:
    """Take a person into the queue."""
    return await queue.join(user_id, guild_id, HERE, "en", wants)


async def pair(queue: Queue, channel_id: int = HERE) -> list[Session | Asked]:
    """Pair the people who wait."""

    async def find_channel(_one: QueuePlace, _other: QueuePlace) -> GameChannel:
        return GameChannel(channel_id, is_apart=False)

    return await queue.pair(await queue.open(SERVER), find_channel, partial(begin, queue))


@pytest.mark.parametrize(
    ("wants", "is_balanced", "seconds"),
    [(USUAL, True, 300.0), (("gato", "4x4", "30s"), False, 30.0)],
)
async def test_two_who_wait_play_from_a_fair_opening(
    services: Services, wants: Any, is_balanced: bool, seconds: float
) -> None:
    """Their game is rated and begins from a balanced opening, or with the pie rule without one."""
    queue = queue_of(services)
    for user_id in (ANA, BEA):
        await join(queue, user_id, wants)
    (session,) = await pair(queue)
    assert isinstance(session, Session)
    setup = session.setup
    assert (setup.people, setup.friendly, setup.clock) == ((ANA, BEA), False, TimeControl(seconds))
    assert (setup.balanced, setup.pie) == (is_balanced, not is_balanced)
    assert [one.partner for one in await queue.open(SERVER)] == [BEA, ANA]
    assert await pair(queue) == []


async def test_the_same_two_people_do_not_meet_three_times_in_a_row(
    services: Services, clock: StepClock
) -> None:
    """After two games in a row each of them has to play another person first, or to wait a day."""
    queue = queue_of(services)

    async def met(*people: int) -> bool:
        for user_id in people:
            await join(queue, user_id)
        found = await pair(queue)
        for session in found:
            assert isinstance(session, Session)
            await services.sessions.resign(HERE, session.people[0])
        for place in await queue.open(SERVER):
            if place.answer is None:
                await queue.leave(place)
        return bool(found)

    assert [await met(ANA, BEA) for _ in range(3)] == [True, True, False]
    assert await met(ANA, CARLA)
    assert not await met(ANA, BEA)
    assert await met(BEA, CARLA)
    assert [await met(ANA, BEA) for _ in range(3)] == [True, True, False]
    clock.forward(ROW_SECONDS + 1.0)
    assert await met(ANA, BEA)


async def test_who_objects_is_never_paired(services: Services) -> None:
    """People of whom one blocks the other wait on, in any order of asking."""

    async def blocks(user_id: int, other_id: int) -> Objection | None:
        return Objection(BEA, Refusal("busy")) if (user_id, other_id) == (ANA, BEA) else None

    queue = queue_of(services, blocks)
    for order in ((ANA, BEA), (BEA, ANA)):
        for user_id in order:
            await join(queue, user_id)
        assert await pair(queue) == []
        for place in await queue.open(SERVER):
            await queue.leave(place)
    for user_id in (ANA, BEA, CARLA):
        await join(queue, user_id)
    (session,) = await pair(queue)
    assert isinstance(session, Session)
    assert session.people == (ANA, CARLA)


async def test_people_who_play_agree_first(services: Services) -> None:
    """If one of two plays, both are asked; the game begins once both agree, and not too late."""
    queue, stored = queue_of(services), QueueStore(services.store.database)
    await services.sessions.start(new_game(THERE))
    for user_id in (ANA, BEA):
        await join(queue, user_id)
    (asked,) = await pair(queue)
    assert isinstance(asked, Asked)
    one, other = asked.one, asked.other
    assert await queue.open(SERVER) == [one, other]
    assert (one.partner, other.partner, one.answer, one.paired_in) == (BEA, ANA, None, HERE)
    assert await refusal_of(queue.prefer(one, clock="30s")) == "refusal.queue_over"
    assert await stored.agree(one.id, services.clock())
    assert await pair(queue) == []
    assert await refusal_of(begin(queue, one, other)) == "refusal.challenge_over"
    late = one.asked_until or 0.0
    assert not await stored.agree(other.id, late)
    assert await stored.agree(other.id, late - 1.0)
    assert (await begin(queue, one, other)).people == (ANA, BEA)
    assert {place.answer for place in await queue.open(SERVER)} == {PAIRED}


async def test_people_with_too_many_games_do_not_wait(services: Services) -> None:
    """They are refused with their games; one who has too many later waits for the end of a game."""
    queue = queue_of(services)
    await join(queue, ANA)
    await join(queue, BEA)
    for channel_id in (THERE, THERE + 1):
        await services.sessions.start(new_game(channel_id))
    assert await pair(queue) == []
    assert await refusal_of(join(queue, ANA)) == "refusal.too_many_games"
    await services.sessions.resign(THERE, ANA)
    assert isinstance((await pair(queue))[0], Asked)


async def test_places_expire_and_are_deleted(services: Services, clock: StepClock) -> None:
    """An hour after asking a place is gone; thirty days later nothing is kept.

    A place lasts at least as long as a question about it.
    """
    queue, stored = queue_of(services), QueueStore(services.store.database)
    await services.sessions.start(new_game(THERE))
    await join(queue, ANA)
    clock.forward(SECONDS - 1.0)
    await join(queue, BEA)
    (asked,) = await pair(queue)
    assert isinstance(asked, Asked)
    clock.forward(ANSWER_SECONDS - 2.0)
    assert await stored.agree(asked.one.id, services.clock())
    for place in (asked.one, asked.other):
        await stored.release(place.id)
    clock.forward(2.0)
    assert [one.user_id for one in await queue.open(SERVER)] == [BEA]
    assert await refusal_of(queue.require(asked.one.id, ANA)) == "refusal.queue_over"
    clock.forward(KEPT - 60.0)
    await queue.open()
    assert [one.answer for one in await stored.of_person(ANA)] == ["expired"]
    clock.forward(3700.0)
    await queue.open()
    assert await stored.of_person(ANA) == []


async def test_a_person_has_one_place_on_a_server(store: Store) -> None:
    """Asking again on the same server finds the present place; it changes only while they wait."""
    stored = QueueStore(store.database)
    values = {
        "user_id": ANA,
        "guild_id": 4 << 22,
        "channel_id": HERE,
        "locale": "en",
        **dict(zip(("family", "variant", "clock"), USUAL, strict=True)),
        "expires_at": 1000.0,
    }
    place = await stored.add(values, 100.0)
    assert await stored.find(place.id) == place
    with pytest.raises(AlreadyWaiting):
        await stored.add(values, 999.0)
    other = await stored.add({**values, "guild_id": 5 << 22}, 100.0)
    assert await stored.open(Shards.parse("0/2")) == [place]
    assert await stored.prefer(place.id, ANA, 999.0, clock="30s")
    assert not await stored.prefer(place.id, BEA, 999.0, clock="1m")
    assert await stored.find(place.id) == replace(place, clock="30s")
    # A person who has changed their wish meanwhile is not paired by the former one.
    theirs = await stored.add({**values, "user_id": BEA}, 100.0)
    with pytest.raises(RequestAnswered):
        await stored.ask(place, theirs, HERE, 900.0, 500.0)
    assert await stored.end(other.id, "left", 500.0)
    assert not await stored.end(other.id, "expired", 500.0)
    assert not await stored.prefer(other.id, ANA, 501.0, clock="30s")


async def test_people_and_servers_are_forgotten(services: Services) -> None:
    """Deleted people leave no places, and no place names them."""
    queue, store = queue_of(services), services.store
    stored = QueueStore(store.database)
    for user_id in (ANA, BEA):
        await join(queue, user_id, ("connect4", "6x7", "30s"))
    await pair(queue)
    export = (await queue_files(stored, BEA))["queue.csv"].splitlines()
    assert export[0] == "place,family,variant,clock,joined,ended,answer"
    assert export[1].startswith("2,connect4,6x7,30s,20")
    assert export[1].endswith(",paired")
    async with store.database.writing() as connection:
        assert await count_places(connection, ANA) == {"stored.queue_places": 1}
        assert [row[0] for row in await connection.execute(guilds_query())] == [SERVER]
        await forget_person(connection, ANA)
        assert await count_places(connection, ANA) == {"stored.queue_places": 0}
    assert [one.partner for one in await stored.of_person(BEA)] == [None]
    assert await queue_files(stored, ANA) == {}
    async with store.database.writing() as connection:
        await forget_guild(connection, SERVER)
    assert await stored.of_person(BEA) == []


@pytest.mark.sqlite
async def test_an_index_finds_who_waits(store: Store) -> None:
    """The periodic look at the queues reads no whole table."""
    async with store.database.writing() as connection:
        steps = await plan(connection, open_query(None))
    assert any("ix_queue_places_open" in step for step in steps)


async def test_two_processes_pair_once(settings: Settings, clock: StepClock) -> None:
    """Two processes pair the same people at once, in two channels: one game begins."""
    async with run_services(settings) as one, run_services(settings) as two:
        both = (one, two) if one.store.database.is_shared else (one, one)
        queues = [queue_of(process) for process in both]
        for number in range(4):
            people = (10 + number, 20 + number)
            for user_id in people:
                await join(queues[0], user_id)
            channels = (1000 + number, 2000 + number)
            found = await asyncio.gather(*map(pair, queues, channels))
            (session,) = [each for some in found for each in some]
            assert isinstance(session, Session)
            waiting = await queues[0].open(SERVER)
            assert {place.paired_in for place in waiting[-2:]} == {session.channel_id}
            assert len(await one.store.games.running()) == number + 1
