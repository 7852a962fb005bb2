"""What differs between database engines; each has a module or a package in this one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import URL, Connection, Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import sqlite


class Place(Protocol):
    """Where a database is kept."""

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


class Backend(Protocol):
    """One database engine."""

    def Place(self, url: URL, /) -> Place:  # noqa: N802  # it is a class
        """Where the database at an address is kept."""

    def address(self, url: URL, /) -> URL:
        """The address with which to connect."""

    def insert(self, table: Any, /) -> Any:
        """An INSERT with the engine's own `on_conflict_do_nothing` and `on_conflict_do_update`."""

    def prepare(self, engine: Engine, /) -> None:
        """Set an engine up before its first connection."""

    async def leave(self, connection: AsyncConnection, /) -> None:
        """Complete a database that is no longer where it was, before the connections close."""

    def reason(self, error: DBAPIError, /) -> str | None:
        """Why the database is unavailable, as in `Unavailable`, if that is what an error says."""


BACKENDS: dict[str, Backend] = {"sqlite": sqlite}
"""By the name that SQLAlchemy gives the engine."""


def backend_of(name: str) -> Backend:
    """The backend for an engine; raises KeyError if there is none."""
    return BACKENDS[name]
