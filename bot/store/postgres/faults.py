"""What PostgreSQL's errors mean."""

from __future__ import annotations

from collections.abc import Mapping

import asyncpg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.store.troubles import BROKEN, BUSY, FULL, GONE, READ_ONLY

ERRORS: tuple[type[Exception], ...] = (
    DBAPIError,
    PoolTimeout,
    OSError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
)
"""What may be raised where the database cannot be used; a lost connection is an OSError."""
COLLISIONS = frozenset({"40001", "40P01"})
"""Another transaction came in between: serialization_failure, deadlock_detected."""
_STATES = {
    "25006": READ_ONLY,  # read_only_sql_transaction: a standby
    "28000": GONE,  # invalid_authorization_specification
    "28P01": GONE,  # invalid_password
    "3D000": GONE,  # invalid_catalog_name: there is no such database
    "40001": BUSY,
    "40P01": BUSY,
    "42501": READ_ONLY,  # insufficient_privilege
    "53100": FULL,  # disk_full
    "53200": FULL,  # out_of_memory
    "53300": BUSY,  # too_many_connections
    "53400": FULL,  # configuration_limit_exceeded
    "55P03": BUSY,  # lock_not_available: lock_timeout
    "57014": BUSY,  # query_canceled: statement_timeout
    "57P01": GONE,  # admin_shutdown
    "57P02": GONE,  # crash_shutdown
    "57P03": GONE,  # cannot_connect_now: it starts or stops
    "58030": FULL,  # io_error
    "XX001": BROKEN,  # data_corrupted
    "XX002": BROKEN,  # index_corrupted
}
_CLASSES = {"08": GONE}
"""By the first two characters, for the classes that mean one thing."""
ADVICE: Mapping[str, str] = {
    BUSY: "Another program keeps its tables locked, or it has no free connection.",
    FULL: "Make room on the server's disk, and start again.",
    READ_ONLY: "Its user must own the database, on a server that is no standby.",
    GONE: "The server must be running, and have this database and this user.",
    BROKEN: "Put a dump in its place (docs/database.md).",
}
"""What to do about a database that is unavailable at the start."""


def reason(error: BaseException) -> str | None:
    """Why the database cannot be used, if that is what an error says."""
    if isinstance(error, PoolTimeout):
        return BUSY
    state = _state(error)
    if state is not None:
        return _STATES.get(state, _CLASSES.get(state[:2]))
    is_lost = isinstance(error, DBAPIError) and error.connection_invalidated
    cause = error.orig if isinstance(error, DBAPIError) else error
    interface = isinstance(cause, asyncpg.InterfaceError) and "closed" in str(cause)
    return GONE if is_lost or interface or isinstance(cause, OSError) else None


def is_collision(error: BaseException) -> bool:
    """Whether the transaction was undone because of another one and can be made again."""
    return _state(error) in COLLISIONS


def detail(error: BaseException) -> str:
    """An error in one line."""
    return " ".join(str(error).split()) or type(error).__name__


def _state(error: BaseException) -> str | None:
    cause = error.orig if isinstance(error, DBAPIError) else error
    state = getattr(cause, "sqlstate", None)
    return state if isinstance(state, str) else None
