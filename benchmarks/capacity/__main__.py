"""Costs on one machine, for planning: `python -m benchmarks.capacity`.

Measures CPU of searches by level, writes per second on SQLite and PostgreSQL, storage of a game,
memory of a server and of a running game, CPU of Dask for a job, and the costs of a move in each
deployment: CPU, statements, transactions, writes to disk, each stage, and requests to Discord.
Prints Markdown tables. `--save` writes `benchmarks/capacity/measured.json`, the input of
`benchmarks.simulation`.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
from dataclasses import replace

from benchmarks import memory
from benchmarks.capacity import scheduling, searches, shapes, stores
from benchmarks.capacity.figures import Figures, Memory, provenance
from benchmarks.capacity.tables import tables
from bot.discord.gateway import LeanState
from tests.bot.support.wire.shapes import SHAPES

SERVERS = 2000
"""Number of servers for the measurement of memory."""
USUAL, LARGE = (20, 15, 3), (50, 40, 3)
"""Channels, roles, and overwrites per channel of a server."""
JOBS = 2000
"""Number of jobs for the cluster."""


def measure(positions: int, games: int, seconds: float) -> Figures:
    """Measure all figures on this machine."""
    machine, date, commit = provenance()
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        usual, large = (
            pool.apply(memory.measure, (LeanState, SERVERS, *parts)) for parts in (USUAL, LARGE)
        )
    levels = searches.measure(positions)
    sqlite, postgres, size, running = asyncio.run(stores.measure(games))
    jobs = asyncio.run(scheduling.measure(JOBS))
    found, others = shapes.measure(SHAPES, seconds)
    return Figures(
        machine=machine,
        date=date,
        commit=commit,
        others=others,
        levels=levels,
        boards=tuple(f"{family} {variant}" for family, variant in searches.BOARDS),
        sqlite=sqlite,
        postgres=postgres,
        size=size,
        memory=Memory(running, usual, large),
        scheduling=jobs,
        shapes=found,
    )


def main() -> None:
    """Print the figures, and save them with `--save`."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.capacity", description=__doc__)
    parser.add_argument("--positions", type=int, default=40, help="of each board, for each level")
    parser.add_argument("--games", type=int, default=300, help="played in each database")
    parser.add_argument("--seconds", type=float, default=50.0, help="of each run with players")
    parser.add_argument("--shapes", help="measure only these again, such as sqlite,cluster")
    parser.add_argument("--save", action="store_true", help="write measured.json")
    options = parser.parse_args()
    if options.shapes:
        figures = Figures.load()
        found, _ = shapes.measure(options.shapes.split(","), options.seconds)
        figures = replace(figures, shapes={**figures.shapes, **found})
    else:
        figures = measure(options.positions, options.games, options.seconds)
    print(tables(figures))
    if options.save:
        figures.save()


if __name__ == "__main__":
    main()
