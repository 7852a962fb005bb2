"""The database itself: connections, transactions and the few statements that all tables share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol

from sqlalchemy import Executable, Select, insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.store import sqlite
from bot.store.migrate import is_current, upgrade
from bot.store.models import Base


class Backend(Protocol):
    """What is particular to one database engine; a module of this package for each."""

    @property
    def insert(self) -> Any:
        """The engine's own INSERT, which can be told what to do on a conflict."""

    @property
    def prepare(self) -> Any:
        """Sets an engine up before it connects for the first time."""


BACKENDS: dict[str, Backend] = {"sqlite": sqlite}
"""By SQLAlchemy's name for the engine."""


class Database:
    """One database; what a writing transaction changed is on disk when its block ends."""

    def __init__(self, url: str) -> None:
        """Prepare for the database at an SQLAlchemy address; `open` connects."""
        self._engine: AsyncEngine = create_async_engine(url)
        BACKENDS[self._engine.dialect.name].prepare(self._engine.sync_engine)
        # The same engine; what it begins is begun for writing.
        self._writer = self._engine.execution_options(writes=True)

    async def open(self) -> None:
        """Connect, and run the migrations that the database has not had."""
        async with self.reading() as connection:
            if await connection.run_sync(is_current):
                return
        migrating = self._writer.execution_options(migrates=True)
        async with migrating.begin() as connection:
            await connection.run_sync(upgrade)
        # Foreign keys are off on that connection: it is used for nothing else.
        await self._engine.dispose()

    async def close(self) -> None:
        """Disconnect."""
        await self._engine.dispose()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that only reads, and sees one state of the database throughout."""
        async with self._engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that writes; only one runs at a time. An exception undoes all of it."""
        async with self._writer.begin() as connection:
            yield connection

    async def fetch(self, statement: Select[*tuple[Any, ...]]) -> list[Any]:
        """The rows of one query."""
        async with self.reading() as connection:
            return list((await connection.execute(statement)).all())

    async def change(self, statement: Executable) -> int:
        """Run one statement in a transaction of its own; returns how many rows it changed."""
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
    """Insert a row unless there is one with its key."""
    statement = _insert(connection, table).values(values)
    await connection.execute(statement.on_conflict_do_nothing())


async def put(
    connection: AsyncConnection, table: type[Base], key: dict[str, Any], values: dict[str, Any]
) -> None:
    """Give the row with a key these values, and insert it if there is none."""
    statement = _insert(connection, table).values(**key, **values)
    await connection.execute(statement.on_conflict_do_update(index_elements=list(key), set_=values))


def _insert(connection: AsyncConnection, table: type[Base]) -> Any:
    return BACKENDS[connection.dialect.name].insert(table)
