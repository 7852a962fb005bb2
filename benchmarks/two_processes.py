"""Whether two processes lose or double moves: `python -m benchmarks.two_processes`.

Both click at the next move of the same game, so most clicks come too late. Afterwards each stored
move must be one that exactly one process saw stored. Runs on an SQLite file and on PostgreSQL.
With `--through sessions` the clicks go through the bot's sessions, with its rules, memory and
ownership of games; only PostgreSQL serves several such processes.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tests.bot.support.postgres import in_full, postgres
from tests.bot.support.two_processes import Contest, contend


async def measure(clicks: int, through: str) -> bool:
    """Measure on both databases; returns whether no move was doubled or lost."""
    results = []
    if through == "store":
        results.append(("SQLite", await _on_a_file(clicks)))
    with postgres() as address:
        results.append(("PostgreSQL", await contend(in_full(address), clicks, through)))
    print("| database | clicks | stored | too late | double | lost | seconds |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, one in results:
        late = one.clicks - one.acknowledged
        figures = (one.clicks, one.stored, late, one.doubles, one.lost, f"{one.seconds:.1f}")
        print(f"| {name} | " + " | ".join(map(str, figures)) + " |")
    return all(
        not one.doubles and not one.lost and one.acknowledged == one.stored for _, one in results
    )


async def _on_a_file(clicks: int) -> Contest:
    with tempfile.TemporaryDirectory() as folder:
        file = (Path(folder) / "clicks.db").as_posix()
        return await contend(f"sqlite+aiosqlite:///{file}", clicks)


def main() -> None:
    """Print a Markdown table; the exit status is 1 if a move was lost or doubled."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clicks", type=int, default=10_000, help="in all")
    parser.add_argument("--through", choices=("store", "sessions"), default="store")
    given = parser.parse_args()
    if not asyncio.run(measure(given.clicks, given.through)):
        sys.exit(1)


if __name__ == "__main__":
    main()
