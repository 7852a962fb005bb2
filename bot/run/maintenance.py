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
from bot.database.transfer import DatabaseDamaged, Step, TransferFailed, transfer
from bot.settings import Settings, database_address

OK, FAILED, DAMAGED = 0, 1, 2

LARGE_TABLE = 50_000
"""Rows from which on the progress within a table is logged."""


def back_up(settings: Settings, target: Path, console: Console) -> int:
    """Copy the database into a file; returns the exit status."""
    try:
        Database(settings.database_url).place.back_up(target)
    except CopyFailed as error:
        return _failed(error)
    _print(console, f"The database has been copied to {target}.")
    return OK


def restore(settings: Settings, source: Path, console: Console) -> int:
    """Put a copy in the database's place; returns the exit status."""
    try:
        kept = Database(settings.database_url).place.restore(source, require_ours)
    except CopyFailed as error:
        return _failed(error)
    before = "" if kept is None else f" The one before is kept as {kept}."
    _print(console, f"The database is now that of {source}; a running bot goes on with it.{before}")
    return OK


def _failed(error: CopyFailed | TransferFailed) -> int:
    for line in error.args:
        print(f"cuatro: {line}", file=sys.stderr)
    return DAMAGED if isinstance(error, (CopyDamaged, DatabaseDamaged)) else FAILED


def _print(console: Console, text: str) -> None:
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def migrate_data(source: str, target: str, console: Console) -> int:
    """Copy a database to an empty one, or continue to; returns the exit status.

    Raises SettingsError for a wrong address.
    """
    # Loads the features' tables, which mark the columns that are not copied. The other commands do
    # not need what the features import.
    from bot.app import find_features

    find_features()
    addresses = database_address("--from", source), database_address("--to", target)
    is_seen = console.is_terminal
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not is_seen,
    )
    try:
        with bar as progress:
            # Where there is no terminal, as in a log, lines report the progress.
            report = _bar(progress) if is_seen else _lines(console)
            outcome = asyncio.run(transfer(*addresses, report))
    except TransferFailed as error:
        return _failed(error)
    except KeyboardInterrupt:
        print("cuatro: Stopped. Run the same command again to continue.", file=sys.stderr)
        return FAILED
    table = Table("table", "rows", "checksum, equal on both sides", box=None)
    table.columns[1].justify = "right"
    for one in outcome.sums:
        table.add_row(one.table, str(one.rows), one.checksum[:16])
    console.print(table)
    rows = sum(one.rows for one in outcome.sums)
    how = "An earlier run was continued" if outcome.resumed else "Everything was copied"
    _print(
        console,
        f"{how}: {rows} rows, all equal. Set DATABASE_URL to the target, and start the bot.",
    )
    return OK


def _bar(progress: Progress) -> Callable[[Step], None]:
    """Return a function that shows each step on a progress bar."""
    task = progress.add_task("")

    def report(step: Step) -> None:
        text = f"{step.what} {step.table}"
        progress.update(task, description=text, completed=step.done, total=step.rows)

    return report


def _lines(console: Console) -> Callable[[Step], None]:
    """Return a function that prints a line for each tenth of a table."""
    tenths: dict[tuple[str, str], int] = {}

    def report(step: Step) -> None:
        what, tenth = (step.what, step.table), step.done * 10 // max(1, step.rows)
        is_new = tenth > tenths.get(what, 0)
        if is_new and (step.rows >= LARGE_TABLE or step.done == step.rows):
            tenths[what] = tenth
            console.print(f"{step.what} {step.table}: {tenth * 10} %", highlight=False)

    return report
