"""What SQLite's errors mean."""

from __future__ import annotations

import sqlite3

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


def reason(error: DBAPIError) -> str | None:
    """Why the database cannot be used, if that is what an error says."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    return None if code is None else _REASONS.get(code & 0xFF)
