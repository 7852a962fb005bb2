"""A database: its transactions, its failures, and reopening it after a failure."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from contextlib import asynccontextmanager, contextmanager
from time import perf_counter
from typing import Any

from sqlalchemy import ColumnElement, Executable, QueuePool, Select, String, make_url, select
from sqlalchemy.exc import PendingRollbackError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.backends import Connections
from bot.database.errors import (
    BROKEN,
    BUSY,
    GONE,
    READ_ONLY,
    UNCONFIRMED,
    TransactionConflict,
    Unavailable,
    Unfit,
    retry_on_conflict,
)
from bot.database.schema import is_current, require_ours, upgrade
from bot.database.statements import (
    COMPILED,
    Base,
    Prepared,
    PreparedSet,
    Values,
    backend_of,
    change,
    insert_missing,
    prepared_set,
    put,
)
from bot.database.time_limits import (
    TimeLimits,
    connecting_within,
    limits_for_connecting,
    note_stored,
    present_limits,
    require_allowed,
)
from bot.telemetry import SILENT, Meter

logger = logging.getLogger(__name__)

PATIENCE = 30.0
"""Seconds that a change waits for its turn, and for programs that have locked the database."""

PAUSE = 0.05
"""Seconds between two attempts to begin a change on a server without a free connection."""

FILE_GONE = "the file that was opened is no longer there"


class Database:
    """One database: transactions and single statements, and the detection of outages."""

    def __init__(self, url: str, meter: Meter = SILENT) -> None:
        """Prepare for the database at an SQLAlchemy address; `open` connects."""
        self._meter = meter
        given = make_url(url)
        self._backend = backend_of(given.get_backend_name())
        self._failures: tuple[type[Exception], ...] = (
            *self._backend.ERRORS,
            PendingRollbackError,
            Unavailable,
        )
        self.place = self._backend.place(given)
        self._engine: AsyncEngine = create_async_engine(
            self._backend.address(given),
            **self._backend.ENGINE_OPTIONS,
            execution_options={"compiled_cache": COMPILED},
        )
        self._backend.prepare(self._engine.sync_engine)
        # The same engine; its transactions begin as readers or writers.
        self._writing = self._engine.execution_options(writes=True)
        reading = self._engine.execution_options(**self._backend.READING)
        queries = self._engine.execution_options(**self._backend.SINGLE)
        self._for_reading = Connections(reading, self._backend)
        self._for_queries = Connections(queries, self._backend, single=True)
        self._for_writing = Connections(self._writing, self._backend)
        self._kinds = (self._for_reading, self._for_queries, self._for_writing)
        for kind in self._kinds:
            kind.others = tuple(other for other in self._kinds if other is not kind)
        self._writer = self._backend.writer(
            self._begin, self._require_here, self._failed, self._for_writing
        )
        self._readers = 0
        self._checking = asyncio.Lock()
        self._is_away = self._was_gone = False
        self.trouble: Unavailable | None = None
        """Why the latest change could not be stored; None if it could."""
        self.patience = PATIENCE
        self._on_reopened: Callable[[], None] = lambda: None
        self.faults = 0
        """How often the database has become unavailable since it was opened."""

    @property
    def is_shared(self) -> bool:
        """Whether other processes may be changing the same database."""
        return self._backend.SHARED

    @property
    def now(self) -> ColumnElement[float]:
        """The database's own time, the same for all processes: seconds since 1970 in UTC."""
        return self._backend.NOW

    async def time(self) -> float:
        """The present time by the database's clock."""
        return float((await self.fetch(select(self.now.label("now"))))[0].now)

    def advice(self, reason: str) -> str:
        """The advice at the start about a database that is unavailable for a reason."""
        return self._backend.ADVICE[reason]

    async def open(self, on_reopened: Callable[[], None] = lambda: None) -> None:
        """Connect, and run missing migrations; raises Unfit or Unavailable.

        `on_reopened` is called when the database is back, which may be another file: data that was
        read before may be outdated.
        """
        self._on_reopened = on_reopened
        self.place.make()
        await self._open(may_be_empty=True)

    async def close(self) -> None:
        """Disconnect, once changes under way are stored."""
        await self._writer.idle()
        await self._close_kept()
        await self._engine.dispose()

    async def check(self) -> Unavailable | None:
        """Check whether the database is still in its place, and reopen it when it is back.

        Returns the reason why nothing can be stored, if one is known. To be called periodically.
        """
        if not self._is_away and self.place.is_same():
            self.place.remember_log()
        elif not self._is_away:
            self._mark_gone()
        async with self._checking:
            if self._is_away and self.place.identity() is not None and not self._readers:
                await self._reopen()
        return self.trouble

    async def health(self, patience: float = 2.0) -> Unavailable | None:
        """Why nothing can be stored now, tested by storing a note; None if it can."""
        try:
            async with self.writing(patience) as connection:
                await put(connection, NoteRow, {"name": "health"}, {"text": "written"})
        except Unavailable as trouble:
            return trouble
        return None

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A transaction for reading: it sees the database in one state throughout.

        Raises Unavailable, also from within the block.
        """
        async with self._connected(self._for_reading, present_limits()) as connection:
            await self._for_reading.begin(connection)
            yield connection

    @asynccontextmanager
    async def _connected(
        self, connections: Connections, limits: TimeLimits
    ) -> AsyncIterator[AsyncConnection]:
        require_allowed()
        self._require_here()
        self._readers += 1
        try:
            with connecting_within(limits), self._translated():
                connection = await connections.connect()
                try:
                    yield connection
                    await connections.rollback(connection)
                except self._backend.ERRORS as error:
                    await self._failed(error, connection)
                    raise
                finally:
                    await connections.release(connection)
        finally:
            self._readers -= 1

    @asynccontextmanager
    async def writing(self, patience: float | None = None) -> AsyncIterator[AsyncConnection]:
        """A transaction for writing: on disk when the block has ended, undone if it raises.

        Raises Unavailable, also from within the block, and after `patience` seconds of waiting
        (`self.patience` if not given). On a server the limits of the present task apply as well
        (`bot.database.time_limits`), and Unconfirmed is raised if the connection is lost during the
        commit.
        """
        require_allowed()
        self._require_here()
        wait = self.patience if patience is None else patience
        limits = present_limits() if patience is None else present_limits().at_most(patience)
        if self.is_shared:
            wait = min(wait, limits.lock)
        began = perf_counter()
        with connecting_within(limits), self._translated():
            async with self._writer.writing(wait) as connection:
                yield connection
        self._meter.wrote(perf_counter() - began)
        note_stored()
        self._recovered()
        if self._was_gone:
            self._was_gone = False
            # A change that was not confirmed may have been stored.
            self._on_reopened()

    async def fetch(
        self, statement: Select[*tuple[Any, ...]] | Prepared, values: Values | None = None
    ) -> list[Any]:
        """Run one query with these values bound, without a transaction; returns its rows."""
        limits = present_limits().for_one_query()
        async with self._connected(self._for_queries, limits) as connection:
            if isinstance(statement, Prepared):
                return await statement.rows(connection, values or {})
            return list((await connection.execute(statement, values)).all())

    def insert_missing(self, table: type[Base]) -> Prepared:
        """The statement that inserts a row, whose values are bound, unless its key exists."""
        return insert_missing(self._engine.dialect.name, table)

    def prepared(self, purpose: Hashable) -> PreparedSet:
        """Statements for a purpose, which may differ only between database engines."""
        return prepared_set(self._engine.dialect.name, purpose)

    async def change_at_once(
        self, statement: Executable | Prepared, values: Values, seconds: float
    ) -> int:
        """Run one statement that is a transaction by itself, on a server with no other round trip.

        Returns how many rows it changed. Raises Unavailable after `seconds`; on a server the change
        may have been stored nevertheless.
        """
        if not self.is_shared:
            async with self.writing(seconds) as connection:
                return await change(connection, statement, values)
        limits = TimeLimits(contact=seconds, transaction=seconds, lock=seconds)
        async with self._connected(self._for_queries, limits) as connection:
            return await change(connection, statement, values)

    @retry_on_conflict
    async def change(self, statement: Executable | Prepared, values: Values | None = None) -> int:
        """Run one statement in its own transaction; returns how many rows it changed."""
        async with self.writing() as connection:
            return await change(connection, statement, values)

    async def _open(self, *, may_be_empty: bool) -> None:
        self.place.require_openable()
        self.place.remember()
        try:
            await self._update_tables(may_be_empty=may_be_empty)
        except self._backend.ERRORS as error:
            raise self._translate(error) from error

    async def _update_tables(self, *, may_be_empty: bool) -> None:
        async with self._engine.connect() as connection:
            revision = await connection.run_sync(require_ours)
            if await connection.run_sync(is_current):
                return
        if revision is not None:
            await asyncio.to_thread(self.place.keep_before_migrating, revision)
        elif not may_be_empty:
            raise Unavailable(GONE, "the file that is there now is empty")
        migrating = Connections(self._writing.execution_options(migrates=True), self._backend)
        connection = await self._begin_in(migrating, perf_counter() + PATIENCE)
        try:
            await connection.run_sync(upgrade)
            await connection.commit()
        finally:
            await connection.close()
        # Foreign keys are off on that connection, so it is not used again.
        await self._engine.dispose()

    async def _begin(self, deadline: float) -> AsyncConnection:
        self._require_here()
        return await self._begin_in(self._for_writing, deadline)

    async def _begin_in(self, connections: Connections, deadline: float) -> AsyncConnection:
        """Begin a transaction as soon as no other program has locked the database."""
        while True:
            try:
                with connecting_within(limits_for_connecting()):
                    connection = await connections.connect()
            except self._failures as error:
                translated = self._translate(error)
                if not _is_busy(translated) or perf_counter() >= deadline:
                    raise translated from error
                # All connections are in use, of this process or of the server.
                await asyncio.sleep(PAUSE)
                continue
            try:
                await connections.begin(connection)
                # Checked while no other program can write: the change goes to the file seen here.
                if not self.place.is_same():
                    raise Unavailable(GONE, FILE_GONE)
            except BaseException as error:
                translated = await self._failed(error, connection)
                await connections.release(connection)
                if not _is_busy(translated) or perf_counter() >= deadline:
                    raise translated from error
            else:
                return connection
            # A file needs no pause: each try has waited for the lock.

    async def _failed(self, error: BaseException, connection: AsyncConnection) -> BaseException:
        """Translate an error as `_translate` does, and discard the connection if it is unusable."""
        translated = self._translate(error)
        lost = READ_ONLY, GONE, BROKEN
        is_lost = isinstance(translated, Unavailable) and translated.reason in lost
        if is_lost and not connection.invalidated:
            await connection.invalidate()
        return translated

    def _translate(self, error: BaseException) -> BaseException:
        if not isinstance(error, self._backend.ERRORS):
            return error
        detail = str(getattr(error, "orig", error))
        if self._backend.is_conflict(error):
            return TransactionConflict(detail)
        reason = self._backend.reason(error)
        return error if reason is None else Unavailable(reason, detail)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Translate the engine's own errors to Unavailable, and note them."""
        try:
            yield
        except self._failures as error:
            translated = self._translate(error)
            if not isinstance(translated, Unavailable):
                raise
            if not isinstance(translated, TransactionConflict):
                self._note(translated)
            if translated is error:
                raise
            raise translated from error

    def _note(self, trouble: Unavailable) -> None:
        self.faults += 1
        self._was_gone |= trouble.reason in (GONE, UNCONFIRMED)
        if self.trouble is None or self.trouble.reason != trouble.reason:
            logger.error("nothing can be stored (%s): %s", trouble.reason, trouble)
        self.trouble = trouble

    def _recovered(self) -> None:
        if self.trouble is not None and not self._is_away:
            logger.warning("changes can be stored again")
            self.trouble = None

    def _require_here(self) -> None:
        if not self._is_away and not self.place.is_same():
            self._mark_gone()
        if self._is_away:
            raise Unavailable(GONE if self.trouble is None else self.trouble.reason, FILE_GONE)

    def _mark_gone(self) -> None:
        """Refuse all use until the database is back."""
        self._is_away = True
        trouble = Unavailable(GONE, FILE_GONE)
        self._note(trouble)
        self._writer.fail(trouble)

    async def _close_gone(self) -> None:
        """Complete a file that is no longer in its place, and close the connections to it."""
        await self._close_kept()
        pool = self._engine.pool
        if isinstance(pool, QueuePool) and pool.checkedin():
            async with self._engine.connect() as connection:
                try:
                    await self._backend.write_back_log(connection)
                except Exception as error:  # noqa: BLE001  # it is put aside as it is
                    logger.warning("the file that is gone lacks its latest changes: %s", error)
        await self._engine.dispose()
        self.place.rename_stale_log()

    async def _close_kept(self) -> None:
        for connections in self._kinds:
            await connections.close()

    async def _reopen(self) -> None:
        """Open the file that is there now, if it can be."""
        await self._writer.idle()
        await self._close_gone()
        try:
            await self._open(may_be_empty=False)
        except Unfit as error:
            self._note(Unavailable(BROKEN, str(error)))
        except Unavailable as error:
            self._note(error)
        else:
            self._is_away = self._was_gone = False
            self._recovered()
            self._on_reopened()


def _is_busy(error: BaseException) -> bool:
    return isinstance(error, Unavailable) and error.reason == BUSY


class NoteRow(Base):
    """A small value that the bot stores about itself, by name."""

    __tablename__ = "notes"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    text: Mapped[str] = mapped_column(String(256))
