"""Texts of exported files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any


def csv_text(fields: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """The text of a CSV file with a header; `fields` are the columns."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fields, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def csv_time(seconds: float) -> str:
    """A time as exports write it: ISO 8601 in UTC, for seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
