"""A plan for up to a million servers: `python -m benchmarks.simulation`.

Computes from the figures of `benchmarks.capacity` and the assumptions in
`benchmarks/simulation/assumptions.py`. Simulates moves, a day, a launch, a lost zone and a slow
Discord, and prints Markdown tables.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.capacity.figures import FILE, Figures
from benchmarks.simulation import report
from benchmarks.simulation.assumptions import Assumptions
from benchmarks.simulation.plan import breaks, plan_for
from benchmarks.simulation.scenarios import day, scenarios

SERVERS = (1_000, 10_000, 100_000, 1_000_000)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulation", description=__doc__)
    parser.add_argument("--file", type=Path, default=FILE, help="the measured figures")
    parser.add_argument(
        "--seconds", type=float, default=20.0, help="simulated time of each situation"
    )
    options = parser.parse_args()
    figures, assumed, seconds = Figures.load(options.file), Assumptions(), options.seconds
    plans = [plan_for(servers, figures, assumed) for servers in SERVERS]
    print(report.assumptions(assumed), report.breaks(breaks(figures, assumed)), sep="\n\n")
    print(f"\n{report.plans(plans, figures, assumed, seconds)}\n")
    print(f"{report.day(day(figures, assumed, plans[-1], seconds))}\n")
    print(f"{report.scenarios(scenarios(figures, assumed, plans[-1], seconds))}\n")


if __name__ == "__main__":
    main()
