"""An interaction that several processes receive is answered by only one of them."""

from __future__ import annotations

import asyncio

from bot.store.processes import KEPT_FOR
from bot.store.store import Store

NEWEST = 2**62
MINUTE = 60_000 << 22
"""How much ids grow in a minute."""


async def test_an_interaction_goes_to_the_first_claim(store: Store, address: str) -> None:
    """If two processes claim the same interactions at once, each interaction goes to one."""
    other = Store(address)
    await other.open()
    try:
        asked = [one.claims.take(NEWEST + n) for n in range(20) for one in (store, other)]
        taken = await asyncio.gather(*asked)
    finally:
        await other.close()
    assert [taken[n] + taken[n + 1] for n in range(0, 40, 2)] == [1] * 20


async def test_claims_are_forgotten_when_they_no_longer_matter(store: Store) -> None:
    """Claims are deleted once Discord no longer accepts answers; younger ones are kept."""
    kept = int(KEPT_FOR / 60)
    for age in (0, kept - 1, kept + 1):
        assert await store.claims.take(NEWEST - age * MINUTE)
    await store.claims.clear(NEWEST)
    assert not await store.claims.take(NEWEST)
    assert not await store.claims.take(NEWEST - (kept - 1) * MINUTE)
    assert await store.claims.take(NEWEST - (kept + 1) * MINUTE)
