"""Requests to other people are counted in the database, for all processes together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from sqlalchemy import func, select

from bot.store.people import LimitReached, Quota, RateSlotRow
from bot.store.records import GameSetup, NewChallengeRecord, SeatRecord
from bot.store.store import Store

ANA, BEA, EVE = 1, 2, 3
THRICE = Quota("challenges", ANA, BEA, most=3, seconds=60.0, at=100.0)
SEATS = SeatRecord(ANA, None), SeatRecord(BEA, None)
OFFER = NewChallengeRecord(GameSetup("connect4", "6x7", 1, None, "en", *SEATS, ANA), 100.0, 700.0)


@pytest.fixture
async def other(address: str) -> AsyncIterator[Store]:
    """Another process on the same database."""
    opened = Store(address)
    await opened.open()
    yield opened
    await opened.close()


async def challenge(store: Store, quota: Quota) -> float | None:
    """Challenge a person; returns the time until which that is refused, or None."""
    try:
        await store.challenges.add(OFFER, quota)
    except LimitReached as error:
        return error.until
    return None


async def rows(store: Store) -> int:
    """The number of counted requests."""
    found = await store.database.fetch(select(func.count().label("n")).select_from(RateSlotRow))
    return int(found[0].n)


async def test_a_limit_holds_for_all_processes(store: Store, other: Store) -> None:
    """A limit holds across processes in a sliding window.

    Refused requests are not stored and do not count.
    """
    later = replace(THRICE, at=130.0)
    assert await challenge(store, THRICE) is None
    assert await challenge(other, later) is None
    assert await challenge(store, later) is None
    for one in (store, other):
        assert await challenge(one, later) == 160.0
    assert len(await store.challenges.open()) == 3
    after = replace(THRICE, at=160.0)
    assert await challenge(other, after) is None
    assert await challenge(store, after) == 190.0
    # Each person has a separate window.
    for quota in (replace(after, partner_id=EVE), replace(after, user_id=EVE)):
        assert await challenge(store, quota) is None


async def test_the_last_place_is_taken_once(store: Store, other: Store) -> None:
    """Of many simultaneous requests in two processes exactly as many succeed as are allowed."""
    both = (store, other) * 5
    refused = await asyncio.gather(*(challenge(one, THRICE) for one in both))
    assert sorted(until is None for until in refused) == [False] * 7 + [True] * 3
    assert set(refused) == {None, 160.0}
    assert len(await store.challenges.open()) == 3


async def test_a_lower_limit_counts_what_was_taken_under_a_higher_one(store: Store) -> None:
    """After a limit was lowered, requests granted under the higher one still count."""
    for at in (100.0, 110.0, 120.0):
        assert await challenge(store, replace(THRICE, at=at)) is None
    assert await challenge(store, replace(THRICE, most=1, at=130.0)) == 180.0


async def test_requests_that_no_longer_count_are_deleted(store: Store) -> None:
    """The row of a request that has left its window is deleted or reused."""
    await challenge(store, THRICE)
    await challenge(store, replace(THRICE, at=150.0))
    await store.rate_limits.clear(160.0)
    assert await rows(store) == 1
