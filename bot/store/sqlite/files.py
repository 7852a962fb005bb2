"""The file that holds a database: whether it can be one, and whether it is still the same."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL

from bot.store.sqlite.connections import path_of
from bot.store.sqlite.copies import Check, back_up, keep_aside, restore
from bot.store.troubles import CopyFailed, CutShort, Unfit

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
