"""What SQLite's errors mean."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from sqlalchemy.exc import DBAPIError

from bot.store.troubles import BROKEN, BUSY, FULL, GONE, READ_ONLY

_REASONS = {
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_PROTOCOL: BUSY,
    sqlite3.SQLITE_FULL: FULL,
    # A limit on the size of files and a failing disk both look like this.
    sqlite3.SQLITE_IOERR: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_PERM: READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: GONE,
    sqlite3.SQLITE_CORRUPT: BROKEN,
    sqlite3.SQLITE_NOTADB: BROKEN,
}
ERRORS: tuple[type[Exception], ...] = (DBAPIError, sqlite3.Error)
"""What may be raised where the database cannot be used; the second is raised by BEGIN."""
ADVICE: Mapping[str, str] = {
    BUSY: "Another program has locked it: end that one, and start again.",
    FULL: "Make room on its disk, and start again.",
    READ_ONLY: "The file and its folder must be writable.",
    GONE: "The file and its folder must be readable and writable.",
    BROKEN: "Put a backup in its place with `cuatro restore FILE`.",
}
"""What to do about a database that is unavailable at the start."""


def reason(error: BaseException) -> str | None:
    """Why the database cannot be used, if that is what an error says."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(cause, "sqlite_errorcode", None)
    return None if code is None else _REASONS.get(code & 0xFF)


def is_collision(_error: BaseException) -> bool:
    """Never: writers take turns, so none comes in between."""
    return False
