"""Rows in a form that is the same on every engine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, Boolean, DateTime, Float
from sqlalchemy.types import TypeEngine

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
