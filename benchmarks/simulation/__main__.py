"""A plan for up to a million servers: `python -m benchmarks.simulation`.

Computes from the figures that `benchmarks.capacity` has measured and from the assumptions in
`benchmarks/simulation/assumptions.py`; simulates moves, a day, a launch, a lost zone and a slow
Discord, and prints Markdown tables. `--plot FILE` draws them.
`python -m benchmarks.simulation.check` holds the simulation against real games.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.capacity.figures import FILE, Figures
from benchmarks.simulation import report
from benchmarks.simulation.assumptions import Assumptions
from benchmarks.simulation.plan import breaks, plan_for
from benchmarks.simulation.plots import plot
from benchmarks.simulation.scenarios import at_peak, day, scenarios

SERVERS = (1_000, 10_000, 100_000, 1_000_000)
PARTS = (1.0, 1 / 4, 1 / 16, 1 / 32)
"""The parts of the largest fleet that are simulated, to see that a part shows the whole."""


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulation", description=__doc__)
    parser.add_argument("--file", type=Path, default=FILE, help="the measured figures")
    parser.add_argument("--seconds", type=float, default=60.0, help="simulated of each situation")
    parser.add_argument("--plot", type=Path, help="where the picture goes")
    options = parser.parse_args()
    figures, assumed, seconds = Figures.load(options.file), Assumptions(), options.seconds
    plans = [plan_for(servers, figures, assumed) for servers in SERVERS]
    print(report.assumptions(assumed), report.breaks(breaks(figures, assumed)), sep="\n\n")
    print(report.plans(plans, figures, assumed, seconds), sep="\n\n")
    hours = day(figures, assumed, plans[-1], seconds)
    print(report.day(hours))
    found = scenarios(figures, assumed, plans[-1], seconds)
    print(report.scenarios(found, seconds))
    whole = plans[-1].fleet(float("inf"))
    parts = [
        (share, at_peak(figures, assumed, plans[-1], whole, share=share, seconds=seconds / 2))
        for share in PARTS
    ]
    print(report.parts(parts))
    if options.plot:
        plot(options.plot, figures, assumed, hours, found)


if __name__ == "__main__":
    main()
