"""What SQLite's errors mean.

SQLite connections that cost the event loop one round trip to their thread for each statement.

With aiosqlite's own cursors a query takes four: one each to make the cursor, run the statement,
fetch the rows and close the cursor. Here the thread does all of that at once.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import aiosqlite
from sqlalchemy.exc import DBAPIError

from bot.database.errors import BROKEN, BUSY, FULL, GONE, READ_ONLY

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

ERRORS: tuple[type[Exception], ...] = (DBAPIError, sqlite3.Error)
"""What may be raised where the database cannot be used; the second is raised by BEGIN."""

ADVICE: Mapping[str, str] = {
    BUSY: "Another program has locked it: end that one, and start again.",
    FULL: "Make room on its disk, and start again.",
    READ_ONLY: "The file and its folder must be writable.",
    GONE: "The file and its folder must be readable and writable.",
    BROKEN: "Put a backup in its place with `cuatro restore FILE`.",
}
"""What to do about a database that is unavailable at the start."""


def reason(error: BaseException) -> str | None:
    """Why the database cannot be used, if that is what an error says."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(cause, "sqlite_errorcode", None)
    return None if code is None else _REASONS.get(code & 0xFF)


def is_collision(_error: BaseException) -> bool:
    """Never: writers take turns, so none comes in between."""
    return False


FETCHED = 1000
"""Rows that come with a statement's own round trip; of a larger result the rest comes later."""

T = TypeVar("T")

Row = tuple[Any, ...]

_Done = tuple[Any, int, int | None, list[Row], sqlite3.Cursor | None]
"""A cursor's description, row count and last id, its first rows, and the cursor if it has more."""


class Connection(aiosqlite.Connection):
    """A connection whose cursors need no round trips of their own."""

    def cursor(self) -> Cursor:  # type: ignore[override]
        """A cursor; nothing is asked of the thread before it executes something."""
        return Cursor(self)

    async def commit(self) -> None:
        """Commit the transaction, if there is one."""
        if self._conn.in_transaction:
            await super().commit()

    async def rollback(self) -> None:
        """Undo the transaction, if there is one."""
        if self._conn.in_transaction:
            await super().rollback()

    async def run(self, work: Callable[..., T], *arguments: Any) -> T:
        """Call something in the connection's thread."""
        result: T = await self._execute(work, *arguments)  # type: ignore[no-untyped-call]
        return result

    def run_soon(self, statement: str) -> None:
        """Run a statement before whatever comes next, without waiting for it."""
        self._tx.put_nowait((None, partial(self._conn.execute, statement)))

    def running(self) -> sqlite3.Connection:
        """The connection itself, for what runs in its thread."""
        return self._conn


class Cursor:
    """What SQLAlchemy needs of a cursor."""

    __slots__ = (
        "_connection",
        "_open",
        "_rows",
        "arraysize",
        "description",
        "lastrowid",
        "rowcount",
    )

    def __init__(self, connection: Connection) -> None:
        """Execute on a connection."""
        self._connection = connection
        self._open: sqlite3.Cursor | None = None
        self._rows: deque[Row] = deque()
        self.arraysize = 1
        self.description: Any = None
        self.lastrowid: int | None = None
        self.rowcount = -1

    async def __aenter__(self) -> Cursor:
        """The cursor itself."""
        return self

    async def execute(self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> None:
        """Run a statement and fetch its rows."""
        self._note(
            await self._connection.run(_execute, self._connection.running(), sql, parameters)
        )

    async def executemany(self, sql: str, parameters: Iterable[Any]) -> None:
        """Run a statement once for each set of parameters."""
        connection = self._connection.running()
        self._note(await self._connection.run(_execute_many, connection, sql, parameters))

    async def fetchone(self) -> Row | None:
        """The next row."""
        rows = await self.fetchmany(1)
        return rows[0] if rows else None

    async def fetchmany(self, size: int | None = None) -> list[Row]:
        """So many of the next rows."""
        wanted = self.arraysize if size is None else size
        while len(self._rows) < wanted and self._open is not None:
            await self._fetch(self._open.fetchmany, FETCHED)
        return [self._rows.popleft() for _ in range(min(wanted, len(self._rows)))]

    async def fetchall(self) -> Iterable[Row]:
        """All rows that are left."""
        if self._open is not None:
            await self._fetch(self._open.fetchall)
            await self.close()
        rows, self._rows = self._rows, deque()
        return rows

    async def close(self) -> None:
        """Forget what has not been fetched."""
        if self._open is not None:
            cursor, self._open = self._open, None
            await self._connection.run(cursor.close)

    async def _fetch(self, fetch: Callable[..., list[Row]], *size: int) -> None:
        found = await self._connection.run(fetch, *size)
        self._rows += found
        if len(found) < FETCHED:
            await self.close()

    def _note(self, done: _Done) -> None:
        self.description, self.rowcount, self.lastrowid, rows, self._open = done
        self._rows = deque(rows)


def _execute(connection: sqlite3.Connection, sql: str, parameters: Any) -> _Done:
    return _done(connection.execute(sql, parameters))


def _execute_many(connection: sqlite3.Connection, sql: str, parameters: Iterable[Any]) -> _Done:
    return _done(connection.executemany(sql, parameters))


def _done(cursor: sqlite3.Cursor) -> _Done:
    """What a statement has done, with its first rows; the cursor stays open if there are more."""
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


def connect(*arguments: Any, **options: Any) -> Connection:
    """Connect as SQLite's own `connect` does; to be awaited."""
    connection = Connection(partial(sqlite3.connect, *arguments, **options), FETCHED)
    # As SQLAlchemy does with aiosqlite's own: a connection that hangs keeps no process from ending.
    connection._thread.daemon = True
    return connection
