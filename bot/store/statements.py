"""The statements that all tables share."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Executable, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.backends import backend_of
from bot.store.models import Base


async def change(connection: AsyncConnection, statement: Executable) -> int:
    """Run a statement; returns how many rows it changed."""
    return (await connection.execute(statement)).rowcount


async def lock(connection: AsyncConnection, key: Any, ids: Collection[Any]) -> None:
    """Keep others from changing the rows of which a key has these values, until this is stored.

    What is read from then on includes what whoever came first has stored. Rows are locked in the
    order of their keys, so two that lock the same ones never wait for each other.
    """
    await backend_of(connection.dialect.name).lock(connection, key, ids)


async def add(connection: AsyncConnection, table: type[Base], values: dict[str, Any]) -> int:
    """Insert a row and return its id."""
    result = await connection.execute(insert(table).values(values))
    assert result.inserted_primary_key is not None
    return int(result.inserted_primary_key[0])


async def add_missing(
    connection: AsyncConnection, table: type[Base], values: dict[str, Any]
) -> None:
    """Insert a row unless its key exists."""
    await connection.execute(insert_missing(connection, table, values))


def insert_missing(connection: AsyncConnection, table: type[Base], values: dict[str, Any]) -> Any:
    """The statement that inserts a row unless its key exists."""
    return _insert(connection, table).values(values).on_conflict_do_nothing()


async def put(
    connection: AsyncConnection, table: type[Base], key: dict[str, Any], values: dict[str, Any]
) -> None:
    """Insert a row, or update it if its key exists."""
    statement = _insert(connection, table).values(**key, **values)
    await connection.execute(statement.on_conflict_do_update(index_elements=list(key), set_=values))


def _insert(connection: AsyncConnection, table: type[Base]) -> Any:
    return backend_of(connection.dialect.name).insert(table)
