"""The simulation beside the real program: `python -m benchmarks.simulation.check --games 300`.

Real games run over the wire for some minutes, then as many are simulated at the same rate, on the
figures that `benchmarks.capacity` has measured (--file FILE for others) and with the share of the machine
that other programs took meanwhile. The median and the p99 of click to board should be within a third
of the real ones.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path

from benchmarks.capacity.figures import FILE, Figures
from benchmarks.capacity.over_the_wire import Watched, watch
from benchmarks.capacity.tables import table
from benchmarks.load import share
from benchmarks.simulation.machine import Others
from benchmarks.simulation.small_scale import simulate

SHARES = (0.5, 0.9, 0.99)
TOLERANCE = 1.0 / 3.0


def compare(figures: Figures, real: Watched, rate: float) -> tuple[str, bool]:
    """A Markdown table of both, and whether they agree."""
    simulated = simulate(
        figures,
        games=real.games,
        rate=rate,
        seconds=real.seconds,
        others=Others(real.others, real.weight),
    )
    rows, fits = [], True
    for part in SHARES:
        true, guess = share(real.waits, part), simulated.under(part)
        name = f"click to board, p{100 * part:.0f}, s"
        rows.append((name, f"{true:.3f}", f"{guess:.3f}", f"{100 * (guess / true - 1):+.0f} %"))
        fits &= part == 0.9 or abs(guess / true - 1.0) <= TOLERANCE
    return table((f"{real.games} games at once", "real", "simulated", "difference"), rows), fits


def described(real: Watched) -> str:
    """How the real run went."""
    late = [ms for sample in real.samples for ms in sample["late"]]
    return (
        f"{len(real.waits):,} moves, {real.rate:.2f} a second; other programs took "
        f"{real.others:.2f} cores (weight {real.weight:.1f}), nobody {real.idle:.2f}; the event loop computed "
        f"{1000 * real.loop:.1f} ms a move, its lag's p99 was {share(late, 0.99):.1f} ms"
    )


def main(words: Sequence[str] | None = None) -> None:
    """Run both, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulation.check")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--rate", type=float, default=8.0)
    parser.add_argument("--minutes", type=float, default=4.0)
    parser.add_argument("--file", type=Path, default=FILE)
    options = parser.parse_args(words)
    figures = Figures.load(options.file)
    real = asyncio.run(watch(options.games, options.rate, 60.0 * options.minutes))
    text, fits = compare(figures, real, options.rate)
    print(text, described(real), sep="\n\n")
    print("within a third" if fits else "NOT within a third")


if __name__ == "__main__":
    main()
