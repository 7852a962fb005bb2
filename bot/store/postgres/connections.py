"""How PostgreSQL connects and begins transactions."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from functools import partial
from typing import Any
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
    select,
    text,
)
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.postgres.faults import ERRORS, detail, reason
from bot.store.postgres.server_connection import LOCK_WAITS, ServerConnection
from bot.store.time_limits import limits_for_connecting, seconds_for_connecting
from bot.store.troubles import BUSY, GONE, Unavailable

APPLICATION = "cuatro"
"""What the server calls our connections."""
OTHERS = "datname = current_database() AND pid <> pg_backend_pid() AND application_name = :name"
HOLD_TRIES, HOLD_PAUSE = 10, 0.2
"""How often to look whether others are connected, and the seconds in between."""
MIGRATION_LOCK = 7_120_651
"""The key of the lock that a migration holds; any number that other programs do not use."""
CONNECTING = 10.0
"""Seconds in which a connection must have been made, even where nobody waits for it."""
FREE_CONNECTION = 1.5
"""Seconds to wait for a connection that others return, less than a person waits for an answer.
Changes that nobody waits for try again."""
READING: Mapping[str, Any] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
"""A reader sees one state throughout, and such transactions never fail because of writers."""
PEEKING: Mapping[str, Any] = {"isolation_level": "AUTOCOMMIT"}
"""A single statement is one round trip without a transaction around it, instead of three."""
SHARED = True
"""Many processes may use one server."""
NOW: ColumnElement[float] = cast(extract("epoch", func.clock_timestamp()), Double())


async def connect(*args: Any, **options: Any) -> Any:
    """Connect; raises Unavailable, because what the driver raises here nobody translates."""
    seconds = min(CONNECTING, seconds_for_connecting())
    if seconds <= 0.0:
        # All of it was spent on waiting for a connection that others would return.
        raise Unavailable(BUSY, "all connections are in use")
    try:
        return await asyncpg.connect(
            *args, **options, timeout=seconds, connection_class=ServerConnection
        )
    except ERRORS as error:
        raise Unavailable(reason(error) or GONE, detail(error)) from error


ENGINE_OPTIONS: Mapping[str, Any] = {
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


def address(url: URL) -> URL:
    """The address to connect to."""
    return url


def prepare(engine: Engine) -> None:
    """Set an engine up before its first connection.

    Its transactions then heed the execution option `migrates`: those that change tables wait for
    each other, so that of two processes that start at once one migrates.
    """
    connections: WeakSet[ServerConnection] = WeakSet()
    event.listen(engine, "begin", _begin)
    event.listen(engine, "connect", partial(_enter, connections))
    event.listen(engine, "checkout", _require_open)
    event.listen(engine, "checkin", _end_use)


def begin(_connection: Connection) -> None:
    """The driver begins a transaction with its first statement."""


def resume(connection: AsyncConnection) -> bool:
    """Apply the present time limits; False if the server has closed the connection."""
    driver = _driver(connection)
    if driver is None or driver.is_closed():
        return False
    driver.begin_use(limits_for_connecting())
    return True


def rest(connection: AsyncConnection) -> None:
    """Stop the clock of the time limits."""
    driver = _driver(connection)
    if driver is not None:
        driver.end_use()


def _driver(connection: AsyncConnection) -> ServerConnection | None:
    sync = connection.sync_connection
    if sync is None or sync.invalidated:
        return None
    driver: ServerConnection | None = sync.connection.driver_connection
    return driver


async def leave(_connection: AsyncConnection) -> None:
    """A server's database never moves away."""


def prepare_migrations() -> None:
    """Teach Alembic what the migrations need here."""
    from bot.store.postgres import migrating  # noqa: F401  # most starts need no migration


async def lock(connection: AsyncConnection, key: Any, ids: Collection[Any]) -> None:
    """Lock the rows with these ids until the transaction ends, in their order.

    The statements that follow see what whoever held the locks has committed.
    """
    rows = select(key).where(key.in_(sorted(ids))).order_by(key)
    await connection.execute(rows.with_for_update())


async def hold(connection: AsyncConnection) -> bool:
    """Whether no other program of Cuatro's has the database open, soon if not at once."""
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


async def settle(connection: AsyncConnection, ids: Mapping[str, str | None]) -> None:
    """Go on after the highest ids, and count the rows, so that queries are planned for them."""
    for name, numbered in ids.items():
        if numbered is not None:
            highest = f"SELECT max({numbered}) AS id FROM {name}"  # noqa: S608  # names of ours
            sequence = f"pg_get_serial_sequence('{name}', '{numbered}')"
            await connection.execute(
                text(f"SELECT setval({sequence}, id) FROM ({highest}) AS found WHERE id > 0")  # noqa: S608
            )
        await connection.execute(text(f"ANALYZE {name}"))


def in_byte_order(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Compare texts by their bytes; a server would follow the rules of its language."""
    return column.collate("C") if isinstance(column.type, String) else column


def _begin(connection: Connection) -> None:
    if connection.get_execution_options().get("migrates", False):
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")


def _require_open(connection: Any, _record: object, _proxy: object) -> None:
    """Have another connection made in the place of one that the server has closed.

    Whoever is the first to ask after its restart does not notice; this costs no round trip.
    """
    driver = connection.driver_connection
    if driver.is_closed():
        raise DisconnectionError
    driver.begin_use(limits_for_connecting())


def _enter(connections: WeakSet[ServerConnection], connection: Any, _record: object) -> None:
    """Let the connections of a pool know each other."""
    driver = connection.driver_connection
    driver.siblings = connections
    connections.add(driver)


def _end_use(connection: Any, _record: object) -> None:
    if connection is not None:
        connection.driver_connection.end_use()
