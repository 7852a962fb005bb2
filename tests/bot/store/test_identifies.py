"""Shards identify themselves no more often than Discord allows, across all processes."""

from __future__ import annotations

import asyncio

from bot.store.store import Store

MAX_WAIT = 1000.0
"""Seconds that no test lasts."""


async def test_identifies_of_one_bucket_are_spaced(store: Store, address: str) -> None:
    """Of two processes that identify in one bucket, one may and the other gets the time to wait."""
    other = Store(address)
    await other.open()
    try:
        waits = await asyncio.gather(*(one.identifies.take(3, MAX_WAIT) for one in (store, other)))
    finally:
        await other.close()
    assert min(waits) == 0.0
    assert MAX_WAIT - 100 < max(waits) <= MAX_WAIT


async def test_buckets_do_not_wait_for_each_other(store: Store) -> None:
    """Shards of other buckets do not wait for each other, and no wait is longer than announced."""
    assert await store.identifies.take(0, MAX_WAIT) == 0.0
    assert await store.identifies.take(1, MAX_WAIT) == 0.0
    assert await store.identifies.take(0, MAX_WAIT) > 0.0
    assert await store.identifies.take(0, 0.0) == 0.0
