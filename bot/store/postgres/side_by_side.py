"""Writers that do not wait for each other: the database locks what each of them changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import perf_counter

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.troubles import GONE, Unavailable, Unconfirmed
from bot.store.writer import Commits


class SideBySide:
    """Gives everybody who wants to write a connection of their own."""

    def __init__(
        self,
        begin: Callable[[float], Awaitable[AsyncConnection]],
        _require: Callable[[], None],
        failed: Callable[[BaseException, AsyncConnection], Awaitable[BaseException]],
        commits: Commits,
    ) -> None:
        """Prepare; the arguments are those of `bot.store.writer.Writer`."""
        self._begin = begin
        self._failed = failed
        self._commits = commits
        self._under_way: set[asyncio.Future[None]] = set()

    @asynccontextmanager
    async def writing(self, patience: float) -> AsyncIterator[AsyncConnection]:
        """A transaction that begins within `patience` seconds: stored when the block has ended.

        Raises Unconfirmed if the connection is lost while it is being committed.
        """
        connection = await self._begin(perf_counter() + patience)
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._under_way.add(over)
        is_committing = False
        try:
            yield connection
            is_committing = True
            await self._commits.commit(connection)
        except Exception as error:
            meant = await self._failed(error, connection)
            # The server says so if it has undone a transaction. One that says nothing may have
            # stored it before its answer was lost.
            if is_committing and isinstance(meant, Unavailable) and meant.reason == GONE:
                raise Unconfirmed(str(meant)) from error
            raise
        finally:
            # Undoes what was not stored, and goes on for a task that is cancelled.
            await self._commits.release(connection, lambda: self._end(over))

    def fail(self, error: BaseException) -> None:
        """Nobody waits here."""

    async def idle(self) -> None:
        """Wait until nobody writes."""
        while self._under_way:
            await asyncio.wait(self._under_way)

    def _end(self, over: asyncio.Future[None]) -> None:
        self._under_way.discard(over)
        over.set_result(None)
