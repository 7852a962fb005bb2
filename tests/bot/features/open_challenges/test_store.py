"""Open challenges in the database: one person joins, with the game, and data are forgotten."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.feature import Services
from bot.features.open_challenges.rules import (
    CLEAR_EVERY,
    KEPT,
    OpenChallenges,
    challenge_files,
)
from bot.features.open_challenges.store import (
    UNSENT,
    AlreadyOpen,
    NewOpenChallenge,
    OpenChallenge,
    OpenChallengeStore,
    count_challenges,
    due_query,
    forget_guild,
    forget_person,
    guilds_query,
)
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.sessions.people import Objection
from bot.settings import Settings
from bot.shards import Shards
from bot.store.games import ChannelTaken
from bot.store.people import RequestAnswered
from bot.store.records import FORMER_PLAYER, GameSetup, TimeControl, free, person
from bot.store.store import Store
from tests.bot.builders import ANA, BEA, HERE, new_game
from tests.bot.clock import StepClock
from tests.bot.databases import plan
from tests.bot.running import run_services

pytestmark = pytest.mark.databases

CARLA = 3
OFFERED = new_game(second=free(), clock=TimeControl(300.0))
OFFER = NewOpenChallenge(OFFERED, 200, 100.0, 1000.0)


@pytest.fixture
def challenges(store: Store) -> OpenChallengeStore:
    """The repository."""
    return OpenChallengeStore(store.database)


async def join(store: Store, challenge: OpenChallenge, user_id: int, at: float) -> int:
    """Store the game of a challenge that a person joins."""
    step = OpenChallengeStore(store.database).joining(challenge.id, user_id, at)
    return await store.games.add(challenge.offer.seated(user_id), at, accepting=step)


async def test_a_challenge_is_read_back_as_it_was_written(challenges: OpenChallengeStore) -> None:
    """Every rule of the offered game is kept, also those without a column of their own."""
    second = GameSetup(
        "gato", "4x4", HERE, None, "es-ES", free(), person(BEA), BEA, opening="swap", friendly=True
    )
    for offer in (OFFER, NewOpenChallenge(second, None, 100.0, 1000.0)):
        added = await challenges.add(offer)
        await challenges.set_message(added.id, 77)
        assert await challenges.find(added.id) == replace(added, message_id=77)
    assert not offer.author_first
    assert offer.seated(ANA).seats == (person(ANA), person(BEA))


async def test_a_person_has_one_open_challenge(challenges: OpenChallengeStore) -> None:
    """A second one is refused until the first is over; one that was never sent is given up."""
    first = await challenges.add(OFFER)
    with pytest.raises(AlreadyOpen):
        await challenges.add(replace(OFFER, posted_at=100.0 + UNSENT))
    lost = await challenges.add(replace(OFFER, posted_at=101.0 + UNSENT))
    assert await challenges.find(first.id) is None
    await challenges.set_message(lost.id, 77)
    with pytest.raises(AlreadyOpen):
        await challenges.add(replace(OFFER, posted_at=900.0))
    assert await challenges.end(lost.id, "withdrawn", 900.0)
    assert not await challenges.end(lost.id, "expired", 901.0)
    await challenges.add(replace(OFFER, posted_at=901.0))


async def test_one_person_joins_and_with_the_game(
    store: Store, challenges: OpenChallengeStore
) -> None:
    """Joining is stored with the game; who is later, or after the end, begins none."""
    challenge = await challenges.add(OFFER)
    for at in (1000.0, 1001.0):
        with pytest.raises(RequestAnswered):
            await join(store, challenge, BEA, at)
    await join(store, challenge, BEA, 999.0)
    with pytest.raises(RequestAnswered):
        await join(store, challenge, CARLA, 999.0)
    found = await challenges.find(challenge.id)
    assert found == replace(challenge, joiner=BEA, answer="joined", ended_at=999.0)
    (game,) = await store.games.running()
    assert game.setup.people == (ANA, BEA)


async def test_a_failed_game_leaves_the_challenge_open(
    store: Store, challenges: OpenChallengeStore
) -> None:
    """If the channel has a game, joining stores nothing at all."""
    challenge = await challenges.add(OFFER)
    await store.games.add(new_game(), 100.0)
    with pytest.raises(ChannelTaken):
        await join(store, challenge, BEA, 200.0)
    assert await challenges.find(challenge.id) == challenge
    assert len(await store.games.running()) == 1


async def test_those_that_are_over_are_closed_by_their_shard(
    challenges: OpenChallengeStore,
) -> None:
    """What is due on a process's shards is found until its message shows the end."""
    servers = 4 << 22, 5 << 22
    made = [
        await challenges.add(replace(OFFER, setup=new_game(second=free(), **options)))
        for options in (
            {"guild_id": servers[0]},
            {"guild_id": servers[1], "first": person(BEA), "started_by": BEA},
        )
    ]
    assert await challenges.due(999.0, None) == []
    assert await challenges.due(1000.0, None) == made
    assert await challenges.due(1000.0, Shards.parse("0/2")) == made[:1]
    await challenges.end(made[0].id, "expired", 1000.0)
    await challenges.closed(made[0].id)
    assert await challenges.due(2000.0, None) == made[1:]
    await challenges.clear(1000.0)
    assert await challenges.find(made[0].id) is not None
    await challenges.clear(1001.0)
    assert await challenges.find(made[0].id) is None


async def test_people_and_servers_are_forgotten(
    store: Store, challenges: OpenChallengeStore
) -> None:
    """Deleted people become former players of the challenges of others, and leave no own ones."""
    joined = await challenges.add(OFFER)
    await join(store, joined, BEA, 200.0)
    await challenges.add(replace(OFFER, posted_at=300.0))
    export = (await challenge_files(challenges, BEA))["open-challenges.csv"].splitlines()
    assert export[1] == (
        f"{joined.id},joiner,connect4,5x4,300.0,move,False,False,False,0,200,"
        "1970-01-01T00:01:40+00:00,1970-01-01T00:03:20+00:00,joined"
    )
    assert len(export) == 2
    async with store.database.writing() as connection:
        assert await count_challenges(connection, ANA) == {"stored.open_challenges": 2}
        assert [row[0] for row in await connection.execute(guilds_query())] == [9]
        await forget_person(connection, ANA)
    (left,) = await challenges.all_of(BEA)
    assert (left.offer.author, left.joiner) == (FORMER_PLAYER, BEA)
    assert await challenge_files(challenges, ANA) == {}
    async with store.database.writing() as connection:
        await forget_person(connection, BEA)
        assert await count_challenges(connection, BEA) == {"stored.open_challenges": 0}
    assert await challenges.find(joined.id) is None
    await challenges.add(replace(OFFER, posted_at=2000.0))
    async with store.database.writing() as connection:
        await forget_guild(connection, 9)
        assert list(await connection.execute(guilds_query())) == []


async def test_old_challenges_are_deleted(services: Services, clock: StepClock) -> None:
    """Thirty days after its end nothing of a challenge is kept."""
    rules = rules_of(services)
    challenge = await rules.offer(replace(OFFERED, guild_id=9))
    clock.forward(900.0)
    (expired,) = await rules.due()
    assert (expired.id, expired.answer) == (challenge.id, "expired")
    await rules.closed(challenge.id)
    repository = OpenChallengeStore(services.store.database)
    clock.forward(KEPT - 60.0)
    assert await rules.due() == []
    (kept,) = await repository.all_of(ANA)
    assert kept.answer == "expired"
    clock.forward(CLEAR_EVERY)
    await rules.due()
    assert await repository.all_of(ANA) == []


@pytest.mark.sqlite
async def test_an_index_finds_what_is_due(store: Store) -> None:
    """The periodic search for challenges that are over reads no whole table."""
    async with store.database.writing() as connection:
        steps = await plan(connection, due_query(1.0, None))
    assert any("ix_open_challenges_open" in step for step in steps)


def rules_of(services: Services, **options: Any) -> OpenChallenges:
    """The rules in a process."""
    stored = OpenChallengeStore(services.store.database)
    return OpenChallenges(
        services.store, stored, services.sessions, services.clock, seconds=900.0, **options
    )


async def test_who_objects_decides_what_is_read(services: Services) -> None:
    """Who objects reads why; who meets an objection of the author reads only that they cannot join.

    Neither begins a game.
    """

    async def object_to_ana(user_id: int, other_id: int) -> Objection | None:
        by = {BEA, CARLA}.intersection((user_id, other_id))
        return Objection(*by, Refusal("unknown_button")) if ANA in (user_id, other_id) else None

    rules = rules_of(services, objection=object_to_ana)
    of_ana = await rules.offer(replace(OFFERED, guild_id=9))
    of_bea = await rules.offer(replace(OFFERED, guild_id=9, first=person(BEA), started_by=BEA))
    for challenge, user_id, key in (
        (of_ana, CARLA, "unknown_button"),
        (of_bea, ANA, "open_barred"),
    ):
        with pytest.raises(Refusal) as refused:
            await rules.join(challenge, user_id, 7)
        assert refused.value.key == f"refusal.{key}"
    assert (await rules.join(of_bea, CARLA, 7)).people == (BEA, CARLA)


async def test_of_two_who_press_at_once_one_plays(settings: Settings, clock: StepClock) -> None:
    """Two people join at once, in two processes where the database allows: one game begins.

    The other person learns who was faster, and not that the channel has a game.
    """
    async with run_services(settings) as one, run_services(settings) as two:
        both = (one, two) if one.store.database.is_shared else (one, one)
        rules = [rules_of(process) for process in both]
        for number in range(8):
            setup = new_game(1000 + number, free(), clock=TimeControl(1000.0))
            challenge = await rules[0].offer(replace(setup, guild_id=9))
            await rules[0].posted(challenge.id, 7)
            order = (BEA, CARLA) if number % 2 else (CARLA, BEA)
            joins = [
                process.join(challenge, user_id, 7)
                for process, user_id in zip(rules, order, strict=True)
            ]
            found: list[Any] = await asyncio.gather(*joins, return_exceptions=True)
            (session,) = [each for each in found if isinstance(each, Session)]
            (refusal,) = [each for each in found if isinstance(each, Refusal)]
            assert refusal.key == "refusal.open_taken", refusal
            (winner,) = set(session.people) - {ANA}
            assert refusal.details["person"] == winner
            assert session.message_id == 7
            await one.sessions.resign(1000 + number, ANA)
