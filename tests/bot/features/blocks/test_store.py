"""Blocks in the database: their directions, the export, and that they are forgotten."""

from __future__ import annotations

import asyncio

import pytest

from bot.features.blocks.rules import Blocks, block_files
from bot.features.blocks.store import Block, BlockStore, count_blocks, forget_person
from bot.store.store import Store
from tests.bot.builders import ANA, BEA

pytestmark = pytest.mark.databases

CARLA = 3


@pytest.fixture
def blocks(store: Store) -> BlockStore:
    """The repository."""
    return BlockStore(store.database)


async def test_a_block_has_a_direction(blocks: BlockStore) -> None:
    """Each of two people may block the other one; each removes only their own block."""
    await blocks.add(ANA, BEA, 100.0)
    await blocks.add(ANA, BEA, 200.0)
    assert await blocks.of(ANA) == [Block(ANA, BEA, 100.0)]
    assert await blocks.blockers(BEA, ANA) == {ANA}
    await blocks.add(BEA, ANA, 300.0)
    assert await blocks.blockers(ANA, BEA) == {ANA, BEA}
    assert await blocks.remove(ANA, BEA)
    assert not await blocks.remove(ANA, BEA)
    assert await blocks.blockers(ANA, BEA) == {BEA}
    assert await blocks.blockers(ANA, CARLA) == set()


async def test_people_who_block_at_once_are_both_stored(blocks: BlockStore) -> None:
    """Two people, new to the bot, who block each other at the same time do not fail."""
    await asyncio.gather(blocks.add(ANA, BEA, 100.0), blocks.add(BEA, ANA, 100.0))
    assert await blocks.blockers(ANA, BEA) == {ANA, BEA}


async def test_the_refusal_depends_on_who_blocks(blocks: BlockStore) -> None:
    """A person reads about their own block; of another's only that they take no challenges."""
    rules = Blocks(blocks, lambda: 100.0)
    await rules.block(BEA, ANA)
    found = [await rules.objection(*pair) for pair in ((ANA, BEA), (BEA, ANA), (ANA, CARLA))]
    assert found[0] is not None
    assert (found[0].by, found[0].refusal.key) == (BEA, "refusal.takes_no_challenges")
    assert found[1] is not None
    assert (found[1].by, found[1].refusal.key) == (BEA, "refusal.you_block")
    assert found[2] is None


async def test_blocks_are_exported_and_forgotten(store: Store, blocks: BlockStore) -> None:
    """A person exports whom they block; deleting either person's data deletes the block."""
    await blocks.add(ANA, BEA, 100.0)
    await blocks.add(ANA, CARLA, 200.0)
    await blocks.add(CARLA, BEA, 300.0)
    assert await block_files(blocks, BEA) == {}
    assert await block_files(blocks, ANA) == {
        "blocks.csv": "person,since\n"
        f"{BEA},1970-01-01T00:01:40+00:00\n{CARLA},1970-01-01T00:03:20+00:00\n"
    }
    async with store.database.writing() as connection:
        assert await count_blocks(connection, ANA) == {"stored.blocks": 2}
        assert await count_blocks(connection, BEA) == {"stored.blocks": 0}
        await forget_person(connection, BEA)
    assert await blocks.of(ANA) == [Block(ANA, CARLA, 200.0)]
    async with store.database.writing() as connection:
        await forget_person(connection, ANA)
    assert await blocks.of(ANA) == await blocks.of(CARLA) == []
