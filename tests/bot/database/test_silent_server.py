"""While a PostgreSQL server does not answer, requests fail in time and with a true reason."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from time import monotonic

import pytest
from sqlalchemy import make_url

from bot.database.errors import BUSY, GONE, Unavailable, Unconfirmed
from bot.database.time_limits import answering_person
from bot.store.store import Store
from tests.bot.databases import Server
from tests.bot.support.proxy import Proxy, proxy_to

pytestmark = pytest.mark.postgres
TIMEOUT = 8.0
"""Seconds within which a request must be given up. Its own limits are below two seconds, to which a
busy machine adds; without them it waits for as long as the server is silent."""


@pytest.fixture
def address(server: Server) -> Iterator[str]:
    """A migrated database on the server."""
    with server.copy() as copied:
        yield copied


@pytest.fixture
async def proxy(server: Server) -> AsyncIterator[Proxy]:
    """The network between the store and the server."""
    async with proxy_to(server.address) as opened:
        yield opened


@pytest.fixture
async def store(address: str, proxy: Proxy) -> AsyncIterator[Store]:
    """An open store behind the proxy."""
    name = make_url(address).database
    assert name is not None
    opened = Store(proxy.address_of(name))
    await opened.open()
    await opened.notes.put("n", "before")
    yield opened
    await opened.close()


async def test_a_frozen_server_is_given_up_in_time(store: Store, proxy: Proxy) -> None:
    """While the server is frozen, every request fails within a short time.

    That holds for more requests than there are connections.
    """
    proxy.freeze()

    async def ask() -> tuple[str, float]:
        with answering_person(lambda: False):
            began = monotonic()
            with pytest.raises(Unavailable) as refused:
                await store.notes.put("n", "refused")
            return refused.value.reason, monotonic() - began

    answers = await asyncio.gather(*(ask() for _ in range(24)))
    assert {reason for reason, _ in answers} <= {GONE, BUSY}
    assert max(seconds for _, seconds in answers) < TIMEOUT
    proxy.thaw()
    await store.notes.put("n", "after")
    assert await store.notes.find("n") == "after"


async def test_after_a_failover_one_request_notices_for_all(
    store: Store, proxy: Proxy, server: Server
) -> None:
    """After a failover only the first use of an old connection waits.

    Then all old connections are replaced.
    """
    both = (store.notes.find("n"), store.notes.find("n"), store.notes.find("n"))
    await asyncio.gather(*both)
    proxy.fail_over(server.address)
    with answering_person(lambda: False):
        with pytest.raises(Unavailable):
            await store.notes.put("n", "refused")
        for _ in range(3):
            began = monotonic()
            assert await store.notes.find("n") == "before"
            assert monotonic() - began < 1.0


@pytest.mark.parametrize("is_stored", [True, False])
async def test_a_commit_without_an_answer_is_unconfirmed(
    store: Store, proxy: Proxy, *, is_stored: bool
) -> None:
    """A commit without an answer is reported as unconfirmed.

    The server may or may not have stored it.
    """
    if is_stored:
        proxy.loses_answer_to = b"COMMIT;"
    else:
        proxy.withholds = b"COMMIT;"
    with answering_person(lambda: False), pytest.raises(Unconfirmed):
        await store.notes.put("n", "unconfirmed")
    assert await store.notes.find("n") == ("unconfirmed" if is_stored else "before")


async def test_an_uncommitted_change_is_not_stored(store: Store, proxy: Proxy) -> None:
    """A connection that is cut before the commit is reported as a change that was not stored."""
    proxy.withholds = b"refused"
    with answering_person(lambda: False):
        writing = asyncio.ensure_future(store.notes.put("n", "refused"))
        async with asyncio.timeout(60):
            while proxy.withholds is not None:  # noqa: ASYNC110  # there is no event
                await asyncio.sleep(0.01)
    proxy.cut()
    with pytest.raises(Unavailable) as refused:
        await writing
    assert refused.value.reason == GONE
    assert await store.notes.find("n") == "before"


async def test_a_cancelled_query_gives_its_connection_back(store: Store, proxy: Proxy) -> None:
    """Work that is cancelled on a frozen server gives its connection back."""
    proxy.freeze()
    waiting = [asyncio.ensure_future(store.notes.find("n")) for _ in range(20)]
    await asyncio.wait(waiting, timeout=0.1)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    proxy.thaw()
    assert await asyncio.gather(*(store.notes.find("n") for _ in range(20))) == ["before"] * 20
    assert proxy.connections <= 16


async def test_claims_of_interactions_have_little_time(store: Store, proxy: Proxy) -> None:
    """Claiming an interaction has a short timeout, because it must be answered in time."""
    assert await store.claims.take(1)
    assert not await store.claims.take(1)
    proxy.freeze()
    began = monotonic()
    with pytest.raises(Unavailable):
        await store.claims.take(2)
    assert monotonic() - began < TIMEOUT
    proxy.thaw()
