"""What differs between database engines; each has a module or a package in this one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import URL, ColumnElement, Connection, Engine
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database import sqlite
from bot.database.writer import Commits


class Place(Protocol):
    """Where a database is kept."""

    def name(self) -> str:
        """What people call it: its full path, or its server and name there, without a user."""

    def make(self) -> None:
        """Make it, still empty, if nothing is there; raises Unfit."""

    def require_openable(self) -> None:
        """Raise Unfit if what is there cannot be a database."""

    def note(self) -> None:
        """Remember which database is being opened."""

    def note_log(self) -> None:
        """Remember what lies beside the database that is open."""

    def tidy(self) -> None:
        """Put aside what lies beside a database that is no longer here."""

    def is_same(self) -> bool:
        """Whether the database that was opened is still where it was; quick."""

    def identity(self) -> object | None:
        """What is there now; None if nothing is."""

    def keep_before_migrating(self, revision: str) -> Path | None:
        """Keep a copy of a database of an earlier revision; returns where. Raises Unfit."""

    def back_up(self, target: Path) -> None:
        """Copy the database, which may be in use, into a file; raises CopyFailed."""

    def restore(self, source: Path, check: Callable[[Connection], str | None]) -> Path | None:
        """Put a copy in the database's place; returns where that is kept now, if there was one.

        `check` gives the revision of a database or raises Unfit. Raises CopyFailed.
        """


class Writer(Protocol):
    """Gives out transactions for writing."""

    def writing(self, patience: float) -> AbstractAsyncContextManager[AsyncConnection]:
        """A transaction: stored when the block has ended, undone if it raises."""

    def fail(self, error: BaseException) -> None:
        """Let everybody fail who still waits for one."""

    async def idle(self) -> None:
        """Wait until nobody writes or waits to."""


Begin = Callable[[float], Awaitable[AsyncConnection]]

Failed = Callable[[BaseException, AsyncConnection], Awaitable[BaseException]]


class Backend(Protocol):
    """One database engine."""

    ENGINE_OPTIONS: Mapping[str, Any]
    """What SQLAlchemy's engine is made with."""
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

    def Writer(  # noqa: N802  # it is a class
        self, begin: Begin, require: Callable[[], None], failed: Failed, commits: Commits, /
    ) -> Writer:
        """What gives out transactions for writing.

        `begin` opens a connection and begins a transaction by a deadline, `require` raises if the
        database that was opened is no longer there, `failed` says what to raise for an error and
        discards a connection that it has spoilt, `commits` ends what has begun.
        """

    def Place(self, url: URL, /) -> Place:  # noqa: N802  # it is a class
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
        """Keep others from changing the rows of which a key has these values.

        What the transaction reads from then on includes what whoever came first has stored.
        """

    async def hold(self, connection: AsyncConnection, /) -> bool:
        """Have the database alone until this connection closes; False if a program has it open.

        The connection has the execution option `writes`, and no transaction before and after.
        """

    async def settle(self, connection: AsyncConnection, ids: Mapping[str, str | None], /) -> None:
        """Complete tables into which rows were copied with their ids.

        `ids` has them all, with the column to which the database itself gives numbers, if any: it
        goes on after the highest one.
        """

    def in_byte_order(self, column: ColumnElement[Any], /) -> ColumnElement[Any]:
        """What to order rows by, so that texts come in the same order on every engine."""

    def prepare_migrations(self) -> None:
        """Make ready for running migrations."""

    def reason(self, error: BaseException, /) -> str | None:
        """Why the database is unavailable, as in `Unavailable`, if that is what an error says."""

    def is_collision(self, error: BaseException, /) -> bool:
        """Whether a transaction was undone only because of another one at the same time."""


def backend_of(name: str) -> Backend:
    """The backend for an engine, by SQLAlchemy's name for it; raises KeyError if there is none."""
    if name == "postgresql":
        # Imported here because its driver is installed only where it is used.
        from bot.database import postgres

        return postgres
    return {"sqlite": sqlite}[name]
