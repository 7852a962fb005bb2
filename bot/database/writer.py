"""The queue of writing transactions of a process, for a database with one writer at a time.

Most of the cost of a change is waiting for the disk. So while others wait, a transaction is not
committed after each change: they continue in it, each in a savepoint of its own, and one commit
stores them all. No change is reported as stored before that commit has returned.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import Context
from dataclasses import dataclass, field
from time import perf_counter

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.backends import Begin, Connections, Failed, Require

MAX_BATCH = 32
"""The most changes that one commit stores."""


@dataclass(eq=False, slots=True)
class _Turn:
    """One caller's turn to write."""

    deadline: float
    """When it must have begun, by the performance counter."""
    granted: asyncio.Future[AsyncConnection] = field(default_factory=asyncio.Future)
    over: asyncio.Future[None] = field(default_factory=asyncio.Future)
    stored: asyncio.Future[None] = field(default_factory=asyncio.Future)
    is_good: bool = False
    """Whether its block ended without an exception."""
    error: BaseException | None = None
    """The exception, if it ended with one."""

    def end(self, error: BaseException | None = None) -> None:
        self.is_good, self.error = error is None, error
        if not self.over.done():
            self.over.set_result(None)

    def store(self) -> None:
        if not self.stored.done():
            self.stored.set_result(None)

    def fail(self, error: BaseException) -> None:
        if not self.granted.done():
            self.granted.set_exception(error)
        elif self.is_good and not self.stored.done():
            self.stored.set_exception(error)


class WriterQueue:
    """Grants turns in the order in which they are requested."""

    def __init__(
        self, begin: Begin, require: Require, failed: Failed, connections: Connections
    ) -> None:
        self._begin = begin
        self._require = require
        self._failed = failed
        self._connections = connections
        self._waiting: deque[_Turn] = deque()
        self._running: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def writing(self, patience: float) -> AsyncIterator[AsyncConnection]:
        """See `Writer`."""
        turn = _Turn(perf_counter() + patience)
        self._waiting.append(turn)
        self._wake()
        try:
            connection = await turn.granted
            yield connection
        except BaseException as error:
            turn.end(error)
            raise
        turn.end()
        await turn.stored

    def fail(self, error: BaseException) -> None:
        """Fail every caller who still waits."""
        while turn := self._next():
            turn.fail(error)

    async def idle(self) -> None:
        """Wait until no turn is under way or waiting."""
        if self._running is not None:
            await asyncio.wait({self._running})

    def _wake(self) -> None:
        if self._running is None or self._running.done():
            # It serves all callers, so it must not run in the context of the first one.
            work = self._run()
            self._running = asyncio.get_running_loop().create_task(work, context=Context())

    async def _run(self) -> None:
        while turn := self._next():
            try:
                connection = await self._begin(turn.deadline)
            except Exception as error:  # noqa: BLE001  # the caller gets it
                turn.fail(error)
                continue
            try:
                await self._write(connection, turn)
            finally:
                await self._connections.release(connection)

    async def _write(self, connection: AsyncConnection, first: _Turn) -> None:
        """Let turns write in one transaction, and commit it."""
        members: list[_Turn] = []
        errors: list[BaseException] = []
        turn: _Turn | None = first
        try:
            while turn is not None:
                members.append(turn)
                if not await self._run_turn(connection, turn, alone=len(members) == 1):
                    members.remove(turn)
                    errors += [turn.error] if turn.error else []
                turn = self._next() if 0 < len(members) < MAX_BATCH else None
            if members:
                await self._connections.commit(connection)
                # A change in a file that was taken away meanwhile is lost with it.
                self._require()
        except Exception as error:  # noqa: BLE001  # the callers get it
            reason = await self._failed(error, connection)
            for member in members:
                member.fail(reason)
        else:
            for member in members:
                member.store()
            for own in errors:
                await self._failed(own, connection)

    async def _run_turn(self, connection: AsyncConnection, turn: _Turn, *, alone: bool) -> bool:
        """Let one turn write; False if its block failed, and then its changes are undone."""
        savepoint = None if alone else await connection.begin_nested()
        if not turn.granted.done():
            turn.granted.set_result(connection)
        await turn.over
        if savepoint is not None:
            await (savepoint.commit() if turn.is_good else savepoint.rollback())
        elif not turn.is_good:
            await connection.rollback()
        return turn.is_good

    def _next(self) -> _Turn | None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.granted.done():
                return turn
        return None
