"""What one machine bears, for planning: `python -m benchmarks.capacity`.

Measures the engine's CPU a move by level, writes a second on SQLite and PostgreSQL, what a game
leaves in either, what a running game and a process take in memory, and what a move costs over the
wire, stage by stage, with the requests to Discord that it takes. Prints Markdown tables and, with
`--save`, writes `benchmarks/capacity/measured.json`, from which `benchmarks.simulation` computes.
It takes about four minutes.
"""

from __future__ import annotations

import argparse
import asyncio

from benchmarks.capacity import over_the_wire, searches, stores
from benchmarks.capacity.figures import Figures, Memory, here_and_now
from benchmarks.capacity.tables import tables


def measure(positions: int, games: int, seconds: float) -> Figures:
    """Measure everything on this machine."""
    machine, date = here_and_now()
    levels = searches.measure(positions)
    sqlite, postgres, size, running = asyncio.run(stores.measure(games))
    wire, process = over_the_wire.measure(60, 3.0, seconds)
    return Figures(
        machine=machine,
        date=date,
        levels=levels,
        boards=tuple(f"{family} {variant}" for family, variant in searches.BOARDS),
        sqlite=sqlite,
        postgres=postgres,
        size=size,
        memory=Memory(process, running),
        wire=wire,
    )


def main() -> None:
    """Print the figures, and keep them if asked to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.capacity", description=__doc__)
    parser.add_argument("--positions", type=int, default=40, help="of each board, for each level")
    parser.add_argument("--games", type=int, default=300, help="played in each database")
    parser.add_argument("--seconds", type=float, default=90.0, help="over the wire")
    parser.add_argument("--save", action="store_true", help="write measured.json")
    options = parser.parse_args()
    figures = measure(options.positions, options.games, options.seconds)
    print(tables(figures))
    if options.save:
        figures.save()


if __name__ == "__main__":
    main()
