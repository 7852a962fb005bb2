"""The file that holds a database: whether it can be one, and whether it is still the same."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL

from bot.store.sqlite.connections import path_of
from bot.store.sqlite.copies import keep_aside
from bot.store.troubles import Unfit

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

    def is_same(self) -> bool:
        """Whether the file that was opened is still where it was."""
        return self.path is None or (self._opened is not None and self.identity() == self._opened)

    def keep_before_migrating(self, revision: str) -> Path | None:
        """Keep a copy of a database of an earlier revision; returns where. Raises Unfit."""
        return None if self.path is None else keep_aside(self.path, revision)

    def identity(self) -> Identity | None:
        """Which file is there now, if one is."""
        if self.path is None:
            return None
        try:
            found = os.stat(self.path)
        except OSError:
            return None
        return found.st_dev, found.st_ino


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
            raise Unfit(
                "It has been cut short: part of it is missing. Put a backup in its place with "
                "`cuatro restore FILE`."
            )


def _unreachable(path: Path, error: OSError) -> str:
    if not path.parent.is_dir():
        return f"The folder {path.parent} does not exist. Make it, or set another file."
    return f"{error.strerror or error}. The file and its folder must be readable and writable."
