"""Wishes in the database: who is pinged, how often, and that they are forgotten."""

from __future__ import annotations

import asyncio

import pytest

from bot.features.search_pings.store import (
    MOST,
    SECONDS,
    WishStore,
    count_wishes,
    forget_guild,
    forget_person,
    guilds_query,
    to_tell_query,
    wish_files,
)
from bot.store.store import Store
from tests.bot.builders import ANA, BEA
from tests.bot.databases import plan

pytestmark = pytest.mark.databases

HERE, THERE = 9, 10


@pytest.fixture
def wishes(store: Store) -> WishStore:
    """The repository."""
    return WishStore(store.database)


async def test_a_wish_is_about_one_server(wishes: WishStore) -> None:
    """A person is pinged about the servers that they have chosen, until they change that."""
    for guild_id in (HERE, HERE, THERE):
        await wishes.add(ANA, guild_id, 100.0)
    await wishes.add(BEA, THERE, 100.0)
    assert await wishes.to_tell(HERE, 100.0) == [ANA]
    assert await wishes.to_tell(THERE, 100.0) == [ANA, BEA]
    await wishes.remove(ANA, HERE)
    assert [await wishes.has(ANA, guild_id) for guild_id in (HERE, THERE)] == [False, True]
    assert await wishes.servers_of(ANA) == [THERE]


async def test_nobody_is_told_more_often_than_twice_a_day(wishes: WishStore) -> None:
    """Of several at once, and of all servers together, two count in a day."""
    for guild_id in (HERE, THERE):
        await wishes.add(ANA, guild_id, 100.0)
    counted = await asyncio.gather(*(wishes.count(ANA, 100.0) for _ in range(5)))
    assert sum(counted) == MOST == 2
    assert SECONDS == 24 * 3600
    for guild_id in (HERE, THERE):
        assert await wishes.to_tell(guild_id, 99.0 + SECONDS) == []
        assert await wishes.to_tell(guild_id, 100.0 + SECONDS) == [ANA]
    assert not await wishes.count(ANA, 99.0 + SECONDS)
    assert await wishes.count(ANA, 100.0 + SECONDS)


async def test_people_and_servers_are_forgotten(store: Store, wishes: WishStore) -> None:
    """A person's wishes are counted, exported and deleted, and those about a server deleted."""
    for guild_id in (HERE, THERE):
        for user_id in (ANA, BEA):
            await wishes.add(user_id, guild_id, 100.0)
    assert await wish_files(wishes, ANA) == {"search-pings.csv": "server\n9\n10\n"}
    async with store.database.writing() as connection:
        assert await count_wishes(connection, ANA) == {"stored.search_wishes": 2}
        await forget_person(connection, ANA)
        await forget_guild(connection, THERE)
        assert [row[0] for row in await connection.execute(guilds_query())] == [HERE]
    assert await wish_files(wishes, ANA) == {}
    assert await wishes.servers_of(BEA) == [HERE]


@pytest.mark.sqlite
async def test_an_index_finds_whom_to_tell(store: Store) -> None:
    """Finding whom to tell of a search reads no whole table."""
    async with store.database.writing() as connection:
        steps = await plan(connection, to_tell_query(HERE, 1.0))
    assert not [step for step in steps if step.startswith("SCAN")], steps
