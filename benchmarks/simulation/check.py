"""The simulation beside the real program: `python -m benchmarks.simulation.check --games 300`.

Real games run over the wire: first slowly, which shows the CPU of each stage of a move, then faster
for some minutes. As many games are simulated at the faster rate. How long the disk, the threads and
the stand-in let a stage wait is taken from the same minutes, since that is the machine's, which
other programs use too; everything else is from the slow ones. The median and the p99 of click to
board should be within a third of the real ones.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import replace

from benchmarks.capacity.figures import Wire
from benchmarks.capacity.over_the_wire import Watched, watch, wire_figures
from benchmarks.capacity.tables import table
from benchmarks.load import share
from benchmarks.simulation.small_scale import simulate

SHARES = (0.5, 0.9, 0.99)
JUDGED = (0.5, 0.99)
TOLERANCE = 1.0 / 3.0
SLOW = 3.0
"""Moves a second while it is measured what stages take."""
LONG = 600.0
"""Seconds that are simulated: long enough for chance to matter little."""


def compare(wire: Wire, real: Watched, rate: float) -> tuple[str, bool]:
    """A Markdown table of both, and whether they agree."""
    simulated = simulate(wire, games=real.games, rate=rate, seconds=LONG)
    rows, fits = [], True
    for part in SHARES:
        true, guess = share(real.waits, part), simulated.under(part)
        name = f"click to board, p{100 * part:.0f}, s"
        rows.append((name, f"{true:.3f}", f"{guess:.3f}", f"{100 * (guess / true - 1):+.0f} %"))
        fits &= part not in JUDGED or abs(guess / true - 1.0) <= TOLERANCE
    return table((f"{real.games} games at once", "real", "simulated", "difference"), rows), fits


def described(real: Watched) -> str:
    """How the real run went."""
    late = [ms for sample in real.samples for ms in sample["late"]]
    return (
        f"{len(real.waits):,} moves, {real.rate:.2f} a second; other programs took "
        f"{real.others:.2f} cores, nobody {real.idle:.2f}; the event loop computed "
        f"{1000 * real.loop:.1f} ms a move, its lag's p99 was {share(late, 0.99):.1f} ms"
    )


def main(words: Sequence[str] | None = None) -> None:
    """Run both, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulation.check")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--rate", type=float, default=8.0)
    parser.add_argument("--minutes", type=float, default=4.0)
    parser.add_argument("--measured", type=float, default=1.5, help="minutes of slow play before")
    options = parser.parse_args(words)
    phases = (SLOW, 60.0 * options.measured), (options.rate, 60.0 * options.minutes)
    slow, real = asyncio.run(watch(options.games, *phases))
    wire = replace(wire_figures(slow), beside=wire_figures(real).beside)
    text, fits = compare(wire, real, options.rate)
    print(text, f"Slow: {described(slow)}.", f"Then: {described(real)}.", sep="\n\n")
    print("within a third" if fits else "NOT within a third")
    text, _ = compare(wire_figures(slow), real, options.rate)
    print("\nWith the waits of the slow minutes:", text, sep="\n\n")


if __name__ == "__main__":
    main()
