"""Shards of all processes together identify themselves as often as Discord allows."""

from __future__ import annotations

import asyncio

from bot.store.store import Store

LONG = 1000.0
"""Seconds that no test lasts."""


async def test_a_buckets_turns_lie_apart(store: Store, address: str) -> None:
    """Of two processes one takes the turn; the other gets the time of the next one."""
    other = Store(address)
    await other.open()
    try:
        waits = await asyncio.gather(*(one.identifies.take(3, LONG) for one in (store, other)))
    finally:
        await other.close()
    assert min(waits) == 0.0
    assert LONG - 100 < max(waits) <= LONG


async def test_each_bucket_has_turns_of_its_own(store: Store) -> None:
    """Shards of other buckets do not wait for each other, and none waits longer than needed."""
    assert await store.identifies.take(0, LONG) == 0.0
    assert await store.identifies.take(1, LONG) == 0.0
    assert await store.identifies.take(0, LONG) > 0.0
    assert await store.identifies.take(0, 0.0) == 0.0
