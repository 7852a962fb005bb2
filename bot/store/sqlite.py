"""Everything specific to SQLite: how it inserts, connects and begins transactions."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.dialects.sqlite import insert

__all__ = ["insert", "prepare"]


def prepare(engine: Engine) -> None:
    """Set an engine up before its first connection.

    Its transactions then heed two execution options: `writes` if they will write, `migrates` if
    they will change tables.
    """
    event.listen(engine, "connect", _configure)
    event.listen(engine, "begin", _begin)


def _configure(connection: Any, _record: object) -> None:
    """Set up one connection."""
    # Python's driver begins transactions by itself, but not for changes to tables, so a migration
    # that is killed would be left half done. `_begin` does it instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    # Write-ahead log: readers never wait for the writer.
    cursor.execute("PRAGMA journal_mode=WAL")
    # A commit is on the disk itself when it returns, so not even a power cut loses it.
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA busy_timeout=5000")
    cursor.close()


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    if options.get("migrates", False):
        # A migration may copy a table and drop the old one while other rows refer to it. SQLite
        # accepts this pragma only outside a transaction.
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
    # A writer locks at once: if it read first and somebody else wrote in between, it would fail.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes", False) else "BEGIN")
