"""Connections that stay open between transactions.

Taking a connection from SQLAlchemy's pool, beginning, committing and returning it cost more than
what a move stores. So some connections are kept, each inside one long transaction of SQLAlchemy's,
while the driver begins and ends the database's transactions within that.
A connection is kept only if its transaction has ended well.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, QueuePool
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.database.backends import Backend

KEPT = 4
"""The most connections of one kind that are kept; more may be open at once."""


class Connections:
    """Connections of one kind, such as those for writing."""

    def __init__(self, engine: AsyncEngine, backend: Backend, *, single: bool = False) -> None:
        """Keep connections of an engine, whose execution options determine their kind.

        Those for a `single` statement begin no transactions.
        """
        self._engine = engine
        self._backend = backend
        self._single = single
        self._idle: list[AsyncConnection] = []
        self._ended: set[AsyncConnection] = set()
        """Those in use whose transaction has ended well."""
        self.others: tuple[Connections, ...] = ()
        """Those of other kinds that share the engine's pool."""

    async def connect(self) -> AsyncConnection:
        """A connection on which nothing has begun; to be released."""
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

    async def undo(self, connection: AsyncConnection) -> None:
        """End a transaction that has changed nothing."""
        if not self._single:
            await connection.run_sync(_end, "rollback")
        self._ended.add(connection)

    async def release(
        self, connection: AsyncConnection, done: Callable[[], None] = lambda: None
    ) -> None:
        """Take a connection back, and call `done` after that.

        What was not committed is undone, even if the present task is cancelled.
        """
        is_good = connection in self._ended and not connection.invalidated
        self._ended.discard(connection)
        if is_good and len(self._idle) < KEPT and self._has_room():
            self._backend.rest(connection)
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
        # In memory all connections are one, so none is kept from the others.
        return isinstance(pool, QueuePool) and pool.checkedout() < pool.size()


def _end(connection: Connection, how: str) -> None:
    """Have the driver `commit` or `rollback`; raises what SQLAlchemy's own method would."""
    raw: Any = connection.connection.dbapi_connection
    try:
        getattr(raw, how)()
    except BaseException as error:  # noqa: BLE001  # raised by the call below
        connection._handle_dbapi_exception(error, None, None, None, None)
