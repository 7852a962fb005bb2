"""Rows in a form that is the same on every engine.

One of the two databases of a transfer.

What a transfer says of itself.

What is copied: every table of the models, whichever there are.

Tables and columns whose `info` has `transient` belong to running processes, and stay behind.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    ColumnClause,
    ColumnElement,
    DateTime,
    Float,
    Insert,
    MetaData,
    Select,
    Table,
    TableClause,
    column,
    func,
    insert,
    literal,
    make_url,
    select,
    table,
    tuple_,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.types import TypeEngine

from bot.database.backends import Backend, backend_of
from bot.database.errors import BROKEN, CutShort, Unavailable, Unfit

Change = Callable[[Any], Any]


def canonical_form(types: Sequence[TypeEngine[Any]]) -> Callable[[Iterable[Any]], bytes]:
    """What turns a row of columns of these types into bytes, the same for equal rows."""
    changes = _changes(types, _canonical)

    def form(row: Iterable[Any]) -> bytes:
        values = list(row)
        for at, change in changes:
            if values[at] is not None:
                values[at] = change(values[at])
        return repr(values).encode()

    return form


def stored_form(
    names: Sequence[str], types: Sequence[TypeEngine[Any]]
) -> Callable[[Iterable[Any]], dict[str, Any]]:
    """What turns a row that was read into values by column, for any engine to store."""
    changes = _changes(types, _storable)

    def form(row: Iterable[Any]) -> dict[str, Any]:
        values = list(row)
        for at, change in changes:
            if values[at] is not None:
                values[at] = change(values[at])
        return dict(zip(names, values, strict=True))

    return form


def _changes(
    types: Sequence[TypeEngine[Any]], change_for: Callable[[TypeEngine[Any]], Change | None]
) -> list[tuple[int, Change]]:
    found = ((at, change_for(kind)) for at, kind in enumerate(types))
    return [(at, change) for at, change in found if change is not None]


def _canonical(kind: TypeEngine[Any]) -> Change | None:
    if isinstance(kind, Boolean):
        return bool
    if isinstance(kind, Float):
        return _number
    if isinstance(kind, JSON):
        return _json
    return _moment if isinstance(kind, DateTime) else None


def _storable(kind: TypeEngine[Any]) -> Change | None:
    return _in_utc if isinstance(kind, DateTime) and kind.timezone else None


def _number(value: Any) -> float:
    # SQLite keeps no negative zero.
    return float(value) + 0.0


def _json(value: Any) -> str:
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    """The same JSON with numbers written one way: engines may keep 1.0 as 1."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def _moment(value: datetime) -> str:
    return _in_utc(value).isoformat()


def _in_utc(value: datetime) -> datetime:
    """The same moment in UTC, which is what is meant where an engine keeps no time zone."""
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


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


COPYING, CHECKING = "copying", "checking"

CHANGED = (
    "One of them was changed meanwhile. Stop what uses them, and start again with an empty target."
)


class TransferFailed(Exception):
    """A transfer did not come to its end; each argument is one line that says why."""


class DatabaseDamaged(TransferFailed):
    """A transfer did not come to its end because one of the two databases is damaged."""


@dataclass(frozen=True, slots=True)
class Step:
    """How far a transfer is with one table."""

    what: str
    """`copying` or `checking`."""
    table: str
    done: int
    """Rows so far, those of an earlier run included."""
    rows: int


@dataclass(frozen=True, slots=True)
class TableSum:
    """What a table holds."""

    table: str
    rows: int
    checksum: str
    """The same for equal rows, whatever engine they are kept in."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A transfer that has ended well."""

    sums: tuple[TableSum, ...]
    """Of every table; those of the source and of the target are equal."""
    resumed: bool
    """Whether an earlier run had been cut short."""


TRANSIENT = "transient"
"""The key in the `info` of a table or a column of which nothing is copied."""

Key = tuple[Any, ...]


def is_transient(part: Any) -> bool:
    """Whether a table or a column belongs to running processes."""
    return bool(part.info.get(TRANSIENT, False))


def copied_tables(metadata: MetaData) -> tuple[CopiedTable, ...]:
    """All that is copied, each table after those to which its rows refer."""
    return tuple(CopiedTable.of(one) for one in metadata.sorted_tables if not is_transient(one))


@dataclass(frozen=True, slots=True)
class CopiedTable:
    """One table, with the columns that are copied."""

    clause: TableClause
    key: tuple[ColumnClause[Any], ...]
    """The columns of its primary key."""
    ids: str | None
    """The column to which the database itself gives numbers."""
    canonical: Callable[[Iterable[Any]], bytes]
    """Turns a row into bytes that are the same for equal rows of all engines."""
    stored: Callable[[Iterable[Any]], dict[str, Any]]
    """Turns a row that was read into what is given to the database to store."""

    @classmethod
    def of(cls, whole: Table) -> CopiedTable:
        """Prepare a table of the models."""
        kept = [one for one in whole.columns if not is_transient(one)]
        columns = {one.name: column(one.name, _type_of(one.type)) for one in kept}
        clause = table(whole.name, *columns.values())
        key = tuple(columns[one.name] for one in whole.primary_key)
        numbered = whole.autoincrement_column
        types = [one.type for one in columns.values()]
        return cls(
            clause,
            key,
            None if numbered is None else numbered.name,
            canonical_form(types),
            stored_form(tuple(columns), types),
        )

    @property
    def name(self) -> str:
        """What the table is called."""
        return self.clause.name

    def rows(self, backend: Backend, after: Key | None = None) -> Select[Any]:
        """All rows in the order of the primary key, or those behind one key."""
        order = self._order(backend)
        statement = select(*self.clause.columns).order_by(*order)
        if after is None:
            return statement
        values = (literal(value, one.type) for value, one in zip(after, self.key, strict=True))
        return statement.where(tuple_(*order) > tuple_(*values))

    def last(self, backend: Backend) -> Select[Any]:
        """The highest key."""
        order = (one.desc() for one in self._order(backend))
        return select(*self.key).order_by(*order).limit(1)

    def count(self) -> Select[int]:
        """How many rows there are."""
        return select(func.count()).select_from(self.clause)

    def insert(self) -> Insert:
        """The statement that stores rows, as `stored` makes them."""
        return insert(self.clause)

    def key_of(self, row: Any) -> Key:
        """The primary key of a row that was read."""
        return tuple(row._mapping[one.name] for one in self.key)

    def named(self, key: Key) -> str:
        """A key in words."""
        return ", ".join(f"{one.name} {value}" for one, value in zip(self.key, key, strict=True))

    def _order(self, backend: Backend) -> list[ColumnElement[Any]]:
        return [backend.in_byte_order(one) for one in self.key]


def _type_of(kind: Any) -> Any:
    """The type of a column; what is empty is stored as that, and not as JSON's own null."""
    if isinstance(kind, JSON):
        kind = copy(kind)
        kind.none_as_null = True
    return kind
