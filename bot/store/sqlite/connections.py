"""How SQLite connects and begins transactions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import URL, ColumnElement, Connection, Double, Engine, event, func
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.sqlite.driver import Connection as FastConnection
from bot.store.sqlite.driver import connect
from bot.store.sqlite.faults import ERRORS, reason
from bot.store.troubles import BUSY

READER_WAITS, WRITER_WAITS = 30_000, 500
"""Milliseconds that a statement waits where another program has locked the file. A writer's are
few: it tries again, and can be told to stop in between."""
ENGINE_OPTIONS: Mapping[str, Any] = {"connect_args": {"async_creator_fn": connect}}
READING: Mapping[str, Any] = {}
"""A transaction sees one state throughout as it is."""
PEEKING: Mapping[str, Any] = {"single": True}
"""A single statement sees one state without a transaction."""
SHARED = False
"""One process has a file to itself."""
NOW: ColumnElement[float] = (func.julianday("now", type_=Double()) - 2_440_587.5) * 86_400.0


def address(url: URL) -> URL:
    """The address to connect to: never one that makes the file, which may only be away."""
    file = path_of(url)
    if file is None:
        return url
    query = {**url.query, "mode": "rw", "uri": "true"}
    return url.set(database=file.absolute().as_uri(), query=query)


def path_of(url: URL) -> Path | None:
    """The file of a database; None for one in memory, and for one that SQLite is to look up."""
    name = url.database
    return None if not name or name == ":memory:" or name.startswith("file:") else Path(name)


def prepare(engine: Engine) -> None:
    """Set an engine up before its first connection.

    Its transactions then heed three execution options: `writes` if they will write, `migrates` if
    they will change tables, `single` if there is only one statement, which needs no transaction.
    """
    event.listen(engine, "connect", _configure)
    event.listen(engine, "begin", begin)


def resume(_connection: AsyncConnection) -> bool:
    """Whatever is wrong with a file shows when a transaction begins."""
    return True


def rest(_connection: AsyncConnection) -> None:
    """A file needs nothing."""


async def leave(connection: AsyncConnection) -> None:
    """Bring everything into a file itself that is no longer where it was.

    Its log stays behind under its old name, and would be taken for that of the file which is there
    next; SQLite itself does this on closing only for files that have not been moved.
    """
    raw = await connection.get_raw_connection()
    assert raw.driver_connection is not None
    cursor = await raw.driver_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    await cursor.close()


async def lock(_connection: AsyncConnection, _key: Any, _ids: Collection[Any]) -> None:
    """A transaction that writes has locked the whole database since it began."""


async def hold(connection: AsyncConnection) -> bool:
    """Have the file alone until this connection closes; False if a program has it open."""
    # Every program that has opened the file holds a lock on it, whether or not it is doing
    # anything. The first change in this mode takes the file from all of them, and keeps it.
    for statement in ("PRAGMA locking_mode=EXCLUSIVE", "SELECT 1"):
        try:
            await connection.exec_driver_sql(statement)
        except ERRORS as error:
            if reason(error) == BUSY:
                return False
            raise
        await connection.commit()
    return True


async def settle(_connection: AsyncConnection, _ids: Mapping[str, str | None]) -> None:
    """Ids go on after the highest one by themselves."""


def in_byte_order(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Texts are compared by their bytes as they are."""
    return column


def prepare_migrations() -> None:
    """The migrations were written for SQLite."""


def _configure(connection: Any, _record: object) -> None:
    """Set up one connection; one that cannot be is closed, which nobody else would do."""
    try:
        _set_up(connection)
    except BaseException:
        connection.close()
        raise


def _set_up(connection: Any) -> None:
    # Python's driver begins transactions by itself, but not for changes to tables, so a migration
    # that is killed would be left half done. `begin` does it instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={READER_WAITS}")
    # Write-ahead log: readers never wait for the writer.
    cursor.execute("PRAGMA journal_mode=WAL")
    # A commit is on the disk itself when it returns, so not even a power cut loses it.
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def begin(connection: Connection) -> None:
    """Begin a transaction as the execution options of a connection ask."""
    options = connection.get_execution_options()
    writes = bool(options.get("writes", False))
    _wait_at_most(connection, WRITER_WAITS if writes else READER_WAITS)
    if options.get("single", False):
        return
    if options.get("migrates", False):
        # A migration may copy a table and drop the old one while other rows refer to it. SQLite
        # accepts this pragma only outside a transaction.
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
    # A writer locks at once: if it read first and somebody else wrote in between, it would fail.
    _run(connection, "BEGIN IMMEDIATE" if writes else "BEGIN")


def _wait_at_most(connection: Connection, milliseconds: int) -> None:
    if connection.info.get("waits", READER_WAITS) != milliseconds:
        driver, statement = (
            connection.connection.driver_connection,
            f"PRAGMA busy_timeout={milliseconds}",
        )
        if isinstance(driver, FastConnection):
            driver.run_soon(statement)
        else:
            _run(connection, statement)
        connection.info["waits"] = milliseconds


def _run(connection: Connection, statement: str) -> None:
    """Run a statement without what SQLAlchemy does around it, which costs more than these do."""
    driver: Any = connection.connection.dbapi_connection
    driver.execute(statement).close()
