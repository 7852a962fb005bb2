"""The simulation's results as Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable

from benchmarks.capacity.figures import Figures
from benchmarks.printing import table
from benchmarks.simulation.assumptions import Assumptions
from benchmarks.simulation.fleet import Ran
from benchmarks.simulation.plan import Break, Plan
from benchmarks.simulation.scenarios import Scenario, late, steady

CLICKS = 1500
"""Simulated clicks for each number of servers, at most those of ten minutes."""

SHAPES = {"sqlite": "SQLite", "postgres": "PostgreSQL", "shards": "PostgreSQL, shards",
          "cluster": "PostgreSQL, shards, cluster"}  # fmt: skip

CAPACITY = "`python -m benchmarks.capacity`"
MEANINGS = {
    "A": "assumptions",
    "D": "Discord's rules",
    "P": "the simplest sufficient deployment",
    "C1": f"{CAPACITY}, costs of a move in each deployment (also `python -m benchmarks.move_cost "
    "--shapes sqlite,postgres,shards,cluster`)",
    "C2": f"{CAPACITY}, searches by level",
    "C3": f"{CAPACITY}, CPU of Dask for a job",
    "C4": f"{CAPACITY}, writes per second, and storage of a game",
    "C5": f"{CAPACITY}, memory of a server and of a game (also `python -m benchmarks.memory`)",
    "C6": f"{CAPACITY}, requests to Discord",
    "S": "`python -m benchmarks.simulation`, from recorded moves",
}
"""The sources of a plan's figures."""


def assumptions(assumed: Assumptions) -> str:
    """All assumptions with their reasons."""
    lines = [f"| `{name}` | {value} | {why} |" for name, value, why in assumed.reasons()]
    return "\n".join(["| assumption | value | reason |", "| --- | --- | --- |", *lines])


def breaks(found: list[Break]) -> str:
    """The limits of all parts, in order."""
    lines = [
        f"| {one.part} | {one.moves:,.1f} | {rounded(one.servers):,} | {one.then} |"
        for one in found
    ]
    head = "| part | full at moves a second | servers, at a day's peak | then |"
    return "\n".join([head, "| --- | ---: | ---: | --- |", *lines])


def plans(found: list[Plan], figures: Figures, assumed: Assumptions, seconds: float) -> str:
    """The resources for each number of servers, with simulated waits and sources (`MEANINGS`)."""
    ran = [_simulated(plan, figures, assumed, math.inf, seconds) for plan in found]
    limited = [_simulated(plan, figures, assumed, assumed.global_limit, seconds) for plan in found]

    def each(form: str, value: Callable[[Plan], object]) -> list[str]:
        return [form.format(value(plan)) for plan in found]

    allowed = f"counted requests a second (Discord allows {assumed.global_limit:g})"
    jobs = [f"{one.jobs:,.0f}, {one.schedulers:.2f}" if one.jobs else "" for one in found]
    rows = [
        ("moves a second at the day's peak", each("{:,.1f}", lambda p: p.moves), "A"),
        ("shape", [SHAPES[plan.shape] for plan in found], "P"),
        ("shards", each("{:,}", lambda p: p.shards), "D"),
        ("processes, two cores each", each("{:,}", lambda p: p.processes), "C1 A"),
        ("cores for searches", each("{:,}", lambda p: p.workers), "C2 C3 A"),
        ("scheduler: jobs a second, cores", jobs, "C3 A"),
        ("writes to disk a second at the peak", each("{:,.0f}", lambda p: p.writes), "C1 A"),
        ("database machines like the measured one", each("{:.1f}", lambda p: p.databases), "C1 C4"),
        ("database after a year, GB", each("{:,.1f}", lambda p: p.gigabytes), "C4 A"),
        ("games open at once", each("{:,.0f}", lambda p: p.games), "A"),
        ("memory of a process with its servers, MiB", each("{:,.0f}", lambda p: p.each), "C1 C5"),
        ("memory of all processes, GiB", each("{:,.1f}", lambda p: p.memory), "C1 C5"),
        (allowed, each("{:,.0f}", lambda p: p.counted), "C6"),
        ("click to board, p50, p99, s, that limit apart", [_waits(one) for one in ran], "S"),
        ("the same with that limit", [_waits(one) for one in limited], "S"),
        ("seconds until all shards are back", each("{:,.0f}", lambda p: p.identify), "D"),
        ("core-hours a month, all always on", each("{:,.0f}", lambda p: p.held), "C1 C2"),
        ("core-hours a month, computing", each("{:,.0f}", lambda p: p.used), "C1 C2 C4"),
    ]
    head = ("servers", *(f"{plan.servers:,}" for plan in found), "from")
    meanings = "\n".join(f"- {key}: {meaning}" for key, meaning in MEANINGS.items())
    return f"{table(head, ((name, *values, key) for name, values, key in rows))}\n\n{meanings}"


def day(hours: list[tuple[float, Ran]]) -> str:
    """Every third hour of a day."""
    rows = [
        (f"{hour:02}:00", f"{rate:,.0f}", _waits(ran), f"{ran.loop:.0%}", f"{ran.searching:.0%}")
        for hour, (rate, ran) in list(enumerate(hours))[::3]
    ]
    head = ("hour, UTC", "moves a second", "p50, p99, s", "event loops busy", "searches busy")
    return table(head, rows)


def scenarios(found: list[Scenario]) -> str:
    """The situations with their consequences."""
    lines = [
        f"| {one.name} | {_waits(one.ran)} | {late(one.ran):.1%} | {one.ran.loop:.0%} | "
        f"{one.ran.searching:.0%} | {one.ran.storing:.0%} | {one.then} |"
        for one in found
    ]
    names = ("p50, p99, s", "later than 3 s", "event loops", "searches", "database")
    head = "| situation | " + " | ".join(names) + " | then |"
    return "\n".join([head, "| --- | ---: | ---: | ---: | ---: | ---: | --- |", *lines])


def _simulated(
    plan: Plan, figures: Figures, assumed: Assumptions, limit: float, seconds: float
) -> Ran:
    # Few servers have few clicks, so simulate longer.
    enough = min(600.0, max(seconds, CLICKS / plan.moves))
    return steady(figures, assumed, plan.moves, plan.fleet(limit), enough)


def _waits(ran: Ran) -> str:
    return ", ".join(f"{wait:.2f}" for wait in ran.waits)


def rounded(servers: float) -> int:
    """A number rounded to two digits."""
    digits = max(0, len(str(int(servers))) - 2)
    return round(int(servers), -digits)
