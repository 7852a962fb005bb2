"""What differs between database engines: `sqlite.py` and `postgres.py` each implement `Backend`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import URL, ColumnElement, Connection, Engine
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.errors import CopyFailed

Begin = Callable[[float], Awaitable[AsyncConnection]]
"""Opens a connection and begins a transaction by a deadline."""

Require = Callable[[], None]
"""Raises if the database that was opened is no longer there."""

Failed = Callable[[BaseException, AsyncConnection], Awaitable[BaseException]]
"""Says what to raise for an error, and discards a connection that it has made unusable."""

Check = Callable[[Connection], str | None]
"""Returns the revision of a database, None if it is empty; raises Unfit if it is not ours."""


class Place:
    """Where a database is kept.

    This class is for one of which nothing is in a file of ours; `DatabaseFile` is for the others.
    """

    def __init__(self, name: str, no_copies: str, identity: object | None = None) -> None:
        """`no_copies` says why it cannot be copied, and what to do instead."""
        self._name = name
        self._no_copies = no_copies
        self._identity = identity

    def name(self) -> str:
        """What people call it: its full path, or its server and name there, without a user."""
        return self._name

    def make(self) -> None:
        """Create it, still empty, if nothing is there; raises Unfit."""

    def require_openable(self) -> None:
        """Raise Unfit if what is there cannot be a database."""

    def note(self) -> None:
        """Remember which database is being opened."""

    def note_log(self) -> None:
        """Remember which log lies beside the database that is open."""

    def tidy(self) -> None:
        """Put aside the log of a database that is no longer here."""

    def is_same(self) -> bool:
        """Whether the database that was opened is still where it was; quick."""
        return True

    def identity(self) -> object | None:
        """What is there now; None if nothing is."""
        return self._identity

    def keep_before_migrating(self, revision: str) -> Path | None:
        """Keep a copy of a database of an earlier revision; returns where. Raises Unfit."""
        return None

    def back_up(self, target: Path) -> None:
        """Copy the database, which may be in use, into a file; raises CopyFailed."""
        raise CopyFailed(self._no_copies)

    def restore(self, source: Path, check: Check) -> Path | None:
        """Put a copy in the database's place; returns where that is kept now, if there was one.

        Raises CopyFailed.
        """
        raise CopyFailed(self._no_copies)


class Commits(Protocol):
    """Ends transactions for writing; see `Connections`."""

    async def commit(self, connection: AsyncConnection, /) -> None:
        """Commit the transaction."""

    async def release(self, connection: AsyncConnection, done: Callable[[], None] = ..., /) -> None:
        """Take a connection back, and call `done` after that; what was not committed is undone."""


class Writer(Protocol):
    """Gives out transactions for writing."""

    def writing(self, patience: float) -> AbstractAsyncContextManager[AsyncConnection]:
        """A transaction that begins within `patience` seconds.

        It is committed when the block has ended, and undone if the block raises.
        """

    def fail(self, error: BaseException) -> None:
        """Let every caller fail who still waits for a transaction."""

    async def idle(self) -> None:
        """Wait until no transaction is under way or waited for."""


class Backend(Protocol):
    """One database engine."""

    ENGINE_OPTIONS: Mapping[str, Any]
    """The arguments of SQLAlchemy's engine."""
    READING: Mapping[str, Any]
    """Execution options of transactions for reading."""
    PEEKING: Mapping[str, Any]
    """Execution options of single queries."""
    ERRORS: tuple[type[Exception], ...]
    """What may be raised where the database is unavailable."""
    SHARED: bool
    """Whether several processes may work on one database."""
    NOW: ColumnElement[float]
    """The database's own time: seconds since 1970 in UTC."""
    ADVICE: Mapping[str, str]
    """What to do at the start about a database that is unavailable, by the reason."""

    def writer(self, begin: Begin, require: Require, failed: Failed, commits: Commits, /) -> Writer:
        """What gives out transactions for writing."""

    def place(self, url: URL, /) -> Place:
        """Where the database at an address is kept."""

    def address(self, url: URL, /) -> URL:
        """The address with which to connect."""

    def insert(self, table: Any, /) -> Any:
        """An INSERT with the engine's own `on_conflict_do_nothing` and `on_conflict_do_update`."""

    def prepare(self, engine: Engine, /) -> None:
        """Set an engine up before its first connection."""

    def begin(self, connection: Connection, /) -> None:
        """Begin a transaction on a connection that was kept after the one before."""

    def resume(self, connection: AsyncConnection, /) -> bool:
        """Make a connection that was kept ready for use; False if it can no longer be used."""

    def rest(self, connection: AsyncConnection, /) -> None:
        """End the use of a connection that is kept."""

    async def leave(self, connection: AsyncConnection, /) -> None:
        """Complete a database that is no longer where it was, before the connections close."""

    async def lock(self, connection: AsyncConnection, key: Any, ids: Collection[Any], /) -> None:
        """Lock the rows of which a key has these values, in the order of their keys.

        What the transaction reads from then on includes what earlier holders of the locks stored.
        """

    async def hold(self, connection: AsyncConnection, /) -> bool:
        """Have the database alone until this connection closes; False if a program has it open.

        The connection has the execution option `writes`, and no transaction before and after.
        """

    async def settle(self, connection: AsyncConnection, ids: Mapping[str, str | None], /) -> None:
        """Complete tables into which rows were copied with their ids.

        `ids` has the names of all tables, each with the column that the database itself numbers, if
        any: new numbers come after the highest one.
        """

    def in_byte_order(self, column: ColumnElement[Any], /) -> ColumnElement[Any]:
        """What to order rows by, so that texts come in the same order on every engine."""

    def prepare_migrations(self) -> None:
        """Set Alembic up for this engine."""

    def reason(self, error: BaseException, /) -> str | None:
        """Why the database is unavailable, as in `Unavailable`, if that is what an error means."""

    def is_collision(self, error: BaseException, /) -> bool:
        """Whether a transaction was undone only because of a concurrent one."""
