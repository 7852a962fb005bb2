"""The tables that a database has, whether or not a model declares them.

Tables of a feature stay in the database when the feature is removed from the code. What is said
here of tables is read from the database itself, so that their rows are found all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Delete,
    MetaData,
    Pool,
    Table,
    delete,
    inspect,
    select,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.migrate import UNFINISHED
from bot.database.statements import Base

ADMINISTRATIVE = frozenset({"alembic_version", UNFINISHED})
"""Tables that say something about the database itself."""

_read: WeakKeyDictionary[Pool, MetaData] = WeakKeyDictionary()
"""The tables of the databases that are open; opening one anew makes another pool."""


def read_tables(connection: Connection, declared: MetaData = Base.metadata) -> MetaData:
    """The tables of a database: as models declare them, and the others as they are found there."""
    names = inspect(connection).get_table_names()
    stored, tables = set(names) - ADMINISTRATIVE, MetaData()
    for name in stored & declared.tables.keys():
        declared.tables[name].to_metadata(tables)
    undeclared = sorted(stored - declared.tables.keys())
    if undeclared:
        tables.reflect(connection, only=undeclared)
    for name in undeclared:
        for column in tables.tables[name].columns:
            column.type = column.type.as_generic(allow_nulltype=True)
    return tables


def _tables(connection: Connection) -> MetaData:
    """What `read_tables` returns, read once for each database."""
    pool = connection.engine.pool
    if pool not in _read:
        _read[pool] = read_tables(connection)
    return _read[pool]


async def undeclared_tables(connection: AsyncConnection) -> list[Table]:
    """The tables that no model declares, each before those to which it refers."""
    tables = await connection.run_sync(_tables)
    return [one for one in reversed(tables.sorted_tables) if one.name not in Base.metadata.tables]


async def referring_columns(connection: AsyncConnection, name: str) -> list[Column[int]]:
    """The columns that refer to a table, those of tables that depend on others first."""
    tables = await connection.run_sync(_tables)
    return [column for column, _ in _references(tables, name)]


async def delete_rows(
    connection: AsyncConnection, table: Table, which: ColumnElement[bool]
) -> None:
    """Delete rows, and before them all that refer to them, directly or through other rows."""
    tables = await connection.run_sync(_tables)
    for statement in _deletions(tables, table, which):
        await connection.execute(statement)


def _deletions(
    tables: MetaData, table: Table, which: ColumnElement[bool], above: frozenset[str] = frozenset()
) -> Iterator[Delete]:
    above |= {table.name}
    for column, key in _references(tables, table.name):
        if column.table.name not in above:
            theirs = column.in_(select(table.columns[key]).where(which).scalar_subquery())
            yield from _deletions(tables, column.table, theirs, above)
    yield delete(table).where(which)


def _references(tables: MetaData, name: str) -> Iterator[tuple[Column[int], str]]:
    """The columns that refer to a table, each with the name of the column that it refers to."""
    for table in reversed(tables.sorted_tables):
        # A statement may name a table in several places, which must all be the same object.
        own = Base.metadata.tables.get(table.name, table)
        for column in table.columns:
            for key in column.foreign_keys:
                if key.column.table.name == name:
                    yield own.columns[column.name], key.column.name
