"""Reading the tables of a database, and migrating them to the newest revision.

Tables of a feature stay in the database when the feature is removed from the code. So the
tables are read from the database itself, whether or not a model declares them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
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
    text,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.errors import Unfit
from bot.database.statements import Base

if TYPE_CHECKING:
    from alembic.config import Config

UNFINISHED = "unfinished_transfer"
"""The table of a database to which `cuatro migrate-data` has not copied everything yet."""

ADMINISTRATIVE = frozenset({"alembic_version", UNFINISHED})
"""Tables about the database itself."""

_read: WeakKeyDictionary[Pool, MetaData] = WeakKeyDictionary()
"""The tables of each open database by its pool; reopening a database makes a new pool."""

_SCRIPTS = Path(__file__).parent / "migrations"


def revisions() -> list[str]:
    """All revisions that this version knows, the newest last, taken from their files' names."""
    return sorted(file.name[1:5] for file in _SCRIPTS.glob("versions/v*.py"))


def newest() -> str:
    """The revision of the last migration."""
    return revisions()[-1]


def is_current(connection: Connection) -> bool:
    """Whether a database needs no migration."""
    return _revision(connection) == newest()


def require_ours(connection: Connection) -> str | None:
    """The revision of a database, or None if it is empty.

    Raises Unfit if it belongs to a newer version of this program or to another one, and while
    `cuatro migrate-data` has not copied everything to it.
    """
    tables = set(inspect(connection).get_table_names())
    if not tables:
        return None
    if UNFINISHED in tables:
        raise Unfit(
            "It is the unfinished target of `cuatro migrate-data`. Run that again until it ends."
        )
    found = _revision(connection) if "alembic_version" in tables else None
    if found in revisions() and "games" in tables:
        return found
    # An interrupted first migration, or a database that was emptied.
    if tables == {"alembic_version"} and found is None:
        return None
    if found is not None and found.isdecimal() and found > newest() and "games" in tables:
        raise Unfit(
            f"It was written by a newer version of Cuatro (revision {found}; this one knows "
            f"{newest()}). Install that version, or restore a backup from before."
        )
    raise Unfit(
        "It holds the tables of another program. Set another file or database for Cuatro's games."
    )


def upgrade(connection: Connection) -> None:
    """Run all missing migrations."""
    # Imported here because most starts need no migration.
    from alembic import command

    command.upgrade(config_for(connection), "head")


def config_for(connection: Connection) -> Config:
    """Alembic's configuration for migrations on this connection."""
    from alembic.config import Config

    config = Config()
    # A percent sign in the path would be read as an interpolation.
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version"))
    versions = list(found.scalars())
    return str(versions[0]) if len(versions) == 1 else None


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
    """The tables of a database, read once while it is open."""
    pool = connection.engine.pool
    if pool not in _read:
        _read[pool] = read_tables(connection)
    return _read[pool]


async def undeclared_tables(connection: AsyncConnection) -> list[Table]:
    """The tables that no model declares, each before those to which it refers."""
    tables = await connection.run_sync(_tables)
    return [one for one in reversed(tables.sorted_tables) if one.name not in Base.metadata.tables]


async def referring_columns(connection: AsyncConnection, name: str) -> list[Column[int]]:
    """The columns that refer to a table; dependent tables come first."""
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
