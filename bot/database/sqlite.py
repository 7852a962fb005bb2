"""Everything specific to SQLite.

How SQLite connects and begins transactions.

The file that holds a database: whether it can be one, and whether it is still the same.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import URL, ColumnElement, Connection, Double, Engine, event, func
from sqlalchemy.dialects.sqlite import insert as insert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.copies import Check, back_up, keep_aside, restore
from bot.database.errors import BUSY, CopyFailed, CutShort, Unfit
from bot.database.sqlite_driver import ADVICE as ADVICE
from bot.database.sqlite_driver import ERRORS as ERRORS
from bot.database.sqlite_driver import Connection as FastConnection
from bot.database.sqlite_driver import connect
from bot.database.sqlite_driver import is_collision as is_collision
from bot.database.sqlite_driver import reason as reason
from bot.database.writer import Writer as Writer

READER_WAITS, WRITER_WAITS = 30_000, 500
"""Milliseconds that a statement waits where another program has locked the file. A writer's are
few: it tries again, and can be told to stop in between."""

ENGINE_OPTIONS: Mapping[str, Any] = {"connect_args": {"async_creator_fn": connect}}

READING: Mapping[str, Any] = {}
"""A transaction sees one state throughout as it is."""

PEEKING: Mapping[str, Any] = {"single": True}
"""A single statement sees one state without a transaction."""

SHARED = False
"""One process has a file to itself."""

NOW: ColumnElement[float] = (func.julianday("now", type_=Double()) - 2_440_587.5) * 86_400.0


def address(url: URL) -> URL:
    """The address to connect to: never one that makes the file, which may only be away."""
    file = path_of(url)
    if file is None:
        return url
    query = {**url.query, "mode": "rw", "uri": "true"}
    return url.set(database=file.absolute().as_uri(), query=query)


def path_of(url: URL) -> Path | None:
    """The file of a database; None for one in memory, and for one that SQLite is to look up."""
    name = url.database
    return None if not name or name == ":memory:" or name.startswith("file:") else Path(name)


def prepare(engine: Engine) -> None:
    """Set an engine up before its first connection.

    Its transactions then heed three execution options: `writes` if they will write, `migrates` if
    they will change tables, `single` if there is only one statement, which needs no transaction.
    """
    event.listen(engine, "connect", _configure)
    event.listen(engine, "begin", begin)


def resume(_connection: AsyncConnection) -> bool:
    """Whatever is wrong with a file shows when a transaction begins."""
    return True


def rest(_connection: AsyncConnection) -> None:
    """A file needs nothing."""


async def leave(connection: AsyncConnection) -> None:
    """Bring everything into a file itself that is no longer where it was.

    Its log stays behind under its old name, and would be taken for that of the file which is there
    next; SQLite itself does this on closing only for files that have not been moved.
    """
    raw = await connection.get_raw_connection()
    assert raw.driver_connection is not None
    cursor = await raw.driver_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    await cursor.close()


async def lock(_connection: AsyncConnection, _key: Any, _ids: Collection[Any]) -> None:
    """A transaction that writes has locked the whole database since it began."""


async def hold(connection: AsyncConnection) -> bool:
    """Have the file alone until this connection closes; False if a program has it open."""
    # Every program that has opened the file holds a lock on it, whether or not it is doing
    # anything. The first change in this mode takes the file from all of them, and keeps it.
    for statement in ("PRAGMA locking_mode=EXCLUSIVE", "SELECT 1"):
        try:
            await connection.exec_driver_sql(statement)
        except ERRORS as error:
            if reason(error) == BUSY:
                return False
            raise
        await connection.commit()
    return True


async def settle(_connection: AsyncConnection, _ids: Mapping[str, str | None]) -> None:
    """Ids go on after the highest one by themselves."""


def in_byte_order(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Texts are compared by their bytes as they are."""
    return column


def prepare_migrations() -> None:
    """The migrations were written for SQLite."""


def _configure(connection: Any, _record: object) -> None:
    """Set up one connection; one that cannot be is closed, which nobody else would do."""
    try:
        _set_up(connection)
    except BaseException:
        connection.close()
        raise


def _set_up(connection: Any) -> None:
    # Python's driver begins transactions by itself, but not for changes to tables, so a migration
    # that is killed would be left half done. `begin` does it instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={READER_WAITS}")
    # Write-ahead log: readers never wait for the writer.
    cursor.execute("PRAGMA journal_mode=WAL")
    # A commit is on the disk itself when it returns, so not even a power cut loses it.
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def begin(connection: Connection) -> None:
    """Begin a transaction as the execution options of a connection ask."""
    options = connection.get_execution_options()
    writes = bool(options.get("writes", False))
    _wait_at_most(connection, WRITER_WAITS if writes else READER_WAITS)
    if options.get("single", False):
        return
    if options.get("migrates", False):
        # A migration may copy a table and drop the old one while other rows refer to it. SQLite
        # accepts this pragma only outside a transaction.
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
    # A writer locks at once: if it read first and somebody else wrote in between, it would fail.
    _run(connection, "BEGIN IMMEDIATE" if writes else "BEGIN")


def _wait_at_most(connection: Connection, milliseconds: int) -> None:
    if connection.info.get("waits", READER_WAITS) != milliseconds:
        driver, statement = (
            connection.connection.driver_connection,
            f"PRAGMA busy_timeout={milliseconds}",
        )
        if isinstance(driver, FastConnection):
            driver.run_soon(statement)
        else:
            _run(connection, statement)
        connection.info["waits"] = milliseconds


def _run(connection: Connection, statement: str) -> None:
    """Run a statement without what SQLAlchemy does around it, which costs more than these do."""
    driver: Any = connection.connection.dbapi_connection
    driver.execute(statement).close()


MAGIC = b"SQLite format 3\0"

HEADER = 100
"""The bytes of a database file's header."""

Identity = tuple[int, int]
"""A file's device and inode."""


class DatabaseFile:
    """A database's file; what is said of one holds, trivially, for a database in memory."""

    def __init__(self, url: URL) -> None:
        """The file at an SQLAlchemy address."""
        self.path = path_of(url)
        self._opened: Identity | None = None
        self._log: Identity | None = None

    def name(self) -> str:
        """Its full path."""
        return ":memory:" if self.path is None else str(self.path.absolute())

    def make(self) -> None:
        """Make the file, still empty, if there is none; raises Unfit."""
        if self.path is None:
            return
        try:
            self.path.touch(mode=0o644)
        except IsADirectoryError:
            pass
        except OSError as error:
            raise Unfit(_unreachable(self.path, error)) from error

    def require_openable(self) -> None:
        """Raise Unfit if the file cannot be a database."""
        if self.path is None:
            return
        if self.path.is_dir():
            raise Unfit("It is a folder. Set the name of a file in it.")
        try:
            header = Header.of(self.path)
        except OSError as error:
            raise Unfit(_unreachable(self.path, error)) from error
        if header is not None:
            header.require_whole(self.path)

    def note(self) -> None:
        """Remember which file is being opened."""
        self._opened = self.identity()

    def note_log(self) -> None:
        """Remember which log belongs to the file that is open."""
        self._log = _identity(self.log)

    def tidy(self) -> None:
        """Put a log aside that belongs to a file which is no longer here; nobody may have it open.

        SQLite would take it for that of the file which is here now.
        """
        log = self.log
        if log is None or self.is_same() or _identity(log) != self._log:
            return
        if log.exists() and log.stat().st_size:
            log.rename(f"{log}.left-{time.strftime('%Y%m%d-%H%M%S')}")

    @property
    def log(self) -> Path | None:
        """The write-ahead log beside the file."""
        return None if self.path is None else Path(f"{self.path}-wal")

    def is_same(self) -> bool:
        """Whether the file that was opened is still where it was."""
        return self.path is None or (self._opened is not None and self.identity() == self._opened)

    def keep_before_migrating(self, revision: str) -> Path | None:
        """Keep a copy of a database of an earlier revision; returns where. Raises Unfit."""
        return None if self.path is None else keep_aside(self.path, revision)

    def back_up(self, target: Path) -> None:
        """Copy the database, which may be in use, into a file; raises CopyFailed."""
        back_up(self._present(), target)

    def restore(self, source: Path, check: Check) -> Path | None:
        """Put a copy in the database's place; returns where that is kept now, if there was one.

        `check` gives the revision of a database or raises Unfit. Raises CopyFailed.
        """
        if self.path is None:
            raise CopyFailed("The database is not in a file.")
        return restore(self.path, source, check)

    def _present(self) -> Path:
        if self.path is None or not self.path.is_file():
            raise CopyFailed(f"There is no database {self.path or ''}.")
        return self.path

    def identity(self) -> Identity | None:
        """Which file is there now, if one is."""
        return _identity(self.path)


@dataclass(frozen=True, slots=True)
class Header:
    """What the first bytes of a file say."""

    magic: bytes
    page_size: int
    pages: int
    """0 where the file does not say."""

    @classmethod
    def of(cls, path: Path) -> Header | None:
        """Read a file; None if it is empty, as a database is before its first table."""
        with path.open("rb") as file:
            raw = file.read(HEADER)
        if not raw:
            return None
        size = int.from_bytes(raw[16:18], "big")
        # The number of pages is the present one only if it was written with the latest change.
        is_present = raw[24:28] == raw[92:96]
        pages = int.from_bytes(raw[28:32], "big") if is_present else 0
        return cls(raw[:16], 65_536 if size == 1 else size, pages)

    def require_whole(self, path: Path) -> None:
        """Raise Unfit unless this begins a database of which no page is missing."""
        if self.magic != MAGIC:
            raise Unfit(
                "It is not an SQLite database. Set another file, or put a backup in its place with "
                "`cuatro restore FILE`."
            )
        there, wal = path.stat().st_size, Path(f"{path}-wal")
        in_log = wal.exists() and wal.stat().st_size > 0
        if there < max(self.pages * self.page_size, HEADER) and not in_log:
            raise CutShort(
                "It has been cut short: part of it is missing. Put a backup in its place with "
                "`cuatro restore FILE`."
            )


def _identity(file: Path | None) -> Identity | None:
    if file is None:
        return None
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _unreachable(path: Path, error: OSError) -> str:
    if not path.parent.is_dir():
        return f"The folder {path.parent} does not exist. Make it, or set another file."
    return f"{error.strerror or error}. The file and its folder must be readable and writable."


Place = DatabaseFile
"""Where the database is, as `bot.database.backends` calls it."""
