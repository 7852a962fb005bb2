"""Whether a transfer may begin or go on: what its source and its target must be like."""

from __future__ import annotations

from sqlalchemy import Connection, MetaData, inspect, literal, select, table

from bot.store.database import Database
from bot.store.migrate import is_current, newest, require_ours
from bot.store.transfer.marks import Mark, marked, put_mark
from bot.store.transfer.side import Side
from bot.store.transfer.steps import TransferFailed
from bot.store.transfer.tables import is_transient
from bot.store.troubles import Unfit


async def open_source(source: Side) -> None:
    """Connect to a database of the newest revision; raises TransferFailed."""
    with source.explained():
        if source.place.identity() is None:
            raise Unfit("There is no such file.")
    await source.open(reads=True)
    with source.explained():
        await source.connection.run_sync(_require_newest)
        await source.connection.rollback()


async def open_target(target: Side, address: str, source: str, metadata: MetaData) -> bool:
    """Connect to an empty database, made and marked here, or to an unfinished one of this source.

    Returns whether it was an unfinished one. Raises TransferFailed.
    """
    mark = Mark(source, newest())
    with target.explained():
        target.place.make()
    await target.open(reads=False)
    with target.explained():
        found = await target.connection.run_sync(marked)
        if found is not None:
            _require_same(found, mark)
            await target.connection.rollback()
            return True
        await target.connection.run_sync(_require_empty, metadata)
        await target.connection.rollback()
    # Its tables are made as at a bot's start, which needs the database for itself.
    await target.close()
    await _make_tables(target, address)
    await target.open(reads=False)
    with target.explained():
        await target.connection.run_sync(put_mark, mark)
        await target.connection.commit()
    return False


async def _make_tables(target: Side, address: str) -> None:
    with target.explained():
        database = Database(address)
        try:
            await database.open()
        finally:
            await database.close()


def _require_newest(connection: Connection) -> None:
    revision = require_ours(connection)
    if revision is None:
        raise Unfit("It is empty: there is nothing to copy.")
    if not is_current(connection):
        raise Unfit(
            f"Its tables are those of an earlier version (revision {revision}; this one is "
            f"{newest()}). Start this version of the bot on it once, which brings them up to date."
        )


def _require_same(found: Mark, wanted: Mark) -> None:
    if found.source != wanted.source:
        raise Unfit(
            f"It is the unfinished target of a transfer from {found.source}. Go on with that one, "
            "or name an empty database."
        )
    if found.revision != wanted.revision:
        raise Unfit(
            "It is the unfinished target of a transfer by another version of this program. Name "
            "an empty database."
        )


def _require_empty(connection: Connection, metadata: MetaData) -> None:
    require_ours(connection)
    passing = {one.name for one in metadata.tables.values() if is_transient(one)}
    names = set(inspect(connection).get_table_names()) - passing - {"alembic_version"}
    filled = [name for name in sorted(names) if _has_rows(connection, name)]
    if filled:
        raise Unfit(f"It is not empty ({', '.join(filled)}). Name an empty database.")


def _has_rows(connection: Connection, name: str) -> bool:
    found = connection.execute(select(literal(1)).select_from(table(name)).limit(1))
    return found.first() is not None


def require_two(source: Side, target: Side) -> None:
    """Raise TransferFailed if both are one database."""
    same = source.place.identity() is not None
    if source.name == target.name or (same and source.place.identity() == target.place.identity()):
        raise TransferFailed("The source and the target are the same database.")
