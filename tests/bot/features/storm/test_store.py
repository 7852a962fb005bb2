"""Storms in the database: answers count once, and the best of a day are found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.storm.rules import storm_files
from bot.features.storm.store import (
    Standing,
    Storm,
    Storms,
    count_storms,
    delete_storms,
    forget_guild,
    guilds_query,
    table_query,
)
from bot.store.store import Store
from tests.bot.databases import plan

pytestmark = pytest.mark.databases

ANA, BEA, HERE, THERE = 5_550_001, 5_550_002, 7_770_001, 7_770_002


@pytest.fixture
def storms(store: Store) -> Storms:
    """The repository."""
    return Storms(store.database)


async def over(storms: Storms, user: int, guild: int | None, at: float, solved: int) -> Storm:
    """A storm that is over, with puzzles solved."""
    storm = await storms.begin(user, guild, "connect4", at)
    for number in range(solved):
        assert await storms.go_on(replace(storm, number=number), number + 1, 0, solved=1)
    await storms.end(storm.id, at + 180.0)
    found = await storms.find(storm.id, user)
    assert found is not None
    return found


async def test_an_answer_counts_once(storms: Storms) -> None:
    """Two answers to one step count once; none counts after the end."""
    storm = await storms.begin(ANA, HERE, "connect4", 10.0)
    assert await storms.go_on(storm, 1, 0, solved=1)
    assert not await storms.go_on(storm, 1, 0, solved=1)
    found = await storms.find(storm.id, ANA)
    assert found == replace(storm, number=1, solved=1)
    await storms.end(storm.id, 20.0)
    await storms.end(storm.id, 30.0)
    assert not await storms.go_on(replace(storm, number=1), 2, 0, solved=1)
    assert await storms.find(storm.id, ANA) == replace(found, ended_at=20.0)
    assert await storms.find(storm.id, BEA) is None


async def test_a_new_storm_ends_the_one_before(storms: Storms) -> None:
    """A person has one storm at a time."""
    first = await storms.begin(ANA, HERE, "connect4", 10.0)
    await storms.begin(ANA, None, "gato", 15.0)
    assert await storms.find(first.id, ANA) == replace(first, ended_at=15.0)


async def test_the_table_has_the_best_of_each_person(store: Store, storms: Storms) -> None:
    """A server's table has each person's best storm of the time, with hidden people marked."""
    await over(storms, ANA, HERE, 100.0, 2)
    await over(storms, ANA, HERE, 200.0, 4)
    await over(storms, BEA, HERE, 300.0, 3)
    await over(storms, 3, HERE, 300.0, 0)
    await over(storms, 4, THERE, 300.0, 9)
    await over(storms, 5, HERE, 1000.0, 9)
    await store.players.set(BEA, 0.0, private=True)
    table = await storms.table(HERE, "connect4", 100.0, 1000.0)
    assert table == (Standing(ANA, 4, is_private=False), Standing(BEA, 3, is_private=True))
    assert await storms.table(HERE, "gato", 0.0, 2000.0) == ()
    assert (await storms.best(ANA, "connect4"), await storms.best(ANA, "gato")) == (4, 0)


async def test_storms_are_exported_deleted_and_forgotten(store: Store, storms: Storms) -> None:
    """A person's storms are counted, exported and deleted; a server that leaves is forgotten."""
    await over(storms, ANA, HERE, 86_400.0, 1)
    await over(storms, BEA, HERE, 86_400.0, 1)
    assert (await storm_files(storms, ANA))["storms.csv"].splitlines() == [
        "family,begun,ended,solved",
        "connect4,1970-01-02T00:00:00+00:00,1970-01-02T00:03:00+00:00,1",
    ]
    async with store.database.writing() as connection:
        assert await count_storms(connection, ANA) == {"stored.storms": 1}
        assert [row[0] for row in await connection.execute(guilds_query())] == [HERE]
        await delete_storms(connection, ANA)
        await forget_guild(connection, HERE)
        assert list(await connection.execute(guilds_query())) == []
    assert await storm_files(storms, ANA) == {}
    (kept,) = await storms.all_of(BEA)
    assert (kept.guild_id, kept.solved) == (None, 1)


@pytest.mark.sqlite
async def test_an_index_finds_the_storms_of_a_day(store: Store) -> None:
    """The table of a server's day reads no whole table of storms."""
    async with store.database.writing() as connection:
        steps = await plan(connection, table_query(HERE, "connect4", 0.0, 1.0))
    assert any("ix_storms_guild" in step for step in steps)
