"""A server's daily puzzle is posted once a day, in one channel, by one process."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from bot.features.daily.rules import streak
from bot.features.daily.store import (
    DailyPost,
    DailyPostRow,
    DailyPosts,
    DailyTries,
    Today,
    delete_tries,
    forget_guild,
    guilds_query,
)
from bot.shards import Shards
from bot.store.store import Store
from tests.bot.features.daily.days import ANA, CHANNEL, HERE, NOON, THERE, TODAY, one_day

pytestmark = pytest.mark.databases


def posts_of(store: Store) -> DailyPosts:
    """The post repository of a store."""
    return DailyPosts(store.database)


async def claim(store: Store, today: Today = NOON, shards: Shards | None = None) -> list[DailyPost]:
    """Claim the messages that a process is to post."""
    return await posts_of(store).claim_unsent(today, 8, shards)


async def posted(store: Store, message: int = 9_990_001) -> DailyPost:
    """Mark today's message as posted."""
    await posts_of(store).subscribe(CHANNEL)
    (post,) = await claim(store)
    await posts_of(store).posted(post, message, NOON.at)
    return post


async def test_a_message_is_claimed_by_one_of_two_processes(store: Store, address: str) -> None:
    """Two processes share out the messages of many servers, and each message is claimed once."""
    other = Store(address)
    await other.open()
    for guild in range(12):
        await posts_of(store).subscribe(replace(CHANNEL, guild_id=guild))
    try:
        claims = [posts_of(one).claim_unsent(NOON, 3) for one in (store, other) for _ in range(4)]
        found = [post.guild_id for posts in await asyncio.gather(*claims) for post in posts]
    finally:
        await other.close()
    assert len(found) == len(set(found))
    while more := await claim(store):
        found += [post.guild_id for post in more]
    assert sorted(found) == list(range(12))


async def test_a_message_is_posted_once_a_day(store: Store) -> None:
    """A message is due once a day from its hour on, and not any more once it is posted."""
    await posts_of(store).subscribe(CHANNEL)
    early = replace(NOON, hour=8)
    assert not await posts_of(store).is_due(early)
    assert await claim(store, early) == []
    assert await posts_of(store).is_due(NOON)
    (post,) = await claim(store)
    assert post == DailyPost(
        HERE, TODAY.family, TODAY.day, "AAAAAA", 8_880_001, "es", None, None, 0
    )
    await posts_of(store).posted(post, 5, NOON.at)
    assert not await posts_of(store).is_due(NOON)
    assert await claim(store) == []
    tomorrow = replace(NOON, at=NOON.at + 86_400.0, day=NOON.day + 1)
    assert len(await claim(store, tomorrow)) == 1


async def test_a_message_whose_process_was_killed_is_claimed_again(store: Store) -> None:
    """A message of a killed process is claimed again with the time at which it was first sent."""
    await posts_of(store).subscribe(CHANNEL)
    await claim(store)
    assert await claim(store) == []
    await let_lapse(store)
    (post,) = await claim(store, replace(NOON, at=NOON.at + 60.0))
    assert post.sent_at == NOON.at
    await let_lapse(store)
    tomorrow = replace(NOON, day=NOON.day + 1)
    assert [found.key.day for found in await claim(store, tomorrow)] == [tomorrow.day]


async def test_messages_that_did_not_arrive_are_sent_again(store: Store) -> None:
    """A message that surely failed is sent again later; one that may have arrived is remembered."""
    await posts_of(store).subscribe(CHANNEL)
    (post,) = await claim(store)
    await posts_of(store).postpone(post, NOON.at + 5.0, arrived=None)
    assert await claim(store) == []
    (post,) = await claim(store, replace(NOON, at=NOON.at + 6.0))
    assert post.sent_at == NOON.at
    await posts_of(store).postpone(post, NOON.at, arrived=False)
    assert [found.sent_at for found in await claim(store)] == [None]


async def test_a_new_channel_gets_unposted_messages(store: Store) -> None:
    """A change of channel affects messages not posted yet; unsubscribed servers get none."""
    await posts_of(store).subscribe(CHANNEL)
    (post,) = await claim(store)
    await posts_of(store).postpone(post, NOON.at, arrived=False)
    await posts_of(store).subscribe(replace(CHANNEL, channel_id=7))
    assert (await posts_of(store).channel(HERE)) == replace(CHANNEL, channel_id=7)
    (post,) = await claim(store)
    assert post.channel_id == 7
    await posts_of(store).posted(post, 5, NOON.at)
    await posts_of(store).subscribe(CHANNEL)
    assert await claim(store) == []
    assert await posts_of(store).unsubscribe(HERE)
    assert not await posts_of(store).unsubscribe(HERE)
    assert await claim(store, replace(NOON, day=NOON.day + 1)) == []
    assert await posts_of(store).channel(HERE) is None


async def test_a_closed_channel_is_recorded_until_it_takes_a_message(store: Store) -> None:
    """The time at which a channel was closed is kept until it takes a message."""
    await posts_of(store).subscribe(CHANNEL)
    for at in (10.0, 20.0):
        found = await posts_of(store).close(HERE, at)
        assert found is not None
        assert found.closed_at == 10.0
    (post,) = await claim(store)
    await posts_of(store).posted(post, 5, NOON.at)
    assert await posts_of(store).channel(HERE) == CHANNEL
    assert await posts_of(store).close(THERE, 1.0) is None


async def test_shards_have_messages_of_their_own(store: Store) -> None:
    """A process posts only for the servers of its shards."""
    for guild in (1, 1 << 22):
        await posts_of(store).subscribe(replace(CHANNEL, guild_id=guild))
    shards = [Shards(frozenset({n}), 2) for n in (0, 1)]
    found = {n: [post.guild_id for post in await claim(store, NOON, shards[n])] for n in (0, 1)}
    assert found == {0: [1], 1: [1 << 22]}


async def test_a_message_is_outdated_by_new_tries(store: Store) -> None:
    """A message is outdated after a try, a change of privacy or a deletion, until it is edited."""
    await posted(store)
    assert await outdated(store) == []
    await one_day(store, ANA, TODAY.day)
    await one_day(store, 3, TODAY.day, THERE)
    (post,) = await outdated(store)
    assert await outdated(store) == []
    await posts_of(store).shown(post, NOON.at)
    assert await outdated(store) == []
    await DailyTries(store.database).outdate(ANA)
    (post,) = await outdated(store)
    await posts_of(store).shown(post, NOON.at)
    async with store.database.writing() as connection:
        await delete_tries(connection, ANA)
    (post,) = await outdated(store)
    await posts_of(store).mark_unreachable(post)
    await DailyTries(store.database).outdate(3)
    assert await outdated(store) == []


async def test_a_forgotten_servers_posts_are_deleted(store: Store) -> None:
    """Forgetting a server deletes its subscription and messages; people keep their results."""
    await posted(store)
    await one_day(store, ANA, TODAY.day)
    found = await store.database.fetch(guilds_query())
    assert [tuple(row) for row in found] == [(HERE,)]
    async with store.database.writing() as connection:
        await forget_guild(connection, HERE)
    assert await store.database.fetch(guilds_query()) == []
    assert await store.database.fetch(select(DailyPostRow.guild_id)) == []
    assert await posts_of(store).channel(HERE) is None
    assert (await streak(DailyTries(store.database), ANA, TODAY)).length == 1


async def test_old_messages_are_forgotten(store: Store) -> None:
    """Messages are forgotten after some days."""
    await posted(store)
    for days, left in ((7, 1), (30, 0)):
        await posts_of(store).clear(replace(NOON, day=NOON.day + days))
        assert len(await store.database.fetch(select(DailyPostRow.day))) == left


async def outdated(store: Store) -> list[DailyPost]:
    """The messages that a process is to edit."""
    return await posts_of(store).claim_outdated(NOON, 8)


async def let_lapse(store: Store) -> None:
    """Let all leases expire."""
    await store.database.change(update(DailyPostRow).values(busy_until=0.0))
