"""Random sequences of play against a plain model: `python -m benchmarks.sequences --count 2000`.

A Hypothesis machine starts games, moves, requests hints, undoes moves, offers draws, resigns,
challenges, requests rematches, advances the clock and restarts the program, for several people and
channels. After each step the games in memory and in the store must equal those of a plain model,
and every refusal that of the model. Failing sequences are shortened and printed. The test suite
runs a few sequences.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from time import perf_counter

from sqlalchemy import create_engine

from bot.database.schema import upgrade
from bot.database.sqlite import SQLITE
from tests.bot.features.proposals.test_sequences import ProposalMachine
from tests.bot.sessions.table_machine import run_sequences


def empty_database(folder: str) -> Path:
    """An empty database of the newest version."""
    file = Path(folder, "empty.db")
    engine = create_engine(f"sqlite:///{file.as_posix()}")
    SQLITE.prepare(engine)
    with engine.execution_options(writes=True, migrates=True).begin() as connection:
        upgrade(connection)
    engine.dispose()
    return file


def main() -> None:
    """Print the number of each kind of event as a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--steps", type=int, default=40)
    options = parser.parse_args()
    began = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        seen = run_sequences(
            empty_database(folder), options.count, options.steps, machine=ProposalMachine
        )
    print(f"| {options.count} sequences, {perf_counter() - began:.0f} s | times |")
    print("| --- | ---: |")
    for what, times in sorted(seen.items()):
        print(f"| {what or 'done'} | {times:,} |")


if __name__ == "__main__":
    main()
