"""The database itself: connections, transactions, and the statements all tables share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, Protocol

from sqlalchemy import Engine, Executable, Select, insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.store import sqlite
from bot.store.migrate import is_current, upgrade
from bot.store.models import Base
from bot.telemetry import SILENT, Meter


class Backend(Protocol):
    """What differs between database engines; each has a module in this package."""

    def insert(self, table: Any, /) -> Any:
        """An INSERT with the engine's own `on_conflict_do_nothing` and `on_conflict_do_update`."""

    def prepare(self, engine: Engine) -> None:
        """Set an engine up before its first connection."""


BACKENDS: dict[str, Backend] = {"sqlite": sqlite}
"""By the name that SQLAlchemy gives the engine."""


class Database:
    """One database."""

    def __init__(self, url: str, meter: Meter = SILENT) -> None:
        """Prepare for the database at an SQLAlchemy address; `open` connects."""
        self._meter = meter
        self._engine: AsyncEngine = create_async_engine(url)
        BACKENDS[self._engine.dialect.name].prepare(self._engine.sync_engine)
        # The same engine, but its transactions begin as writers.
        self._writer = self._engine.execution_options(writes=True)
        # Writers of this process take turns in the order in which they come. Left to themselves
        # they would ask again and again, and under load some would never get theirs.
        self._turn = asyncio.Lock()

    async def open(self) -> None:
        """Connect, and run any migrations that are missing."""
        async with self.reading() as connection:
            if await connection.run_sync(is_current):
                return
        migrating = self._writer.execution_options(migrates=True)
        async with migrating.begin() as connection:
            await connection.run_sync(upgrade)
        # Foreign keys are off on that connection, so it is not used again.
        await self._engine.dispose()

    async def close(self) -> None:
        """Disconnect."""
        await self._engine.dispose()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A transaction for reading: it sees the database in one state throughout."""
        async with self._engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction for writing: on disk when the block ends, undone if it raises."""
        asked = monotonic()
        async with self._turn, self._writer.begin() as connection:
            yield connection
        self._meter.wrote(monotonic() - asked)

    async def fetch(self, statement: Select[*tuple[Any, ...]]) -> list[Any]:
        """Run one query and return its rows."""
        async with self.reading() as connection:
            return list((await connection.execute(statement)).all())

    async def change(self, statement: Executable) -> int:
        """Run one statement in its own transaction; returns how many rows it changed."""
        async with self.writing() as connection:
            return await change(connection, statement)


async def change(connection: AsyncConnection, statement: Executable) -> int:
    """Run a statement; returns how many rows it changed."""
    return (await connection.execute(statement)).rowcount


async def add(connection: AsyncConnection, table: type[Base], values: dict[str, Any]) -> int:
    """Insert a row and return its id."""
    result = await connection.execute(insert(table).values(values))
    assert result.inserted_primary_key is not None
    return int(result.inserted_primary_key[0])


async def add_missing(
    connection: AsyncConnection, table: type[Base], values: dict[str, Any]
) -> None:
    """Insert a row unless its key exists."""
    statement = _insert(connection, table).values(values)
    await connection.execute(statement.on_conflict_do_nothing())


async def put(
    connection: AsyncConnection, table: type[Base], key: dict[str, Any], values: dict[str, Any]
) -> None:
    """Insert a row, or update it if its key exists."""
    statement = _insert(connection, table).values(**key, **values)
    await connection.execute(statement.on_conflict_do_update(index_elements=list(key), set_=values))


def _insert(connection: AsyncConnection, table: type[Base]) -> Any:
    return BACKENDS[connection.dialect.name].insert(table)
