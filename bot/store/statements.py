"""The statements that all tables share.

To build a statement costs several times what it costs to run it. So those that run for each move
are built once, with bound values.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from sqlalchemy import ClauseElement, Executable, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.backends import backend_of
from bot.store.models import Base
from bot.store.prepared import Prepared


async def change(
    connection: AsyncConnection,
    statement: Executable | Prepared,
    values: Mapping[str, Any] | None = None,
) -> int:
    """Run a statement with these values bound; returns how many rows it changed."""
    if isinstance(statement, Prepared):
        return await statement.change(connection, values or {})
    return (await connection.execute(statement, values)).rowcount


async def lock(connection: AsyncConnection, key: Any, ids: Collection[Any]) -> None:
    """Keep others from changing the rows of which a key has these values, until this is stored.

    What is read from then on includes what whoever came first has stored. Rows are locked in the
    order of their keys, so two that lock the same ones never wait for each other.
    """
    await backend_of(connection.dialect.name).lock(connection, key, ids)


async def add(connection: AsyncConnection, table: type[Base], values: dict[str, Any]) -> int:
    """Insert a row and return its id."""
    return await _insert(table).insert(connection, values)


async def add_missing(
    connection: AsyncConnection, table: type[Base], values: dict[str, Any]
) -> None:
    """Insert a row unless its key exists."""
    await insert_missing(connection.dialect.name, table).change(connection, values)


@cache
def insert_missing(backend: str, table: type[Base]) -> Prepared:
    """The statement that inserts a row, whose values are bound, unless its key exists."""
    return Prepared(backend_of(backend).insert(table.__table__).on_conflict_do_nothing())


async def put(
    connection: AsyncConnection, table: type[Base], key: dict[str, Any], values: dict[str, Any]
) -> None:
    """Insert a row, or update it if its key exists."""
    row, backend = {**key, **values}, connection.dialect.name
    if any(isinstance(value, ClauseElement) for value in values.values()):
        # What the database computes is part of the statement.
        insert = backend_of(backend).insert(table.__table__).values(row)
        statement = insert.on_conflict_do_update(index_elements=list(key), set_=values)
        await connection.execute(statement)
    else:
        await _insert_or_update(backend, table, (*key,), (*values,)).change(connection, row)


@cache
def _insert(table: type[Base]) -> Prepared:
    """The statement that inserts a row, whose values are bound: built once for each table."""
    return Prepared(insert(table.__table__))  # type: ignore[arg-type]  # it is a table


@cache
def _insert_or_update(
    backend: str, table: type[Base], key: tuple[str, ...], columns: tuple[str, ...]
) -> Prepared:
    """The statement that inserts a row or updates these columns of the one with its key."""
    insert = backend_of(backend).insert(table.__table__)
    new = {name: insert.excluded[name] for name in columns}
    return Prepared(insert.on_conflict_do_update(index_elements=list(key), set_=new))
