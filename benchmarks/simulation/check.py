"""The simulation beside the real program: `python -m benchmarks.simulation.check --games 300`.

Real games run over the wire at two rates by turns, so that whatever else the machine does hits both
alike. The moves that are recorded at one rate are simulated at the other, and the other way round.
Of the minutes with which a simulation is compared it only knows what people did: how many games
they began and ended for each move. The median, the p90 and the p99 of click to board should be
within 15 % of the real ones.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import replace

from benchmarks.capacity.figures import Wire
from benchmarks.capacity.over_the_wire import Watched, joined, watch, wire_figures
from benchmarks.capacity.tables import table
from benchmarks.load import share
from benchmarks.simulation.small_scale import simulate

SHARES = (0.5, 0.9, 0.99)
TOLERANCE = 0.15
IDLE = 15.0
"""Seconds with nobody playing, which show what the event loop computes for nobody."""
LONG = 1200.0
"""Seconds that are simulated: long enough for chance to matter little."""
HALVES = 2
"""How often each rate has its turn."""


def compare(wire: Wire, real: Watched, rate: float, fitted: float) -> tuple[str, bool]:
    """A Markdown table of both, and whether they agree."""
    asked = wire_figures(real)
    wire = replace(wire, others_a_move=asked.others_a_move)
    simulated = simulate(wire, games=real.games, rate=rate, seconds=LONG, ends=asked.ends)
    rows, fits = [], True
    for part in SHARES:
        true, guess = share(real.waits, part), simulated.under(part)
        low, high = interval(real.waits, part)
        name, chance = f"click to board, p{100 * part:.0f}, s", f"{low:.4f} to {high:.4f}"
        rows.append(
            (name, f"{true:.4f}", chance, f"{guess:.4f}", f"{100 * (guess / true - 1):+.0f} %")
        )
        fits &= abs(guess / true - 1.0) <= TOLERANCE
    head = (
        f"{rate:g} a second, from moves at {fitted:g} a second",
        *("real", "by chance (95 %)", "simulated", "difference"),
    )
    return table(head, rows), fits


def interval(values: list[float], part: float) -> tuple[float, float]:
    """Between which values the true quantile lies, with 95 % confidence."""
    ordered, width = sorted(values), 1.96 * (part * (1.0 - part) / len(values)) ** 0.5
    places = (round(len(ordered) * (part + side * width)) for side in (-1, 1))
    low, high = (ordered[min(len(ordered) - 1, max(0, place))] for place in places)
    return low, high


def described(real: Watched) -> str:
    """How the real run went."""
    late = [ms for sample in real.samples for ms in sample["late"]]
    return (
        f"{len(real.waits):,} moves, {real.rate:.2f} a second; other programs took "
        f"{real.others:.2f} cores, nobody {real.idle:.2f}; the event loop computed "
        f"{1000 * real.loop:.1f} ms a move, its lag's p99 was {share(late, 0.99):.1f} ms"
    )


def main(words: Sequence[str] | None = None) -> None:
    """Run both, and print tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulation.check")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--rates", type=float, nargs=2, default=(3.0, 8.0))
    parser.add_argument("--minutes", type=float, nargs=2, default=(6.0, 4.0), help="for each rate")
    options = parser.parse_args(words)
    turns = [(r, 60.0 * m / HALVES) for r, m in zip(options.rates, options.minutes, strict=True)]
    idle, *seen = asyncio.run(watch(options.games, (0.0, IDLE), *turns * HALVES))
    report(idle, [joined(seen[at :: len(turns)]) for at in range(len(turns))], options.rates)


def report(idle: Watched, seen: Sequence[Watched], rates: Sequence[float]) -> None:
    """Print how the simulation of each rate compares, from the moves at the other one."""
    wires = [wire_figures(one, idle.computed / idle.seconds) for one in seen]
    fits = True
    for at, (one, rate) in enumerate(zip(seen, rates, strict=True)):
        text, agrees = compare(wires[1 - at], one, rate, rates[1 - at])
        fits &= agrees
        print(text, f"Real: {described(one)}.", sep="\n\n", end="\n\n")
    print(f"{'within' if fits else 'NOT within'} {TOLERANCE:.0%}")


if __name__ == "__main__":
    main()
