"""SQLite as a `Backend`, with a driver that costs the event loop less than plain aiosqlite.

With aiosqlite's own cursors a query takes four round trips to the connection's thread: one each to
make the cursor, run the statement, fetch the rows and close the cursor. Here it takes one.
"""

from __future__ import annotations

import sqlite3
from asyncio import CancelledError
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import aiosqlite
from sqlalchemy import URL, ColumnElement, Connection, Double, Engine, event, func
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.backends import Backend, Begin, Connections, Failed, Place, Require
from bot.database.errors import BROKEN, BUSY, FULL, GONE, READ_ONLY
from bot.database.sqlite_files import DatabaseFile
from bot.database.writer import WriterQueue

FETCHED = 1000
"""The most rows fetched together with the statement; larger results take further round trips."""

READER_WAITS, WRITER_WAITS = 30_000, 500
"""Milliseconds that a statement waits for a file that another program has locked. Writers wait
briefly, because they try again and can be stopped between two tries."""

T = TypeVar("T")

Row = tuple[Any, ...]

_Done = tuple[Any, int, int | None, list[Row], sqlite3.Cursor | None]
"""A cursor's description, row count, last id and first rows, and the cursor if it has more rows."""


class _Connection(aiosqlite.Connection):
    """A connection whose cursors need no round trips of their own."""

    _is_uncertain = False
    """Whether cancelled work may still begin a transaction in the connection's thread."""

    def cursor(self) -> _Cursor:  # type: ignore[override]
        return _Cursor(self)

    async def commit(self) -> None:
        if self._conn.in_transaction:
            await super().commit()

    async def rollback(self) -> None:
        if self._is_uncertain or self._conn.in_transaction:
            self._is_uncertain = False
            await super().rollback()

    async def run(self, work: Callable[..., T], *arguments: Any) -> T:
        """Call a function in the connection's thread."""
        try:
            result: T = await self._execute(work, *arguments)  # type: ignore[no-untyped-call]
        except CancelledError:
            # The thread does the work all the same, perhaps only after the caller has gone.
            self._is_uncertain = True
            raise
        return result

    def run_soon(self, statement: str) -> None:
        """Run a statement before the next one, without waiting for it."""
        self._tx.put_nowait((None, partial(self._conn.execute, statement)))

    def apply(self, method: Callable[..., sqlite3.Cursor], *arguments: Any) -> _Done:
        """Call a method of the connection itself, from its thread."""
        return _done(method(self._conn, *arguments))


class _Cursor:
    """The part of a cursor (PEP 249) that SQLAlchemy uses."""

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection
        self._open: sqlite3.Cursor | None = None
        self._rows: deque[Row] = deque()
        self.arraysize = 1
        self.description: Any = None
        self.lastrowid: int | None = None
        self.rowcount = -1

    async def __aenter__(self) -> _Cursor:
        return self

    async def execute(self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> None:
        await self._run(sqlite3.Connection.execute, sql, parameters)

    async def executemany(self, sql: str, parameters: Iterable[Any]) -> None:
        await self._run(sqlite3.Connection.executemany, sql, parameters)

    async def fetchone(self) -> Row | None:
        rows = await self.fetchmany(1)
        return rows[0] if rows else None

    async def fetchmany(self, size: int | None = None) -> list[Row]:
        wanted = self.arraysize if size is None else size
        while len(self._rows) < wanted and self._open is not None:
            await self._fetch(self._open.fetchmany, FETCHED)
        return [self._rows.popleft() for _ in range(min(wanted, len(self._rows)))]

    async def fetchall(self) -> Iterable[Row]:
        if self._open is not None:
            await self._fetch(self._open.fetchall)
            await self.close()
        rows, self._rows = self._rows, deque()
        return rows

    async def close(self) -> None:
        """Close the open cursor, and drop its rows that have not been fetched."""
        if self._open is not None:
            cursor, self._open = self._open, None
            await self._connection.run(cursor.close)

    async def _fetch(self, fetch: Callable[..., list[Row]], *size: int) -> None:
        found = await self._connection.run(fetch, *size)
        self._rows += found
        if len(found) < FETCHED:
            await self.close()

    async def _run(self, method: Callable[..., sqlite3.Cursor], *arguments: Any) -> None:
        done = await self._connection.run(self._connection.apply, method, *arguments)
        self.description, self.rowcount, self.lastrowid, rows, self._open = done
        self._rows = deque(rows)


def _done(cursor: sqlite3.Cursor) -> _Done:
    """The results of a statement; the cursor stays open if there are more rows."""
    description = cursor.description
    try:
        rows = cursor.fetchmany(FETCHED) if description else []
    except BaseException:
        # An open cursor would keep seeing the database as it is now, and others after it too.
        cursor.close()
        raise
    more = len(rows) == FETCHED
    done = (description, cursor.rowcount, cursor.lastrowid, rows, cursor if more else None)
    if not more:
        cursor.close()
    return done


def connect(*arguments: Any, **options: Any) -> _Connection:
    """Connect as SQLite's own `connect` does; to be awaited."""
    connection = _Connection(partial(sqlite3.connect, *arguments, **options), FETCHED)
    # As SQLAlchemy does with aiosqlite's connections: one that hangs must not keep the process
    # alive.
    connection._thread.daemon = True
    return connection


_REASONS = {
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_PROTOCOL: BUSY,
    sqlite3.SQLITE_FULL: FULL,
    # A limit on the size of files and a failing disk both look like this.
    sqlite3.SQLITE_IOERR: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_PERM: READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: GONE,
    sqlite3.SQLITE_CORRUPT: BROKEN,
    sqlite3.SQLITE_NOTADB: BROKEN,
}


_DAYS: ColumnElement[float] = func.julianday("now", type_=Double()) - 2_440_587.5


class _Sqlite(Backend):
    """SQLite: a file with one writer at a time, which only one process uses."""

    ENGINE_OPTIONS: ClassVar = {"connect_args": {"async_creator_fn": connect}}
    READING: ClassVar = {}
    SINGLE: ClassVar = {"single": True}
    # BEGIN does not go through SQLAlchemy, so it raises sqlite3's own errors.
    ERRORS = (DBAPIError, sqlite3.Error)
    SHARED = False
    NOW = _DAYS * 86_400.0
    ADVICE: ClassVar = {
        BUSY: "Another program has locked it: end that one, and start again.",
        FULL: "Make room on its disk, and start again.",
        READ_ONLY: "The file and its folder must be writable.",
        GONE: "The file and its folder must be readable and writable.",
        BROKEN: "Put a backup in its place with `cuatro restore FILE`.",
    }

    def writer(
        self, begin: Begin, require: Require, failed: Failed, connections: Connections
    ) -> WriterQueue:
        return WriterQueue(begin, require, failed, connections)

    def place(self, url: URL) -> Place:
        path = _path_of(url)
        return DatabaseFile(path) if path else Place(":memory:", "The database is not in a file.")

    def address(self, url: URL) -> URL:
        # Not a mode that creates the file: it may only have been moved away for a while.
        file = _path_of(url)
        if file is None:
            return url
        query = {**url.query, "mode": "rw", "uri": "true"}
        return url.set(database=file.absolute().as_uri(), query=query)

    def insert(self, table: Any) -> sqlite.Insert:
        return sqlite.insert(table)

    def prepare(self, engine: Engine) -> None:
        event.listen(engine, "connect", _configure)
        event.listen(engine, "begin", self.begin)

    def begin(self, connection: Connection) -> None:
        options = connection.get_execution_options()
        writes = bool(options.get("writes", False))
        _wait_at_most(connection, WRITER_WAITS if writes else READER_WAITS)
        if options.get("single", False):
            return
        if options.get("migrates", False):
            # A migration may copy a table and drop the old one while other rows refer to it. SQLite
            # accepts this pragma only outside a transaction.
            connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
        # A writer locks at once: if it read first and another one wrote in between, it would fail.
        _run(connection, "BEGIN IMMEDIATE" if writes else "BEGIN")

    async def write_back_log(self, connection: AsyncConnection) -> None:
        # The log stays behind under its old name, and would be taken for that of the file which is
        # there next. SQLite itself does this on closing only for files that have not been moved.
        raw = await connection.get_raw_connection()
        assert raw.driver_connection is not None
        cursor = await raw.driver_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        await cursor.close()

    async def lock_exclusively(self, connection: AsyncConnection) -> bool:
        # Every program that has opened the file holds a lock on it, whether or not it is doing
        # anything. The first change in this mode takes the file from all of them, and keeps it.
        for statement in ("PRAGMA locking_mode=EXCLUSIVE", "SELECT 1"):
            try:
                await connection.exec_driver_sql(statement)
            except self.ERRORS as error:
                if self.reason(error) == BUSY:
                    return False
                raise
            await connection.commit()
        return True

    def reason(self, error: BaseException) -> str | None:
        cause = error.orig if isinstance(error, DBAPIError) else error
        code = getattr(cause, "sqlite_errorcode", None)
        return None if code is None else _REASONS.get(code & 0xFF)


SQLITE: Backend = _Sqlite()


def _path_of(url: URL) -> Path | None:
    """The file of a database; None for one in memory, and for one that SQLite is to look up."""
    name = url.database
    return None if not name or name == ":memory:" or name.startswith("file:") else Path(name)


def _configure(connection: Any, _record: object) -> None:
    """Set up one connection, and close it if that fails."""
    try:
        _set_up(connection)
    except BaseException:
        connection.close()
        raise


def _set_up(connection: Any) -> None:
    # Python's driver begins transactions by itself, but not for changes to tables, so a migration
    # that is killed would be left half done. `Backend.begin` does it instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={READER_WAITS}")
    # Write-ahead log: readers never wait for the writer.
    cursor.execute("PRAGMA journal_mode=WAL")
    # A commit is on the disk itself when it returns, so not even a power cut loses it.
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _wait_at_most(connection: Connection, milliseconds: int) -> None:
    if connection.info.get("waits", READER_WAITS) != milliseconds:
        driver = connection.connection.driver_connection
        statement = f"PRAGMA busy_timeout={milliseconds}"
        if isinstance(driver, _Connection):
            driver.run_soon(statement)
        else:
            _run(connection, statement)
        connection.info["waits"] = milliseconds


def _run(connection: Connection, statement: str) -> None:
    """Run a statement without SQLAlchemy's overhead, which costs more than the statement."""
    driver: Any = connection.connection.dbapi_connection
    driver.execute(statement).close()
