"""One of the two databases of a transfer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import make_url
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from bot.store.backends import backend_of
from bot.store.transfer.steps import CHANGED, DatabaseDamaged, TransferFailed
from bot.store.troubles import BROKEN, CutShort, Unavailable, Unfit

_TYPE = re.compile(r"<class '[^']*'>: ")


class Side:
    """A database with one connection, which keeps other programs from it as far as it can."""

    def __init__(self, role: str, address: str) -> None:
        """Prepare for the `source` or the `target` at an SQLAlchemy address."""
        url = make_url(address)
        self.backend = backend_of(url.get_backend_name())
        self.place = self.backend.Place(url)
        self.name = self.place.name()
        self._called = f"The {role} {self.name}"
        self._url = self.backend.address(url)
        self._connection: AsyncConnection | None = None

    @property
    def connection(self) -> AsyncConnection:
        """The connection, of a database that is open."""
        assert self._connection is not None
        return self._connection

    async def open(self, *, reads: bool) -> None:
        """Connect, changing nothing; raises TransferFailed if a program has the database open.

        With `reads` each transaction sees one state throughout, and can change nothing on a server.
        """
        with self.explained():
            self.place.require_openable()
            engine = create_async_engine(self._url, **self.backend.ENGINE_OPTIONS)
            self.backend.prepare(engine.sync_engine)
            options = {**(self.backend.READING if reads else {}), "writes": True}
            self._connection = await engine.execution_options(**options).connect()
            if not await self.backend.hold(self._connection):
                raise Unfit("A running bot or another program has it open: stop that first.")

    async def close(self) -> None:
        """Disconnect, if there is a connection."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.close()
            await connection.engine.dispose()

    @contextmanager
    def explained(self, doing: str = "") -> Iterator[None]:
        """Raise TransferFailed, which tells what was being done, for all that a database raises."""
        try:
            yield
        except Unfit as error:
            kind = DatabaseDamaged if isinstance(error, CutShort) else TransferFailed
            raise kind(f"{self._called} cannot be used. {error}") from error
        except Unavailable as error:
            kind = DatabaseDamaged if error.reason == BROKEN else TransferFailed
            raise kind(self._told(error.reason, str(error), doing)) from error
        except self.backend.ERRORS as error:
            reason = self.backend.reason(error)
            told = self._told(reason, _line(error), doing)
            if reason == BROKEN:
                raise DatabaseDamaged(told) from error
            # A row is there already, or refers to one that is not.
            changed = f" {CHANGED}" if isinstance(error, IntegrityError) else ""
            raise TransferFailed(told + changed) from error

    def _told(self, reason: str | None, detail: str, doing: str) -> str:
        where = f"{self._called}, {doing}" if doing else self._called
        advice = "" if reason is None else f" {self.backend.ADVICE[reason]}"
        return f"{where}: {detail.rstrip('.')}.{advice}"


def _line(error: Exception) -> str:
    """What a database said, in one line."""
    told = str(getattr(error, "orig", None) or error)
    return " ".join(_TYPE.sub("", told).split()) or type(error).__name__
