"""Copies of a database file, made and put in its place while the bot runs."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from sqlalchemy import Connection, NullPool, create_engine

from bot.database.errors import BROKEN, CopyDamaged, CopyFailed, Unfit
from bot.database.sqlite_driver import reason

KEPT = 3
"""How many copies from before migrations are kept."""

PAGES = 2000
"""How many pages are copied at a time; writers can go on in between."""

PATIENCE = 30.0
"""Seconds to wait for whoever has locked the database."""

FOLDER_FLAGS = getattr(os, "O_DIRECTORY", 0)

Check = Callable[[Connection], str | None]


def back_up(database: Path, target: Path) -> None:
    """Copy a database that may be in use; the copy is whole and on disk, or not there at all.

    Raises CopyFailed.
    """
    if target.is_dir():
        raise CopyFailed(f"{target} is a folder. Name a file.")
    if target.exists() and os.path.samefile(database, target):
        raise CopyFailed(f"{target} is the database itself. Name another file.")
    if target.exists() and not _is_database(target):
        raise CopyFailed(f"{target} exists and is no database. Name another file.")
    part = target.with_name(f"{target.name}.part")
    advice = f"{database} is damaged. Put a backup in its place with `cuatro restore FILE`."
    with _explained(f"{target} cannot be written", advice):
        part.unlink(missing_ok=True)
        try:
            with _opened(database, "ro") as source, closing(sqlite3.connect(part)) as copy:
                source.backup(copy, pages=PAGES)
                # A copy is a single file; the bot turns its log on again when it opens it.
                copy.execute("PRAGMA journal_mode=DELETE")
                _require_whole(copy, advice)
            _to_disk(part)
            part.replace(target)
            _to_disk(target.parent)
        finally:
            part.unlink(missing_ok=True)


def restore(database: Path, source: Path, check: Check) -> Path | None:
    """Put a copy in the place of a database, which may be in use; returns where that is kept now.

    Args:
        database: The file to replace; None is returned if there is none.
        source: The copy, which stays where it is.
        check: The revision of a database, None if it is empty; raises Unfit for one that this
            version of the program cannot open.

    Raises CopyFailed.
    """
    if not source.is_file():
        raise CopyFailed(f"There is no file {source}.")
    if database.exists() and database.samefile(source):
        raise CopyFailed(f"{source} is the database itself.")
    part = database.with_name(f"{database.name}.part")
    advice = f"{source} is damaged, and nothing has changed. Restore another backup."
    with _explained(f"{database} cannot be replaced", advice):
        part.unlink(missing_ok=True)
        try:
            # Through SQLite: a copy may have a log beside it, and is checked as it will be used.
            with _opened(source, "ro") as given, closing(sqlite3.connect(part)) as copy:
                _require_whole(given, advice)
                given.backup(copy)
                copy.execute("PRAGMA journal_mode=DELETE")
            _require_ours(part, source, check)
            _own_like(part, database)
            _to_disk(part)
            return _swap(database, part)
        finally:
            part.unlink(missing_ok=True)


def keep_aside(database: Path, revision: str) -> Path:
    """Copy a database of an earlier revision before it is migrated; raises Unfit.

    Only the latest few such copies are kept.
    """
    now = time.strftime("%Y%m%d-%H%M%S")
    target = database.with_name(f"{database.stem}.revision-{revision}.{now}.db")
    try:
        back_up(database, target)
    except CopyFailed as error:
        raise Unfit(f"No copy could be made before changing its tables: {error}") from error
    copies = database.parent.glob(f"{database.stem}.revision-*.db")
    for old in sorted(copies, key=lambda copy: copy.stat().st_mtime)[:-KEPT]:
        old.unlink()
    return target


def _require_ours(part: Path, source: Path, check: Check) -> None:
    engine = create_engine("sqlite://", creator=lambda: sqlite3.connect(part), poolclass=NullPool)
    try:
        with engine.connect() as connection:
            if check(connection) is None:
                raise CopyFailed(f"{source} is empty.")
    except Unfit as error:
        raise CopyFailed(f"{source} cannot be used. {error}") from error


def _own_like(part: Path, database: Path) -> None:
    """Give a file the owner and the mode of the one it is to replace, as far as that is allowed."""
    if database.exists():
        like = database.stat()
        part.chmod(stat.S_IMODE(like.st_mode))
        if hasattr(os, "chown"):
            with suppress(PermissionError):
                os.chown(part, like.st_uid, like.st_gid)


def _swap(database: Path, part: Path) -> Path | None:
    """Put `part` in the place of a database; returns where that is kept now."""
    aside = database.with_name(f"{database.stem}.replaced-{time.strftime('%Y%m%d-%H%M%S')}.db")
    if not database.exists():
        _drop_log(database)
        part.replace(database)
        _to_disk(database.parent)
        return None
    if _is_database(database):
        try:
            with _opened(database, "rw") as present, _held(present, database):
                os.link(database, aside)
                part.replace(database)
                _drop_log(database)
                _to_disk(database.parent)
            return aside
        except sqlite3.Error as error:
            if reason(error) != BROKEN or not part.exists():
                raise
    # Whatever it is, nobody can be writing to it as a database.
    database.replace(aside)
    _drop_log(database)
    part.replace(database)
    _to_disk(database.parent)
    return aside


@contextmanager
def _held(present: sqlite3.Connection, database: Path) -> Iterator[None]:
    """Keep everybody from writing, with all that was written in the file itself and not its log.

    The log is found by its name: left where it is, it would be taken for that of the new file.
    """
    end = time.monotonic() + PATIENCE
    while True:
        present.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        present.execute("BEGIN IMMEDIATE")
        log = Path(f"{database}-wal")
        if not log.exists() or log.stat().st_size == 0:
            break
        present.rollback()
        if time.monotonic() > end:
            raise CopyFailed(f"{database} is being read all the time. Stop the bot and try again.")
    try:
        yield
    finally:
        present.rollback()


def _drop_log(database: Path) -> None:
    for suffix in ("-wal", "-shm"):
        Path(f"{database}{suffix}").unlink(missing_ok=True)


@contextmanager
def _opened(file: Path, mode: str) -> Iterator[sqlite3.Connection]:
    address = f"{file.absolute().as_uri()}?mode={mode}"
    with closing(sqlite3.connect(address, uri=True, timeout=PATIENCE)) as connection:
        connection.isolation_level = None
        yield connection


def _require_whole(connection: sqlite3.Connection, damaged: str) -> None:
    """Raise CopyDamaged, with this text, for a database in which something is damaged."""
    found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise CopyDamaged(damaged)


def _is_database(file: Path) -> bool:
    """Whether a file is a database, or empty."""
    with file.open("rb") as opened:
        return opened.read(16) in (b"", b"SQLite format 3\0")


@contextmanager
def _explained(what: str, damaged: str) -> Iterator[None]:
    """Raise CopyFailed for what fails, or CopyDamaged with this text for damaged pages."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        if reason(error) == BROKEN:
            raise CopyDamaged(damaged) from error
        raise CopyFailed(f"{what}: {error}.") from error


def _to_disk(path: Path) -> None:
    """Wait until a file or a folder is on the disk."""
    if path.is_dir() and not FOLDER_FLAGS:
        return  # Windows cannot open folders.
    handle = os.open(path, os.O_RDONLY | (FOLDER_FLAGS if path.is_dir() else 0))
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
