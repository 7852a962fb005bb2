"""The simulation's results as a picture."""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from benchmarks.capacity.figures import Figures
from benchmarks.simulation.assumptions import Assumptions
from benchmarks.simulation.fleet import Ran
from benchmarks.simulation.plan import breaks, plan_for
from benchmarks.simulation.report import rounded
from benchmarks.simulation.scenarios import Scenario

BLUE, RED, GREY = "#2f6fb0", "#c0392b", "#8a8f98"
COUNTS = [1000 * 10 ** (n / 8) for n in range(25)]


def plot(
    file: Path,
    figures: Figures,
    assumed: Assumptions,
    hours: list[tuple[float, Ran]],
    found: list[Scenario],
) -> None:
    """Draw the day, what is needed and what breaks, and the situations."""
    figure = Figure(figsize=(11, 8), layout="constrained")
    FigureCanvasAgg(figure)
    # Rows by themselves: the names in the lower one are long.
    upper, lower = figure.subfigures(2, 1)
    upper_left, upper_right = upper.subplots(1, 2)
    lower_left, lower_right = lower.subplots(1, 2)
    _day(upper_left, hours)
    _needs(upper_right, figures, assumed)
    _breaks(lower_left, figures, assumed)
    _situations(lower_right, found)
    figure.savefig(file, dpi=110)


def _day(axes: Axes, hours: list[tuple[float, Ran]]) -> None:
    axes.bar(range(24), [rate for rate, _ in hours], color="#d5e3f1")
    axes.set(title="A day of a million servers", xlabel="hour, UTC", ylabel="moves a second")
    waits = axes.twinx()
    for place, (name, colour) in enumerate((("p50", BLUE), ("p99", RED))):
        values = [ran.waits[place] for _, ran in hours]
        waits.plot(range(24), values, color=colour, marker=".", label=name)
    waits.set_ylabel("click to board, s")
    waits.set_ylim(bottom=0.0)
    waits.legend(loc="upper left", frameon=False)


def _needs(axes: Axes, figures: Figures, assumed: Assumptions) -> None:
    plans = [plan_for(round(count), figures, assumed) for count in COUNTS]
    lines = {
        "shards": [plan.shards for plan in plans],
        "processes": [plan.processes for plan in plans],
        "cores for searches": [plan.workers for plan in plans],
        "GB after a year": [plan.gigabytes for plan in plans],
    }
    for name, values in lines.items():
        axes.plot(COUNTS, values, label=name)
    axes.set(xscale="log", yscale="log", title="What is needed", xlabel="servers")
    axes.legend(frameon=False)
    axes.grid(visible=True, alpha=0.2)


def _breaks(axes: Axes, figures: Figures, assumed: Assumptions) -> None:
    found = breaks(figures, assumed)[::-1]
    names = [one.part.replace(", ", ",\n", 1).replace(" (", "\n(", 1) for one in found]
    axes.barh(names, [one.servers for one in found], color=GREY)
    for place, one in enumerate(found):
        axes.text(one.servers * 1.15, place, f"{rounded(one.servers):,}", va="center", fontsize=8)
    axes.set(xscale="log", title="Full at a day's peak with so many servers")
    axes.set_xlim(1e3, max(one.servers for one in found) * 10)
    axes.tick_params(axis="y", labelsize=8)


def _situations(axes: Axes, found: list[Scenario]) -> None:
    shown = found[::-1]
    names = [one.name.replace(", ", ",\n", 1).replace(" with ", "\nwith ", 1) for one in shown]
    for offset, (place, name, colour) in enumerate(((0, "p50", BLUE), (1, "p99", RED))):
        values = [one.ran.waits[place] for one in shown]
        spots = [spot + 0.2 - 0.4 * offset for spot in range(len(shown))]
        axes.barh(spots, values, height=0.38, color=colour, label=name)
    axes.set_yticks(range(len(shown)), names, fontsize=8)
    axes.set(xscale="log", title="A million servers, when...", xlabel="click to board, s")
    axes.axvline(3.0, color=GREY, linestyle=":", label="Discord's three seconds")
    axes.legend(frameon=False, fontsize=8)
