"""All that is particular to SQLite: how it inserts, connects and begins transactions."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.dialects.sqlite import insert

__all__ = ["insert", "prepare"]


def prepare(engine: Engine) -> None:
    """Set an engine up before it connects for the first time.

    It then heeds two execution options: `writes` for transactions that will write, `migrates` for
    those that change tables.
    """
    event.listen(engine, "connect", _configure)
    event.listen(engine, "begin", _begin)


def _configure(connection: Any, _record: object) -> None:
    """Set up one connection."""
    # Python's driver begins transactions by itself, but not for changes of tables: a migration
    # that is killed would be left half done. `_begin` begins them instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    # Write-ahead log: readers never wait for the writer.
    cursor.execute("PRAGMA journal_mode=WAL")
    # A transaction is on the disk itself when it returns, so a power cut loses nothing either.
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
    # A writer takes its turn at once: if it read first, somebody else could write in between, and
    # it would have to give up.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes", False) else "BEGIN")
