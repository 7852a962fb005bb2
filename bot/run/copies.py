"""The commands that copy the database and put a copy in its place, also while the bot runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from bot.settings import Settings
from bot.store.database import Database
from bot.store.migrate import require_ours
from bot.store.troubles import CopyDamaged, CopyFailed

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
