"""Copying everything from one database to another, of any two engines.

Rows are copied in the order of their keys, each batch in one transaction. So the target shows how
far a killed run came, and the next run continues there. Until every table has the same checksum on
both sides the target has a table that marks it as unfinished, and the bot does not open it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    MetaData,
    String,
    Table,
    func,
    insert,
    inspect,
    literal,
    make_url,
    select,
    table,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from bot.database.database import Database
from bot.database.errors import BROKEN, Truncated, Unavailable, Unfit
from bot.database.schema import UNFINISHED, is_current, newest, read_tables, require_ours
from bot.database.statements import Base, backend_of
from bot.database.transfer_tables import CopiedTable, Key, copied_tables, is_transient

BATCH = 5000
"""The default number of rows in a batch."""

COPYING, CHECKING = "copying", "checking"

CHANGED = (
    "One of them was changed meanwhile. Stop what uses them, and start again with an empty target."
)


class TransferFailed(Exception):
    """A transfer was not completed; each argument is a line that gives a reason."""


class DatabaseDamaged(TransferFailed):
    """A transfer was not completed because one of the two databases is damaged."""


@dataclass(frozen=True, slots=True)
class Step:
    """The progress of a transfer in one table."""

    what: str
    """`copying` or `checking`."""
    table: str
    done: int
    """Rows so far, those of an earlier run included."""
    rows: int


@dataclass(frozen=True, slots=True)
class TableSum:
    """The content of a table."""

    table: str
    rows: int
    checksum: str
    """The same for equal rows in any database engine."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a completed transfer."""

    sums: tuple[TableSum, ...]
    """Of every table; those of the source and of the target are equal."""
    resumed: bool
    """Whether an earlier run had been cut short."""


Report = Callable[[Step], None]


async def transfer(
    source: str, target: str, report: Report, metadata: MetaData = Base.metadata, batch: int = BATCH
) -> Outcome:
    """Copy a database that no program uses to an empty one, or continue an earlier run.

    Args:
        source: The SQLAlchemy address of a database with the newest tables.
        target: That of a database that is empty, or the unfinished target of the same source.
        report: Called for every batch.
        metadata: The declared tables. Other tables of the databases are copied as well.
        batch: How many rows are in memory, and in one transaction, at a time.

    Raises TransferFailed.
    """
    ends = Side("source", source), Side("target", target)
    identities = [side.place.identity() for side in ends]
    if ends[0].name == ends[1].name or (identities[0] and identities[0] == identities[1]):
        raise TransferFailed("The source and the target are the same database.")
    try:
        await _open_source(ends[0])
        resumed = await _open_target(ends[1], target, ends[0].name, metadata)
        tables = await _tables_of_both(*ends, metadata)
        return await _Transfer(*ends, report, copied_tables(tables), batch).run(resumed=resumed)
    finally:
        for end in ends:
            await end.close()


@dataclass(frozen=True, slots=True)
class _Transfer:
    """A transfer between two databases that are open."""

    _source: Side
    _target: Side
    _report: Report
    _tables: Sequence[CopiedTable]
    _batch: int

    async def run(self, *, resumed: bool) -> Outcome:
        """Copy all tables, compare them, and complete the target; raises TransferFailed."""
        # All tables are read in one transaction, so no row refers to one that was not copied.
        for copied in self._tables:
            await self._copy(copied)
        await self._source.connection.rollback()
        # A new transaction, which sees changes made meanwhile.
        sums = [await self._compared(table) for table in self._tables]
        different = [found for found in sums if isinstance(found, str)]
        if different:
            raise TransferFailed(*different)
        await self._complete()
        return Outcome(tuple(one for one in sums if isinstance(one, TableSum)), resumed)

    async def _copy(self, table: CopiedTable) -> None:
        rows = await _count(self._source, table)
        done = await _count(self._target, table)
        last = None
        if done:
            with self._target.explained():
                found = await self._target.connection.execute(table.last(self._target.backend))
                last = table.key_of(found.one())
                await self._target.connection.rollback()
        self._report(Step(COPYING, table.name, done, rows))
        async with aclosing(self._batches(self._source, table, last)) as batches:
            async for batch in batches:
                await self._store(table, batch, last)
                last = table.key_of(batch[-1])
                done += len(batch)
                self._report(Step(COPYING, table.name, done, rows))

    async def _store(self, table: CopiedTable, batch: Sequence[Any], last: Key | None) -> None:
        behind = "the first rows" if last is None else f"rows behind {table.named(last)}"
        connection = self._target.connection
        with self._target.explained(f"storing {behind} of {table.name}"):
            await connection.execute(insert(table.clause), [table.stored(row) for row in batch])
            await connection.commit()

    async def _compared(self, table: CopiedTable) -> TableSum | str:
        """The sum of both sides, or a description of the difference."""
        rows = await _count(self._source, table)
        given = await self._sum(self._source, table, 0, rows * 2)
        kept = await self._sum(self._target, table, rows, rows * 2)
        if given == kept:
            return given
        key = await self._first_difference(table)
        return (
            f"{table.name} differs, first at {key}: {given.rows} rows in the source, {kept.rows} "
            f"in the target. {CHANGED}"
        )

    async def _sum(self, side: Side, table: CopiedTable, before: int, of: int) -> TableSum:
        digest, done = hashlib.sha256(), 0
        async with aclosing(self._batches(side, table)) as batches:
            async for batch in batches:
                digest.update(b"\n".join(map(table.canonical, batch)) + b"\n")
                done += len(batch)
                self._report(Step(CHECKING, table.name, before + done, of))
        return TableSum(table.name, done, digest.hexdigest())

    async def _first_difference(self, table: CopiedTable) -> str:
        """The key of the first row that is not the same on both sides."""
        given, kept = self._rows(self._source, table), self._rows(self._target, table)
        async with aclosing(given), aclosing(kept):
            while True:
                pair = await anext(given, None), await anext(kept, None)
                if pair == (None, None):
                    return "a row that has been changed again"
                forms = [None if row is None else table.canonical(row) for row in pair]
                if forms[0] != forms[1]:
                    keys = [table.key_of(row) for row in pair if row is not None]
                    return table.named(min(keys))

    async def _complete(self) -> None:
        connection = self._target.connection
        with self._target.explained():
            await connection.rollback()
            ids = {table.name: table.ids for table in self._tables}
            await self._target.backend.settle(connection, ids)
            await connection.run_sync(_MARK.drop)
            await connection.commit()

    async def _rows(self, side: Side, table: CopiedTable) -> AsyncGenerator[Any, None]:
        async with aclosing(self._batches(side, table)) as batches:
            async for batch in batches:
                for row in batch:
                    yield row

    async def _batches(
        self, side: Side, table: CopiedTable, after: Key | None = None
    ) -> AsyncGenerator[Sequence[Any], None]:
        """Read a table in the order of its keys, never more of it at a time than a batch."""
        statement = table.rows(side.backend, after).execution_options(yield_per=self._batch)
        with side.explained(f"reading {table.name}"):
            async with side.connection.stream(statement) as result:
                async for batch in result.partitions():
                    yield batch


async def _count(side: Side, table: CopiedTable) -> int:
    with side.explained():
        counted = select(func.count()).select_from(table.clause)
        return int((await side.connection.execute(counted)).scalar_one())


_MARK = Table(
    UNFINISHED,
    MetaData(),
    Column("source", String(1024), nullable=False),
    Column("revision", String(32), nullable=False),
)
"""The source of an unfinished target, and the revision of the tables."""


async def _open_source(source: Side) -> None:
    """Connect to a database of the newest revision; raises TransferFailed."""
    with source.explained():
        if source.place.identity() is None:
            raise Unfit("There is no such file.")
    await source.open(reads=True)
    with source.explained():
        await source.connection.run_sync(_require_newest)
        await source.connection.rollback()


async def _open_target(target: Side, address: str, source: str, metadata: MetaData) -> bool:
    """Connect to an empty database, made and marked here, or to an unfinished one of this source.

    Returns whether it was an unfinished one. Raises TransferFailed.
    """
    with target.explained():
        target.place.make()
    await target.open(reads=False)
    with target.explained():
        is_unfinished = await target.connection.run_sync(_is_unfinished_of, source)
        if not is_unfinished:
            await target.connection.run_sync(_require_empty, metadata)
        await target.connection.rollback()
    if is_unfinished:
        return True
    # Its tables are created as at a bot's start, which needs exclusive access.
    await target.close()
    with target.explained():
        database = Database(address)
        try:
            await database.open()
        finally:
            await database.close()
    await target.open(reads=False)
    with target.explained():
        await target.connection.run_sync(_MARK.create)
        mark = {"source": source, "revision": newest()}
        await target.connection.execute(insert(_MARK).values(mark))
        await target.connection.commit()
    return False


async def _tables_of_both(source: Side, target: Side, declared: MetaData) -> MetaData:
    """All tables of a source, with their types; raises TransferFailed if the target lacks any."""
    found = []
    for side in (source, target):
        with side.explained():
            found.append(await side.connection.run_sync(read_tables, declared))
            await side.connection.rollback()
    missing = sorted(found[0].tables.keys() - found[1].tables.keys())
    if missing:
        raise TransferFailed(
            f"The source has tables that the target {target.name} lacks ({', '.join(missing)}). "
            "Make them there, or drop them in the source if nobody needs them."
        )
    # A server knows more about types than SQLite, which keeps no time zones.
    return found[0] if source.backend.SHARED else found[1]


def _require_newest(connection: Connection) -> None:
    revision = require_ours(connection)
    if revision is None:
        raise Unfit("It is empty: there is nothing to copy.")
    if not is_current(connection):
        raise Unfit(
            f"Its tables are those of an earlier version (revision {revision}; this one is "
            f"{newest()}). Start this version of the bot on it once, which brings them up to date."
        )


def _is_unfinished_of(connection: Connection, source: str) -> bool:
    """Whether a database is the unfinished target of a source; raises Unfit if of another one."""
    if not inspect(connection).has_table(UNFINISHED):
        return False
    mark = connection.execute(select(_MARK)).one()
    if mark.source != source:
        raise Unfit(
            f"It is the unfinished target of a transfer from {mark.source}. Go on with that one, "
            "or name an empty database."
        )
    if mark.revision != newest():
        raise Unfit(
            "It is the unfinished target of a transfer by another version of this program. Name "
            "an empty database."
        )
    return True


def _require_empty(connection: Connection, metadata: MetaData) -> None:
    require_ours(connection)
    passing = {one.name for one in metadata.tables.values() if is_transient(one)}
    names = set(inspect(connection).get_table_names()) - passing - {"alembic_version"}
    rows = {name: select(literal(1)).select_from(table(name)).limit(1) for name in sorted(names)}
    filled = [name for name, row in rows.items() if connection.execute(row).first() is not None]
    if filled:
        raise Unfit(f"It is not empty ({', '.join(filled)}). Name an empty database.")


class Side:
    """A database with one connection, which locks other programs out where the engine can."""

    def __init__(self, role: str, address: str) -> None:
        """Prepare for the `source` or the `target` at an SQLAlchemy address."""
        url = make_url(address)
        self.backend = backend_of(url.get_backend_name())
        self.place = self.backend.place(url)
        self.name = self.place.name()
        self._called = f"The {role} {self.name}"
        self._url = self.backend.address(url)
        self._connection: AsyncConnection | None = None

    @property
    def connection(self) -> AsyncConnection:
        """The connection, of a database that is open."""
        assert self._connection is not None
        return self._connection

    async def open(self, *, reads: bool) -> None:
        """Connect, changing nothing; raises TransferFailed if a program has the database open.

        With `reads` each transaction sees one state throughout, and can change nothing on a server.
        """
        with self.explained():
            self.place.require_openable()
            engine = create_async_engine(self._url, **self.backend.ENGINE_OPTIONS)
            self.backend.prepare(engine.sync_engine)
            options = {**(self.backend.READING if reads else {}), "writes": True}
            self._connection = await engine.execution_options(**options).connect()
            if not await self.backend.lock_exclusively(self._connection):
                raise Unfit("A running bot or another program has it open: stop that first.")

    async def close(self) -> None:
        """Disconnect, if there is a connection."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.close()
            await connection.engine.dispose()

    @contextmanager
    def explained(self, doing: str = "") -> Iterator[None]:
        """Raise TransferFailed, with the present action, for any error of a database."""
        try:
            yield
        except Unfit as error:
            kind = DatabaseDamaged if isinstance(error, Truncated) else TransferFailed
            raise kind(f"{self._called} cannot be used. {error}") from error
        except Unavailable as error:
            kind = DatabaseDamaged if error.reason == BROKEN else TransferFailed
            raise kind(self._explanation(error.reason, str(error), doing)) from error
        except self.backend.ERRORS as error:
            reason = self.backend.reason(error)
            explanation = self._explanation(reason, _line(error), doing)
            if reason == BROKEN:
                raise DatabaseDamaged(explanation) from error
            # A row is there already, or refers to one that is not.
            changed = f" {CHANGED}" if isinstance(error, IntegrityError) else ""
            raise TransferFailed(explanation + changed) from error

    def _explanation(self, reason: str | None, detail: str, doing: str) -> str:
        where = f"{self._called}, {doing}" if doing else self._called
        advice = "" if reason is None else f" {self.backend.ADVICE[reason]}"
        return f"{where}: {detail.rstrip('.')}.{advice}"


_TYPE = re.compile(r"<class '[^']*'>: ")


def _line(error: Exception) -> str:
    """An error of a database, in one line."""
    message = str(getattr(error, "orig", None) or error)
    return " ".join(_TYPE.sub("", message).split()) or type(error).__name__
