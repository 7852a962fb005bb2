"""The mark of a database to which not everything has been copied yet.

It is a table of its own, made before the first row is copied and dropped when all tables are found
to be equal. The bot does not open a database that has it.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Column, Connection, MetaData, String, Table, insert, inspect, select

from bot.store.migrate import UNFINISHED

_TABLE = Table(
    UNFINISHED,
    MetaData(),
    Column("source", String(1024), nullable=False),
    Column("revision", String(32), nullable=False),
)


@dataclass(frozen=True, slots=True)
class Mark:
    """Which transfer it is."""

    source: str
    """The name of the place from which it copies."""
    revision: str
    """That of the tables."""


def marked(connection: Connection) -> Mark | None:
    """The mark of a database, if it has one."""
    if not inspect(connection).has_table(UNFINISHED):
        return None
    row = connection.execute(select(_TABLE)).one()
    return Mark(row.source, row.revision)


def put_mark(connection: Connection, mark: Mark) -> None:
    """Mark a database."""
    _TABLE.create(connection)
    connection.execute(insert(_TABLE).values(source=mark.source, revision=mark.revision))


def drop_mark(connection: Connection) -> None:
    """Take the mark away."""
    _TABLE.drop(connection)
