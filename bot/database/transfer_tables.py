"""The contents of a transfer: tables, and their rows in a form that is the same on every engine.

Tables and columns whose `info` has `transient` belong to running processes, and are not copied.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
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
    MetaData,
    Select,
    Table,
    TableClause,
    column,
    literal,
    select,
    table,
    tuple_,
)
from sqlalchemy.types import TypeEngine

from bot.database.backends import Backend

Convert = Callable[[Any], Any]

Key = tuple[Any, ...]

TRANSIENT = "transient"
"""The key in the `info` of a table or a column of which nothing is copied."""


def is_transient(part: Any) -> bool:
    """Whether a table or a column belongs to running processes."""
    return bool(part.info.get(TRANSIENT, False))


def copied_tables(metadata: MetaData) -> tuple[CopiedTable, ...]:
    """The tables to copy, each after those to which its rows refer."""
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
    """Turns a row that was read into the values to store."""

    @classmethod
    def of(cls, whole: Table) -> CopiedTable:
        """Prepare a table."""
        kept = [one for one in whole.columns if not is_transient(one)]
        columns = {one.name: column(one.name, _type_of(one.type)) for one in kept}
        clause = table(whole.name, *columns.values())
        key = tuple(columns[one.name] for one in whole.primary_key)
        numbered = whole.autoincrement_column
        types = [one.type for one in columns.values()]
        canonical, storable = _converter(types, _canonical), _converter(types, _storable)
        return cls(
            clause,
            key,
            None if numbered is None else numbered.name,
            lambda row: repr(canonical(row)).encode(),
            lambda row: dict(zip(columns, storable(row), strict=True)),
        )

    @property
    def name(self) -> str:
        """The name of the table."""
        return self.clause.name

    def rows(self, backend: Backend, after: Key | None = None) -> Select[Any]:
        """All rows in the order of the primary key, or those after one key."""
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

    def key_of(self, row: Any) -> Key:
        """The primary key of a row that was read."""
        return tuple(row._mapping[one.name] for one in self.key)

    def named(self, key: Key) -> str:
        """A key as text, such as `id 3`."""
        return ", ".join(f"{one.name} {value}" for one, value in zip(self.key, key, strict=True))

    def _order(self, backend: Backend) -> list[ColumnElement[Any]]:
        return [backend.in_byte_order(one) for one in self.key]


def _type_of(kind: Any) -> Any:
    """The type of a column; an empty value is stored as NULL, and not as JSON's own null."""
    if isinstance(kind, JSON):
        kind = copy(kind)
        kind.none_as_null = True
    return kind


def _converter(
    types: Sequence[TypeEngine[Any]], converter_of: Callable[[TypeEngine[Any]], Convert | None]
) -> Callable[[Iterable[Any]], list[Any]]:
    """A function that converts a row of columns of these types."""
    found = ((place, converter_of(kind)) for place, kind in enumerate(types))
    converters = [(place, convert) for place, convert in found if convert is not None]

    def convert_row(row: Iterable[Any]) -> list[Any]:
        values = list(row)
        for place, convert in converters:
            if values[place] is not None:
                values[place] = convert(values[place])
        return values

    return convert_row


def _canonical(kind: TypeEngine[Any]) -> Convert | None:
    if isinstance(kind, Boolean):
        return bool
    if isinstance(kind, Float):
        # SQLite keeps no negative zero.
        return lambda value: float(value) + 0.0
    if isinstance(kind, JSON):
        return lambda value: json.dumps(_plain(value), sort_keys=True)
    return (lambda value: _in_utc(value).isoformat()) if isinstance(kind, DateTime) else None


def _storable(kind: TypeEngine[Any]) -> Convert | None:
    return _in_utc if isinstance(kind, DateTime) and kind.timezone else None


def _plain(value: Any) -> Any:
    """The same JSON with numbers written one way: engines may keep 1.0 as 1."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def _in_utc(value: datetime) -> datetime:
    """The same moment in UTC, also for values of engines that keep no time zone."""
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
