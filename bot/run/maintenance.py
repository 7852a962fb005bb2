"""The commands that back up, restore and transfer the database."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from bot.database.database import Database
from bot.database.errors import CopyDamaged, CopyFailed
from bot.database.schema import require_ours
from bot.database.transfer import DatabaseDamaged, Outcome, Step, TransferFailed, transfer
from bot.settings import Settings, database_address

OK, FAILED, DAMAGED = 0, 1, 2


def back_up(settings: Settings, target: Path, console: Console) -> int:
    """Copy the database into a file; returns the exit status."""

    def copy() -> str:
        Database(settings.database_url).place.back_up(target)
        return f"The database has been copied to {target}."

    return _tell(copy, console)


def restore(settings: Settings, source: Path, console: Console) -> int:
    """Put a copy in the database's place; returns the exit status."""

    def put() -> str:
        kept = Database(settings.database_url).place.restore(source, require_ours)
        said = f"The database is now that of {source}; a running bot goes on with it."
        return said if kept is None else f"{said} The one before is kept as {kept}."

    return _tell(put, console)


def _tell(work: Callable[[], str], console: Console) -> int:
    try:
        said = work()
    except CopyFailed as error:
        print(f"cuatro: {error}", file=sys.stderr)
        return DAMAGED if isinstance(error, CopyDamaged) else FAILED
    console.print(said, highlight=False, markup=False, soft_wrap=True)
    return OK


OK, FAILED, DAMAGED = 0, 1, 2

LARGE = 50_000
"""Rows of a table of which it is said how far it is."""


def migrate_data(source: str, target: str, console: Console) -> int:
    """Copy a database to an empty one, or go on with that; returns the exit status.

    Raises SettingsError for a wrong address.
    """
    # Imported here because other commands here do not need all that the features import.
    from bot.app import find_features

    # Their tables say which of their columns stay behind.
    find_features()
    given = database_address("--from", source), database_address("--to", target)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    is_seen = console.is_terminal
    bar = Progress(
        *columns, TimeElapsedColumn(), console=console, transient=True, disable=not is_seen
    )
    try:
        with bar as progress:
            # Where nobody looks on, as in a log, lines say how far it is.
            tell = _bar(progress) if is_seen else _lines(console)
            outcome = asyncio.run(transfer(*given, tell))
    except TransferFailed as failed:
        for line in failed.args:
            print(f"cuatro: {line}", file=sys.stderr)
        return DAMAGED if isinstance(failed, DatabaseDamaged) else FAILED
    except KeyboardInterrupt:
        print("cuatro: Stopped. The same command goes on from here.", file=sys.stderr)
        return FAILED
    _show(outcome, console)
    return OK


def _bar(progress: Progress) -> Callable[[Step], None]:
    task = progress.add_task("")

    def tell(step: Step) -> None:
        what = f"{step.what} {step.table}"
        progress.update(task, description=what, completed=step.done, total=step.rows)

    return tell


def _lines(console: Console) -> Callable[[Step], None]:
    tenths: dict[tuple[str, str], int] = {}

    def tell(step: Step) -> None:
        what, tenth = (step.what, step.table), step.done * 10 // max(1, step.rows)
        is_new = tenth > tenths.get(what, 0)
        if is_new and (step.rows >= LARGE or step.done == step.rows):
            tenths[what] = tenth
            console.print(f"{step.what} {step.table}: {tenth * 10} %", highlight=False)

    return tell


def _show(outcome: Outcome, console: Console) -> None:
    """Say what was copied."""
    table = Table("table", "rows", "checksum, equal on both sides", box=None)
    table.columns[1].justify = "right"
    for one in outcome.sums:
        table.add_row(one.table, str(one.rows), one.checksum[:16])
    console.print(table)
    rows = sum(one.rows for one in outcome.sums)
    how = "An earlier run was gone on with" if outcome.resumed else "Everything was copied"
    console.print(
        f"{how}: {rows} rows, all equal. Set DATABASE_URL to the target, and start the bot.",
        highlight=False,
        soft_wrap=True,
    )
