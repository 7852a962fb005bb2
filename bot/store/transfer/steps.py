"""What a transfer says of itself."""

from __future__ import annotations

from dataclasses import dataclass

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
