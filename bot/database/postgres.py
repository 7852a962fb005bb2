"""PostgreSQL as a `Backend`; imported only if the database is one.

A server that is frozen, or that has failed over without closing its connections, keeps the TCP
connection open and sends nothing. Waiting for it is useless, and so is cancelling the query: that
takes another connection to the same server, and the first one stays blocked until it answers. So a
timer aborts the connection (`ServerConnection`), which makes every waiting call fail at once as if
the network had closed it, and the pool opens another one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Mapping, MutableSet
from contextlib import asynccontextmanager, suppress
from functools import partial
from time import perf_counter
from typing import Any, ClassVar
from weakref import WeakSet

import asyncpg
from sqlalchemy import (
    URL,
    ColumnElement,
    Connection,
    Double,
    Engine,
    String,
    cast,
    event,
    extract,
    func,
    inspect,
    select,
    text,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.backends import Backend, Begin, Connections, Failed, Place, Require
from bot.database.errors import BROKEN, BUSY, FULL, GONE, READ_ONLY, Unavailable, Unconfirmed
from bot.database.time_limits import (
    UNHURRIED,
    TimeLimits,
    limits_for_connecting,
    seconds_for_connecting,
)

logger = logging.getLogger(__name__)

APPLICATION = "cuatro"
"""The name of our connections on the server."""

NO_COPIES = (
    "The database is on a PostgreSQL server. Copy it with pg_dump, and put a copy back with "
    "pg_restore while the bot is stopped."
)

OTHERS = "datname = current_database() AND pid <> pg_backend_pid() AND application_name = :name"

HOLD_TRIES, HOLD_PAUSE = 10, 0.2
"""How often to look whether others are connected, and the seconds in between."""

MIGRATION_LOCK = 7_120_651
"""The key of the lock that a migration holds; any number that other programs do not use."""

CONNECTING = 10.0
"""The most seconds that connecting may take, even in the background."""

FREE_CONNECTION = 1.5
"""Seconds to wait for a connection that others return, less than a person waits for an answer.
Changes in the background try again."""

LOCK_WAITS = 30_000
"""Milliseconds that a statement waits for locked rows where no other limit applies."""

CONFLICTS = frozenset({"40001", "40P01"})
"""A concurrent transaction conflicted: serialization_failure, deadlock_detected."""

_STATES = {
    "25006": READ_ONLY,  # read_only_sql_transaction: a standby
    "28000": GONE,  # invalid_authorization_specification
    "28P01": GONE,  # invalid_password
    "3D000": GONE,  # invalid_catalog_name: there is no such database
    "40001": BUSY,
    "40P01": BUSY,
    "42501": READ_ONLY,  # insufficient_privilege
    "53100": FULL,  # disk_full
    "53200": FULL,  # out_of_memory
    "53300": BUSY,  # too_many_connections
    "53400": FULL,  # configuration_limit_exceeded
    "55P03": BUSY,  # lock_not_available: lock_timeout
    "57014": BUSY,  # query_canceled: statement_timeout
    "57P01": GONE,  # admin_shutdown
    "57P02": GONE,  # crash_shutdown
    "57P03": GONE,  # cannot_connect_now: it starts or stops
    "58030": FULL,  # io_error
    "XX001": BROKEN,  # data_corrupted
    "XX002": BROKEN,  # index_corrupted
}


async def connect(*args: Any, **options: Any) -> Any:
    """Connect; raises Unavailable, because no caller translates errors of connecting."""
    seconds = min(CONNECTING, seconds_for_connecting())
    if seconds <= 0.0:
        # All of the time went into waiting for another caller to return a connection.
        raise Unavailable(BUSY, "all connections are in use")
    try:
        return await asyncpg.connect(
            *args, **options, timeout=seconds, connection_class=ServerConnection
        )
    except POSTGRES.ERRORS as error:
        detail = " ".join(str(error).split()) or type(error).__name__
        raise Unavailable(POSTGRES.reason(error) or GONE, detail) from error


class _Postgres(Backend):
    """PostgreSQL: a server that many processes use."""

    ENGINE_OPTIONS: ClassVar = {
        # Writers lock the rows that they change; each of their statements sees what is committed.
        "isolation_level": "READ COMMITTED",
        "pool_size": 16,
        "max_overflow": 0,
        "pool_timeout": FREE_CONNECTION,
        "connect_args": {
            "async_creator_fn": connect,
            "server_settings": {"application_name": APPLICATION, "lock_timeout": str(LOCK_WAITS)},
        },
    }
    # A reader never fails because of writers.
    READING: ClassVar = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    # One round trip, instead of three with a transaction around it.
    SINGLE: ClassVar = {"isolation_level": "AUTOCOMMIT"}
    # A lost connection is an OSError.
    ERRORS = (DBAPIError, PoolTimeout, OSError, asyncpg.PostgresError, asyncpg.InterfaceError)
    SHARED = True
    NOW = cast(extract("epoch", func.clock_timestamp()), Double())
    ADVICE: ClassVar = {
        BUSY: "Another program keeps its tables locked, or it has no free connection.",
        FULL: "Make room on the server's disk, and start again.",
        READ_ONLY: "Its user must own the database, on a server that is no standby.",
        GONE: "The server must be running, and have this database and this user.",
        BROKEN: "Put a dump in its place (docs/database.md).",
    }

    def writer(
        self, begin: Begin, _require: Require, failed: Failed, connections: Connections
    ) -> ConcurrentWriters:
        return ConcurrentWriters(begin, failed, connections)

    def place(self, url: URL) -> Place:
        hosts = url.query.get("host", url.host)
        host = hosts if isinstance(hosts, str) else ",".join(hosts or ())
        name = f"{host}:{url.port}/{url.database}" if url.port else f"{host}/{url.database}"
        return Place(name, NO_COPIES, url.render_as_string(hide_password=True))

    def insert(self, table: Any) -> postgresql.Insert:
        return postgresql.insert(table)

    def prepare(self, engine: Engine) -> None:
        event.listen(engine, "begin", _begin)
        event.listen(engine, "connect", partial(_enter, WeakSet()))
        event.listen(engine, "checkout", _require_open)
        event.listen(engine, "checkin", _end_use)

    def resume(self, connection: AsyncConnection) -> bool:
        driver = _driver(connection)
        if driver is None or driver.is_closed():
            return False
        driver.begin_use(limits_for_connecting())
        return True

    def end_use(self, connection: AsyncConnection) -> None:
        driver = _driver(connection)
        if driver is not None:
            driver.end_use()

    async def lock(self, connection: AsyncConnection, key: Any, ids: Collection[Any]) -> None:
        rows = select(key).where(key.in_(sorted(ids))).order_by(key)
        await connection.execute(rows.with_for_update())

    async def lock_exclusively(self, connection: AsyncConnection) -> bool:
        others = select(func.count()).select_from(text("pg_stat_activity"))
        others = others.where(text(OTHERS).bindparams(name=APPLICATION))
        for _ in range(HOLD_TRIES):
            found = await connection.scalar(others)
            await connection.commit()
            if not found:
                return True
            # The connection of a program that was killed ends a moment after it.
            await asyncio.sleep(HOLD_PAUSE)
        return False

    async def settle(self, connection: AsyncConnection, ids: Mapping[str, str | None]) -> None:
        for name, numbered in ids.items():
            if numbered is not None:
                highest = f"SELECT max({numbered}) AS id FROM {name}"  # noqa: S608  # names of ours
                sequence = f"pg_get_serial_sequence('{name}', '{numbered}')"
                await connection.execute(
                    text(f"SELECT setval({sequence}, id) FROM ({highest}) AS found WHERE id > 0")  # noqa: S608
                )
            # Updates the statistics that the query planner uses.
            await connection.execute(text(f"ANALYZE {name}"))

    def in_byte_order(self, column: ColumnElement[Any]) -> ColumnElement[Any]:
        # By default a server sorts by the rules of its locale.
        return column.collate("C") if isinstance(column.type, String) else column

    def prepare_migrations(self) -> None:
        # Imported here because most starts need no migration.
        from alembic.ddl.postgresql import PostgresqlImpl

        class Impl(PostgresqlImpl):
            """Replaces Alembic's implementation; defining it registers it."""

            __dialect__ = "postgresql"

            def rename_table(self, old: str, new: Any, schema: Any = None) -> None:
                """Rename a table and its primary key, whose name no two tables may share here."""
                super().rename_table(old, new, schema)
                assert self.connection is not None
                key = inspect(self.connection).get_pk_constraint(str(new))["name"]
                renamed = f"ALTER TABLE {new} RENAME CONSTRAINT {key} TO pk_{new}"
                self.connection.execute(text(renamed))

    def reason(self, error: BaseException) -> str | None:
        if isinstance(error, PoolTimeout):
            return BUSY
        state = _state(error)
        if state is not None:
            return _STATES.get(state, GONE if state.startswith("08") else None)
        is_lost = isinstance(error, DBAPIError) and error.connection_invalidated
        cause = error.orig if isinstance(error, DBAPIError) else error
        interface = isinstance(cause, asyncpg.InterfaceError) and "closed" in str(cause)
        return GONE if is_lost or interface or isinstance(cause, OSError) else None

    def is_conflict(self, error: BaseException) -> bool:
        return _state(error) in CONFLICTS


POSTGRES: Backend = _Postgres()


def _driver(connection: AsyncConnection) -> ServerConnection | None:
    sync = connection.sync_connection
    if sync is None or sync.invalidated:
        return None
    driver: ServerConnection | None = sync.connection.driver_connection
    return driver


def _begin(connection: Connection) -> None:
    if connection.get_execution_options().get("migrates", False):
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")


def _require_open(connection: Any, _record: object, _proxy: object) -> None:
    """Have the pool replace a connection that the server has closed.

    So the first request after the server's restart does not fail; this costs no round trip.
    """
    driver = connection.driver_connection
    if driver.is_closed():
        raise DisconnectionError
    driver.begin_use(limits_for_connecting())


def _enter(connections: WeakSet[ServerConnection], connection: Any, _record: object) -> None:
    """Add a connection to those of its pool."""
    driver = connection.driver_connection
    driver.siblings = connections
    connections.add(driver)


def _end_use(connection: Any, _record: object) -> None:
    if connection is not None:
        connection.driver_connection.end_use()


def _state(error: BaseException) -> str | None:
    cause = error.orig if isinstance(error, DBAPIError) else error
    state = getattr(cause, "sqlstate", None)
    return state if isinstance(state, str) else None


class ConcurrentWriters:
    """Gives each writer a connection of its own; the server locks the rows that each changes."""

    def __init__(self, begin: Begin, failed: Failed, connections: Connections) -> None:
        self._begin = begin
        self._failed = failed
        self._connections = connections
        self._under_way: set[asyncio.Future[None]] = set()

    @asynccontextmanager
    async def writing(self, patience: float) -> AsyncIterator[AsyncConnection]:
        """See `Writer`; raises Unconfirmed if the connection is lost during the commit."""
        connection = await self._begin(perf_counter() + patience)
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._under_way.add(over)
        is_committing = False
        try:
            yield connection
            is_committing = True
            await self._connections.commit(connection)
        except Exception as error:
            translated = await self._failed(error, connection)
            # A server reports that it has undone a transaction. One that reports nothing may have
            # stored it before its answer was lost.
            if is_committing and isinstance(translated, Unavailable) and translated.reason == GONE:
                raise Unconfirmed(str(translated)) from error
            raise
        finally:
            # Undoes uncommitted changes, also if this task is cancelled.
            await self._connections.release(connection, lambda: self._end(over))

    def fail(self, error: BaseException) -> None:
        """Do nothing, because no caller waits for another."""

    async def idle(self) -> None:
        """Wait until no transaction is under way."""
        while self._under_way:
            await asyncio.wait(self._under_way)

    def _end(self, over: asyncio.Future[None]) -> None:
        self._under_way.discard(over)
        over.set_result(None)


CLOSING = 0.5
"""Seconds that a server may take to close a connection."""

IDLE = 10_000
"""Milliseconds without a statement after which the server undoes a transaction."""


class ServerConnection(asyncpg.Connection):  # type: ignore[misc]  # the driver has no types
    """A connection with time limits."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.limits: TimeLimits = UNHURRIED
        self.siblings: MutableSet[ServerConnection] = set()
        """All connections of the same pool."""
        self._used_since: float | None = None
        self._timer: asyncio.TimerHandle | None = None

    def begin_use(self, limits: TimeLimits) -> None:
        """Apply limits from now on; called when the connection is taken from the pool."""
        self.limits = limits
        self._used_since = self._loop.time()
        if limits.transaction is not None:
            silent = limits.transaction <= limits.contact
            give_up = self._server_is_silent if silent else self._takes_too_long
            self._timer = self._loop.call_later(limits.transaction, give_up)

    def end_use(self) -> None:
        """Stop the clock; called when the connection is returned."""
        self.limits, self._used_since = UNHURRIED, None
        self._stop_timer()

    async def execute(self, query: str, *args: Any, timeout: float | None = None) -> str:  # noqa: ASYNC109  # the driver's name
        """Run a command without results; the driver begins and ends transactions with this."""
        if query.startswith("BEGIN") and self.limits.transaction is not None:
            # In the same message, which saves a round trip. If the network is lost the server does
            # not notice that this side has given up, and would keep its rows locked.
            query += f" SET LOCAL idle_in_transaction_session_timeout = {IDLE};"
            if self.limits.lock * 1000 < LOCK_WAITS:
                query += f" SET LOCAL lock_timeout = {max(1, round(self.limits.lock * 1000))};"
        timer = self._loop.call_later(self.limits.contact, self._server_is_silent)
        try:
            return str(await super().execute(query, *args, timeout=timeout))
        finally:
            timer.cancel()

    async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109  # the driver's name
        """Disconnect; a server that does not answer is not waited for."""
        self._stop_timer()
        with suppress(TimeoutError):
            await super().close(timeout=min(CLOSING, timeout or CLOSING))

    def terminate(self) -> None:
        """Disconnect at once; all calls that wait for an answer fail."""
        self._stop_timer()
        super().terminate()

    def _takes_too_long(self) -> None:
        """Abort one transaction; the server may be busy with it."""
        if not self.is_closed():
            logger.warning("the database has not done with a transaction in time: it is undone")
            self.terminate()

    def _server_is_silent(self) -> None:
        """Abort this connection, and all others that have been silent as long.

        After a failover none of them works, and requests would find that out one by one.
        """
        if self.is_closed():
            return
        logger.warning("the database server does not answer: its connections are made anew")
        before = self._loop.time() - self.limits.contact
        for one in (self, *self.siblings):
            if not one.is_closed() and (one._used_since or 0.0) <= before:
                one.terminate()
        if not self.is_closed():
            self.terminate()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
