"""The file of a SQLite database: checking, copying and replacing it while it is in use."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from sqlalchemy import NullPool, create_engine

from bot.database.backends import Check, Place
from bot.database.errors import CopyDamaged, CopyFailed, Truncated, Unfit

MAGIC = b"SQLite format 3\0"

HEADER = 100
"""The bytes of a database file's header."""

KEPT = 3
"""How many copies from before migrations are kept."""

PAGES = 2000
"""How many pages are copied at a time; writers can go on in between."""

PATIENCE = 30.0
"""Seconds to wait for another program that has locked the database."""

FOLDER_FLAGS = getattr(os, "O_DIRECTORY", 0)

Identity = tuple[int, int]
"""A file's device and inode."""


class DatabaseFile(Place):
    """The file in which a database is kept."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path.absolute()), "")
        self._path = path
        self._log = Path(f"{path}-wal")
        self._opened: Identity | None = None
        self._opened_log: Identity | None = None

    def make(self) -> None:
        """Create the file, still empty, if there is none; raises Unfit."""
        try:
            self._path.touch(mode=0o644)
        except IsADirectoryError:
            pass
        except OSError as error:
            raise Unfit(_unreachable(self._path, error)) from error

    def require_openable(self) -> None:
        """Raise Unfit if the file cannot be a database."""
        if self._path.is_dir():
            raise Unfit("It is a folder. Set the name of a file in it.")
        try:
            _require_whole(self._path)
        except OSError as error:
            raise Unfit(_unreachable(self._path, error)) from error

    def remember(self) -> None:
        """Remember which file is being opened."""
        self._opened = self.identity()

    def remember_log(self) -> None:
        """Remember which log belongs to the file that is open."""
        self._opened_log = _identity(self._log)

    def rename_stale_log(self) -> None:
        """Rename the log of a file that has gone: SQLite would apply it to the next file."""
        if self.is_same() or _identity(self._log) != self._opened_log:
            return
        if self._log.exists() and self._log.stat().st_size:
            self._log.rename(f"{self._log}.left-{_now()}")

    def is_same(self) -> bool:
        """Whether the file that was opened is still where it was."""
        return self._opened is not None and self.identity() == self._opened

    def identity(self) -> Identity | None:
        """The identity of the file that is there now; None if there is none."""
        return _identity(self._path)

    def keep_before_migrating(self, revision: str) -> Path:
        """Keep a copy of a database of an earlier revision, and only the latest few such copies."""
        target = self._path.with_name(f"{self._path.stem}.revision-{revision}.{_now()}.db")
        try:
            self.back_up(target)
        except CopyFailed as error:
            raise Unfit(f"No copy could be made before changing its tables: {error}") from error
        copies = self._path.parent.glob(f"{self._path.stem}.revision-*.db")
        for old in sorted(copies, key=lambda copy: copy.stat().st_mtime)[:-KEPT]:
            old.unlink()
        return target

    def back_up(self, target: Path) -> None:
        """Copy the database, which may be in use; the copy is complete, or not there at all."""
        database = self._path
        if not database.is_file():
            raise CopyFailed(f"There is no database {database}.")
        if target.is_dir():
            raise CopyFailed(f"{target} is a folder. Name a file.")
        if target.exists() and os.path.samefile(database, target):
            raise CopyFailed(f"{target} is the database itself. Name another file.")
        if target.exists() and not _is_database(target):
            raise CopyFailed(f"{target} exists and is no database. Name another file.")
        advice = f"{database} is damaged. Put a backup in its place with `cuatro restore FILE`."
        with _explained(f"{target} cannot be written", advice), _part_of(target) as part:
            with _opened(database, "ro") as source, closing(sqlite3.connect(part)) as copy:
                source.backup(copy, pages=PAGES)
                # A copy is a single file; the bot turns its log on again when it opens it.
                copy.execute("PRAGMA journal_mode=DELETE")
                _require_undamaged(copy, advice)
            _to_disk(part)
            part.replace(target)
            _to_disk(target.parent)

    def restore(self, source: Path, check: Check) -> Path | None:
        """Replace the database with a copy; returns where the old one is kept, if there was one."""
        database = self._path
        if not source.is_file():
            raise CopyFailed(f"There is no file {source}.")
        if database.exists() and database.samefile(source):
            raise CopyFailed(f"{source} is the database itself.")
        advice = f"{source} is damaged, and nothing has changed. Restore another backup."
        with _explained(f"{database} cannot be replaced", advice), _part_of(database) as part:
            # Through SQLite: a copy may have a log beside it, and is checked as it will be used.
            with _opened(source, "ro") as given, closing(sqlite3.connect(part)) as copy:
                _require_undamaged(given, advice)
                given.backup(copy)
                copy.execute("PRAGMA journal_mode=DELETE")
            _require_ours(part, source, check)
            _own_like(part, database)
            _to_disk(part)
            return self._swap(part)

    def _swap(self, part: Path) -> Path | None:
        """Put `part` in the database's place; returns where the old one, if any, is kept."""
        database = self._path
        aside = database.with_name(f"{database.stem}.replaced-{_now()}.db")
        is_there = database.exists()
        if is_there and _is_database(database):
            try:
                with _opened(database, "rw") as present, self._locked(present):
                    os.link(database, aside)
                    part.replace(database)
                    self._drop_log()
                    _to_disk(database.parent)
                return aside
            except sqlite3.Error as error:
                if not _is_damage(error) or not part.exists():
                    raise
        if is_there:
            # The existing file is no usable database, so no program can be writing to it as one.
            database.replace(aside)
        self._drop_log()
        part.replace(database)
        _to_disk(database.parent)
        return aside if is_there else None

    @contextmanager
    def _locked(self, present: sqlite3.Connection) -> Iterator[None]:
        """Lock the file against writers, after its log has been written into it.

        SQLite finds a log by its name, so an old log would be applied to the new file.
        """
        end = time.monotonic() + PATIENCE
        while True:
            present.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            present.execute("BEGIN IMMEDIATE")
            if not self._log.exists() or self._log.stat().st_size == 0:
                break
            present.rollback()
            if time.monotonic() > end:
                raise CopyFailed(
                    f"{self._path} is being read all the time. Stop the bot and try again."
                )
        try:
            yield
        finally:
            present.rollback()

    def _drop_log(self) -> None:
        for suffix in ("-wal", "-shm"):
            Path(f"{self._path}{suffix}").unlink(missing_ok=True)


def _require_whole(path: Path) -> None:
    """Raise Unfit unless a file is a database of which no page is missing, or empty.

    A database is empty before its first table.
    """
    with path.open("rb") as file:
        header = file.read(HEADER)
    if not header:
        return
    if header[:16] != MAGIC:
        raise Unfit(
            "It is not an SQLite database. Set another file, or put a backup in its place with "
            "`cuatro restore FILE`."
        )
    page_size = int.from_bytes(header[16:18], "big")
    # The number of pages is the present one only if it was written with the latest change.
    is_present = header[24:28] == header[92:96]
    pages = int.from_bytes(header[28:32], "big") if is_present else 0
    least = pages * (65_536 if page_size == 1 else page_size)
    wal = Path(f"{path}-wal")
    in_log = wal.exists() and wal.stat().st_size > 0
    if path.stat().st_size < max(least, HEADER) and not in_log:
        raise Truncated(
            "It has been cut short: part of it is missing. Put a backup in its place with "
            "`cuatro restore FILE`."
        )


def _identity(file: Path) -> Identity | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _unreachable(path: Path, error: OSError) -> str:
    if not path.parent.is_dir():
        return f"The folder {path.parent} does not exist. Make it, or set another file."
    return f"{error.strerror or error}. The file and its folder must be readable and writable."


def _now() -> str:
    return time.strftime("%Y%m%d-%H%M%S")


@contextmanager
def _part_of(file: Path) -> Iterator[Path]:
    """Yield the path at which a file is written until it is complete; removed at the end."""
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _opened(file: Path, mode: str) -> Iterator[sqlite3.Connection]:
    address = f"{file.absolute().as_uri()}?mode={mode}"
    with closing(sqlite3.connect(address, uri=True, timeout=PATIENCE)) as connection:
        connection.isolation_level = None
        yield connection


def _is_database(file: Path) -> bool:
    """Whether a file is a database, or empty."""
    with file.open("rb") as opened:
        return opened.read(len(MAGIC)) in (b"", MAGIC)


def _is_damage(error: BaseException) -> bool:
    """Whether an error says that a file is damaged, or is no database."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _require_undamaged(connection: sqlite3.Connection, damaged: str) -> None:
    """Raise CopyDamaged, with this text, for a database in which something is damaged."""
    if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
        raise CopyDamaged(damaged)


@contextmanager
def _explained(what: str, damaged: str) -> Iterator[None]:
    """Raise CopyFailed for any failure, or CopyDamaged with this text for damaged pages."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        if _is_damage(error):
            raise CopyDamaged(damaged) from error
        raise CopyFailed(f"{what}: {error}.") from error


def _require_ours(part: Path, source: Path, check: Check) -> None:
    """Raise CopyFailed unless a copy of `source` is a database that this program can open."""
    engine = create_engine("sqlite://", creator=lambda: sqlite3.connect(part), poolclass=NullPool)
    try:
        with engine.connect() as connection:
            if check(connection) is None:
                raise CopyFailed(f"{source} is empty.")
    except Unfit as error:
        raise CopyFailed(f"{source} cannot be used. {error}") from error


def _own_like(part: Path, database: Path) -> None:
    """Give a file the owner and the mode of the one that it replaces, if permitted."""
    if database.exists():
        like = database.stat()
        part.chmod(stat.S_IMODE(like.st_mode))
        if hasattr(os, "chown"):
            with suppress(PermissionError):
                os.chown(part, like.st_uid, like.st_gid)


def _to_disk(path: Path) -> None:
    """Wait until a file or a folder is on the disk."""
    if path.is_dir() and not FOLDER_FLAGS:
        return  # Windows cannot open folders.
    handle = os.open(path, os.O_RDONLY | (FOLDER_FLAGS if path.is_dir() else 0))
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
