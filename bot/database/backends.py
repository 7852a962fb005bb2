"""The differences between database engines, and the connections that are kept open for each.

`sqlite.py` and `postgres.py` each define a `Backend`. A backend says where its database is kept
(`Place`) and how transactions for writing are given out (`Writer`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, ClassVar, Protocol

from sqlalchemy import URL, ColumnElement, Connection, Engine, QueuePool
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.database.errors import CopyFailed

MAX_IDLE = 4
"""The most idle connections of one kind that are kept; more may be in use at once."""

Begin = Callable[[float], Awaitable[AsyncConnection]]
"""Opens a connection and begins a transaction by a deadline."""

Require = Callable[[], None]
"""Raises Unavailable if the database that was opened is no longer in its place."""

Failed = Callable[[BaseException, AsyncConnection], Awaitable[BaseException]]
"""Returns the exception to raise for an error, and discards a connection that it broke."""

Check = Callable[[Connection], str | None]
"""Returns the revision of a database, None if it is empty; raises Unfit if it is not Cuatro's."""


class Place:
    """The place of a database that is not in a file; see `DatabaseFile` for one that is.

    `no_copies` is the error text for attempts to copy it.
    """

    def __init__(self, name: str, no_copies: str, identity: object | None = None) -> None:
        self._name = name
        self._no_copies = no_copies
        self._identity = identity

    def name(self) -> str:
        """The name for operators: the full path, or the server and database without the user."""
        return self._name

    def make(self) -> None:
        """Create it, still empty, unless it exists; raises Unfit."""

    def require_openable(self) -> None:
        """Raise Unfit if it cannot be a database."""

    def remember(self) -> None:
        """Remember which database is being opened."""

    def remember_log(self) -> None:
        """Remember the log of the database that is open."""

    def rename_stale_log(self) -> None:
        """Rename the log of a database that is no longer here, which no program may be using."""

    def is_same(self) -> bool:
        """Whether the database that was opened is still where it was; quick."""
        return True

    def identity(self) -> object | None:
        """A value that identifies the database in this place now; None if there is none."""
        return self._identity

    def keep_before_migrating(self, revision: str) -> Path | None:
        """Keep a copy of a database of an earlier revision; returns where. Raises Unfit."""
        return None

    def back_up(self, target: Path) -> None:
        """Copy the database, which may be in use, into a file; raises CopyFailed."""
        raise CopyFailed(self._no_copies)

    def restore(self, source: Path, check: Check) -> Path | None:
        """Replace the database with a copy; returns where the old one is kept, if there was one.

        Raises CopyFailed.
        """
        raise CopyFailed(self._no_copies)


class Writer(Protocol):
    """Hands out transactions for writing."""

    def writing(self, patience: float) -> AbstractAsyncContextManager[AsyncConnection]:
        """A transaction that begins within `patience` seconds.

        It is committed when the block has ended, and undone if the block raises.
        """

    def fail(self, error: BaseException) -> None:
        """Fail every caller who still waits for a transaction."""

    async def idle(self) -> None:
        """Wait until no transaction is under way or waited for."""


class Backend:
    """One database engine. Methods with a body are for engines that need nothing special."""

    ENGINE_OPTIONS: ClassVar[Mapping[str, Any]]
    """The arguments of SQLAlchemy's engine."""
    READING: ClassVar[Mapping[str, Any]]
    """Execution options of transactions for reading, which see one state throughout."""
    SINGLE: ClassVar[Mapping[str, Any]]
    """Execution options of single queries, which need no transaction."""
    ERRORS: ClassVar[tuple[type[Exception], ...]]
    """The exceptions that may be raised where the database is unavailable."""
    SHARED: ClassVar[bool]
    """Whether several processes may work on one database."""
    NOW: ClassVar[ColumnElement[float]]
    """The database's own time: seconds since 1970 in UTC."""
    ADVICE: ClassVar[Mapping[str, str]]
    """Advice at the start about a database that is unavailable, by the reason."""

    def writer(
        self, begin: Begin, require: Require, failed: Failed, connections: Connections
    ) -> Writer:
        """A writer that uses these connections."""
        raise NotImplementedError

    def place(self, url: URL) -> Place:
        """Where the database at an address is kept."""
        raise NotImplementedError

    def address(self, url: URL) -> URL:
        """The address with which to connect."""
        return url

    def insert(self, table: Any) -> Any:
        """An INSERT with the engine's own `on_conflict_do_nothing` and `on_conflict_do_update`."""
        raise NotImplementedError

    def prepare(self, engine: Engine) -> None:
        """Set an engine up before its first connection.

        Its transactions then heed the execution options `writes`, if they will write, and
        `migrates`, if they will change tables.
        """

    def begin(self, connection: Connection) -> None:
        """Begin a transaction on a connection that has been used before.

        Nothing to do where the driver begins it with the first statement.
        """

    def resume(self, connection: AsyncConnection) -> bool:
        """Make a connection that was kept ready for use; False if it can no longer be used."""
        return True

    def end_use(self, connection: AsyncConnection) -> None:
        """End the use of a connection before it is kept idle."""

    async def write_back_log(self, connection: AsyncConnection) -> None:
        """Write a moved database's log into its file, before the connections close."""

    async def lock(self, connection: AsyncConnection, key: Any, ids: Collection[Any]) -> None:
        """Lock the rows of which a key has these values, in the order of their keys.

        From then on the transaction reads the changes of earlier holders of the locks.
        Nothing to do where a transaction that writes has locked the whole database.
        """

    async def lock_exclusively(self, connection: AsyncConnection) -> bool:
        """Lock other programs out until this connection closes; False if one has the database open.

        The connection has the execution option `writes`, and no open transaction before and after.
        """
        raise NotImplementedError

    async def settle(self, connection: AsyncConnection, ids: Mapping[str, str | None]) -> None:
        """Complete tables into which rows were copied with their ids.

        `ids` has the names of all tables, each with the column that the database itself numbers, if
        any: new numbers come after the highest one.
        """

    def in_byte_order(self, column: ColumnElement[Any]) -> ColumnElement[Any]:
        """The expression by which to order rows, so that the order is the same on every engine."""
        return column

    def prepare_migrations(self) -> None:
        """Adapt Alembic to this engine; the migrations are written for SQLite first."""

    def reason(self, error: BaseException) -> str | None:
        """The reason of the `Unavailable` that an error means; None for any other error."""
        raise NotImplementedError

    def is_conflict(self, error: BaseException) -> bool:
        """Whether a transaction was undone only because of a concurrent one."""
        return False


class Connections:
    """Connections of one kind, such as those for writing, kept open between transactions.

    Taking a connection from SQLAlchemy's pool, beginning, committing and returning it cost more
    than storing a move. So some connections are kept, each inside one long transaction of
    SQLAlchemy's, while the driver begins and ends the database's transactions within that. A
    connection is kept only if its transaction has ended well.

    The execution options of the engine determine the kind. Connections for a `single` statement
    begin no transactions.
    """

    def __init__(self, engine: AsyncEngine, backend: Backend, *, single: bool = False) -> None:
        self._engine = engine
        self._backend = backend
        self._single = single
        self._idle: list[AsyncConnection] = []
        self._ended: set[AsyncConnection] = set()
        """Connections in use whose transaction has ended without an error."""
        self.others: tuple[Connections, ...] = ()
        """The connections of other kinds that share the engine's pool."""

    async def connect(self) -> AsyncConnection:
        """A connection without an open transaction; the caller has to release it."""
        while self._idle:
            connection = self._idle.pop()
            if self._backend.resume(connection):
                return connection
            await connection.close()
        if not self._has_room():
            for other in self.others:
                await other.close()
        return await self._engine.connect()

    async def begin(self, connection: AsyncConnection) -> None:
        """Begin a transaction, as a connection of this kind does."""
        self._ended.discard(connection)
        if connection.in_transaction():
            await connection.run_sync(self._backend.begin)
        else:
            await connection.begin()

    async def commit(self, connection: AsyncConnection) -> None:
        """Commit the driver's transaction."""
        await connection.run_sync(_end, "commit")
        self._ended.add(connection)

    async def rollback(self, connection: AsyncConnection) -> None:
        """End a transaction that has changed nothing."""
        if not self._single:
            await connection.run_sync(_end, "rollback")
        self._ended.add(connection)

    async def release(
        self, connection: AsyncConnection, done: Callable[[], None] = lambda: None
    ) -> None:
        """Keep or close a connection that is no longer used, and call `done` after that.

        Uncommitted changes are undone, even if the present task is cancelled.
        """
        is_good = connection in self._ended and not connection.invalidated
        self._ended.discard(connection)
        if is_good and len(self._idle) < MAX_IDLE and self._has_room():
            self._backend.end_use(connection)
            self._idle.append(connection)
            done()
            return
        closing = asyncio.ensure_future(connection.close())
        closing.add_done_callback(lambda _: done())
        await asyncio.shield(closing)

    async def close(self) -> None:
        """Return the idle connections to the pool."""
        while self._idle:
            await self._idle.pop().close()

    def _has_room(self) -> bool:
        """Whether a caller would get a connection from the pool without waiting."""
        pool = self._engine.pool
        # In memory all connections are one and the pool is no queue, so none is kept.
        return isinstance(pool, QueuePool) and pool.checkedout() < pool.size()


def _end(connection: Connection, how: str) -> None:
    """Have the driver `commit` or `rollback`; raises what SQLAlchemy's own method would."""
    raw: Any = connection.connection.dbapi_connection
    try:
        getattr(raw, how)()
    except BaseException as error:  # noqa: BLE001  # raised by the call below
        connection._handle_dbapi_exception(error, None, None, None, None)
