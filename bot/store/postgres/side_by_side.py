"""Writers that do not wait for each other: the database locks what each of them changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import perf_counter

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.postgres.connections import LOCK_WAITS


class SideBySide:
    """Gives everybody who wants to write a connection of their own."""

    def __init__(
        self,
        begin: Callable[[float], Awaitable[AsyncConnection]],
        _require: Callable[[], None],
        failed: Callable[[BaseException, AsyncConnection], Awaitable[BaseException]],
    ) -> None:
        """Prepare; the arguments are those of `bot.store.writer.Writer`."""
        self._begin = begin
        self._failed = failed
        self._under_way: set[asyncio.Future[None]] = set()

    @asynccontextmanager
    async def writing(self, patience: float) -> AsyncIterator[AsyncConnection]:
        """A transaction that waits for others' locks for at most `patience` seconds at a time."""
        connection = await self._begin(perf_counter() + patience)
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._under_way.add(over)
        try:
            await _wait_at_most(connection, patience)
            yield connection
            await connection.commit()
        except Exception as error:
            await self._failed(error, connection)
            raise
        finally:
            # Undoes what was not stored, and goes on for somebody who is cancelled.
            closing = asyncio.ensure_future(connection.close())
            closing.add_done_callback(lambda _: self._end(over))
            await asyncio.shield(closing)

    def fail(self, error: BaseException) -> None:
        """Nobody waits here."""

    async def idle(self) -> None:
        """Wait until nobody writes."""
        while self._under_way:
            await asyncio.wait(self._under_way)

    def _end(self, over: asyncio.Future[None]) -> None:
        self._under_way.discard(over)
        over.set_result(None)


async def _wait_at_most(connection: AsyncConnection, patience: float) -> None:
    milliseconds = max(1, round(patience * 1000))
    if milliseconds < LOCK_WAITS:
        await connection.execute(text(f"SET LOCAL lock_timeout = {milliseconds}"))
