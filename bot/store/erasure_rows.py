"""Deleting games with everything that belongs to them, inside a caller's transaction."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Table, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.models import Base, GameRow


async def delete_games(connection: AsyncConnection, which: ColumnElement[bool]) -> None:
    """Delete games, and the rows of every table that refer to them."""
    ids = select(GameRow.id).where(which).scalar_subquery()
    # The tables that depend on others come last in `sorted_tables`, and have to go first.
    for table in reversed(Base.metadata.sorted_tables):
        for column in referring(table):
            await connection.execute(delete(table).where(column.in_(ids)))
    await connection.execute(delete(GameRow).where(which))


def referring(table: Table) -> list[ColumnElement[int]]:
    """The columns of a table that name a game."""
    return [
        column
        for column in table.columns
        if any(key.column.table is GameRow.__table__ for key in column.foreign_keys)
    ]
