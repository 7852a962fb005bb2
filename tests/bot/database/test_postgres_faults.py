"""Changes while a PostgreSQL server cannot store them, and afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, make_url, text

from bot.database.errors import BUSY, FULL, GONE, READ_ONLY, Unavailable
from bot.store.store import Store
from tests.bot.databases import Server
from tests.builders import until

pytestmark = pytest.mark.postgres
END_CONNECTIONS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = '{name}' AND pid <> pg_backend_pid()"
)


@pytest.fixture
def address(server: Server) -> Iterator[str]:
    """A migrated database on the server."""
    with server.copy() as copied:
        yield copied


@asynccontextmanager
async def cut_off(server: Server, address: str, setting: str) -> AsyncIterator[None]:
    """Change a setting of a database and end all its connections; undone afterwards."""
    name = make_url(address).database
    server.run(f"ALTER DATABASE {name} {setting}", END_CONNECTIONS.format(name=name))
    try:
        yield
    finally:
        undone = "SET default_transaction_read_only = off", "ALLOW_CONNECTIONS true"
        server.run(
            *(f"ALTER DATABASE {name} {one}" for one in undone), END_CONNECTIONS.format(name=name)
        )


async def until_refused(store: Store, reason: str | None) -> None:
    """Wait until changes are refused for this reason, or until they succeed."""
    async with asyncio.timeout(60):
        while (trouble := await store.database.health()) or reason:
            if trouble is not None and trouble.reason == reason:
                return
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ("ALLOW_CONNECTIONS false", GONE),
        ("SET default_transaction_read_only = on", READ_ONLY),
    ],
)
async def test_a_server_that_accepts_no_changes_is_named(
    server: Server, address: str, store: Store, setting: str, reason: str
) -> None:
    """While a server is down or a standby, changes are refused with that reason.

    Afterwards they succeed.
    """
    reopened: list[bool] = []
    await store.close()
    await store.open(lambda: reopened.append(True))
    await store.notes.put("n", "before")
    async with cut_off(server, address, setting):
        await until_refused(store, reason)
        with pytest.raises(Unavailable) as refused:
            await store.notes.put("n", "refused")
        assert refused.value.reason == reason
    await until_refused(store, None)
    await store.notes.put("n", "after")
    assert await store.notes.find("n") == "after"
    assert store.database.trouble is None
    # A change whose answer was lost with its connection may have been stored.
    assert reopened == [True] or (reason == READ_ONLY and not reopened)


async def test_the_first_change_after_a_restart_succeeds(
    server: Server, address: str, store: Store
) -> None:
    """The first change after a server's restart succeeds in spite of the closed connections."""
    used: list[Any] = []
    pool = store.database._engine.sync_engine
    event.listen(pool, "checkout", lambda raw, *_: used.append(raw.driver_connection))
    await store.notes.put("n", "before")
    server.run(END_CONNECTIONS.format(name=make_url(address).database))
    await until(lambda: all(one.is_closed() for one in used))
    await store.notes.put("n", "after")
    assert await store.notes.find("n") == "after"
    assert store.database.faults == 0


async def test_a_lock_that_stays_is_named(store: Store) -> None:
    """A change that has waited too long for a lock fails with that reason."""
    async with store.database.writing() as connection:
        await connection.execute(text("LOCK TABLE notes IN EXCLUSIVE MODE"))
        trouble = await store.database.health(patience=0.1)
        assert trouble is not None
        assert trouble.reason == BUSY
    assert await store.database.health() is None


def test_what_the_servers_errors_mean() -> None:
    """Server errors about disks, locks and startup have a known meaning.

    Programming errors have none.
    """
    asyncpg = pytest.importorskip("asyncpg")
    from bot.database.postgres import POSTGRES

    meant: dict[Callable[[], Exception], str | None] = {
        lambda: asyncpg.DiskFullError("no space"): FULL,
        lambda: asyncpg.CannotConnectNowError("starting up"): GONE,
        lambda: asyncpg.TooManyConnectionsError("too many"): BUSY,
        lambda: asyncpg.InvalidPasswordError("wrong"): GONE,
        lambda: asyncpg.ConnectionFailureError("lost"): GONE,
        lambda: asyncpg.InterfaceError("connection is closed"): GONE,
        lambda: ConnectionResetError("reset"): GONE,
        lambda: asyncpg.UniqueViolationError("twice"): None,
        lambda: ValueError("ours"): None,
    }
    assert [POSTGRES.reason(make()) for make in meant] == list(meant.values())
    assert POSTGRES.is_conflict(asyncpg.DeadlockDetectedError("deadlock"))
    assert not POSTGRES.is_conflict(asyncpg.UniqueViolationError("twice"))


async def test_a_server_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A server that does not listen is reported as one plain exception."""
    pytest.importorskip("asyncpg")
    store = Store(f"postgresql+asyncpg://somebody@/games?host={tmp_path.as_posix()}")
    with pytest.raises(Unavailable) as refused:
        await store.open()
    assert refused.value.reason == GONE
    await store.close()
