"""The simulation's results as Markdown."""

from __future__ import annotations

import math

from benchmarks.capacity.figures import Figures
from benchmarks.capacity.tables import table
from benchmarks.simulation.assumptions import Assumptions
from benchmarks.simulation.fleet import Ran
from benchmarks.simulation.plan import Break, Plan
from benchmarks.simulation.scenarios import Scenario, late, steady

CLICKS = 1500
"""That are simulated for each number of servers, if ten minutes bring as many."""

SHAPES = {"sqlite": "SQLite", "postgres": "PostgreSQL", "shards": "PostgreSQL, shards",
          "cluster": "PostgreSQL, shards, cluster"}  # fmt: skip


def assumptions(assumed: Assumptions) -> str:
    """Each, with its reason."""
    lines = [f"| `{name}` | {value} | {why} |" for name, value, why in assumed.reasons()]
    return "\n".join(["| assumption | value | reason |", "| --- | --- | --- |", *lines])


def breaks(found: list[Break]) -> str:
    """What breaks, in order."""
    lines = [
        f"| {one.part} | {one.moves:,.1f} | {rounded(one.servers):,} | {one.then} |"
        for one in found
    ]
    head = "| part | full at moves a second | servers, at a day's peak | then |"
    return "\n".join([head, "| --- | ---: | ---: | --- |", *lines])


def plans(found: list[Plan], figures: Figures, assumed: Assumptions, seconds: float) -> str:
    """What each number of servers needs, with the waits that are simulated for it."""
    ran = [_simulated(plan, figures, assumed, math.inf, seconds) for plan in found]
    limited = [_simulated(plan, figures, assumed, assumed.global_limit, seconds) for plan in found]
    rows = {
        "moves a second at the day's peak": [f"{plan.moves:,.1f}" for plan in found],
        "shape": [SHAPES[plan.shape] for plan in found],
        "shards": [f"{plan.shards:,}" for plan in found],
        "processes, two cores each": [f"{plan.processes:,}" for plan in found],
        "cores for searches": [f"{plan.workers:,}" for plan in found],
        "scheduler: jobs a second, cores": [
            f"{plan.jobs:,.0f}, {plan.schedulers:.2f}" if plan.jobs else "" for plan in found
        ],
        "writes to disk a second at the peak": [f"{plan.writes:,.0f}" for plan in found],
        "database machines like the measured one": [f"{plan.databases:.1f}" for plan in found],
        "database after a year, GB": [f"{plan.gigabytes:,.1f}" for plan in found],
        "games open at once": [f"{plan.games:,.0f}" for plan in found],
        "memory of a process with its servers, MiB": [f"{plan.each:,.0f}" for plan in found],
        "memory of all processes, GiB": [f"{plan.memory:,.1f}" for plan in found],
        f"counted requests a second (Discord allows {assumed.global_limit:g})": [
            f"{plan.counted:,.0f}" for plan in found
        ],
        "click to board, p50, p99, s, that limit apart": [_waits(one) for one in ran],
        "the same with that limit": [_waits(one) for one in limited],
        "seconds until all shards are back": [f"{plan.identify:,.0f}" for plan in found],
        "core-hours a month, all always on": [f"{plan.held:,.0f}" for plan in found],
        "core-hours a month, computing": [f"{plan.used:,.0f}" for plan in found],
    }
    head = ("servers", *(f"{plan.servers:,}" for plan in found))
    return table(head, ((name, *values) for name, values in rows.items()))


def day(hours: list[tuple[float, Ran]]) -> str:
    """The day's rhythm, every third hour."""
    rows = [
        (f"{hour:02}:00", f"{rate:,.0f}", _waits(ran), f"{ran.loop:.0%}", f"{ran.searching:.0%}")
        for hour, (rate, ran) in list(enumerate(hours))[::3]
    ]
    head = ("hour, UTC", "moves a second", "p50, p99, s", "event loops busy", "searches busy")
    return table(head, rows)


def scenarios(found: list[Scenario]) -> str:
    """What happens, and what follows from it."""
    lines = [
        f"| {one.name} | {_waits(one.ran)} | {late(one.ran):.1%} | {one.ran.loop:.0%} | "
        f"{one.ran.searching:.0%} | {one.ran.storing:.0%} | {one.then} |"
        for one in found
    ]
    names = ("p50, p99, s", "later than 3 s", "event loops", "searches", "database")
    head = "| situation | " + " | ".join(names) + " | then |"
    return "\n".join([head, "| --- | ---: | ---: | ---: | ---: | ---: | --- |", *lines])


def windows(found: list[tuple[float, Ran]]) -> str:
    """The same situation, looked at for a shorter and a longer while."""
    rows = [
        (
            f"{seconds:g}",
            f"{len(ran.tally.waits):,}",
            _waits(ran),
            *(f"{busy:.1%}" for busy in (ran.loop, ran.searching, ran.storing)),
        )
        for seconds, ran in found
    ]
    head = ("seconds", "moves", "p50, p99, s", "event loops", "searches", "database")
    return table(head, rows)


def _simulated(
    plan: Plan, figures: Figures, assumed: Assumptions, limit: float, seconds: float
) -> Ran:
    # Few servers have few clicks: a longer while shows as many.
    enough = min(600.0, max(seconds, CLICKS / plan.moves))
    return steady(figures, assumed, plan.moves, plan.fleet(limit), enough)


def _waits(ran: Ran) -> str:
    return ", ".join(f"{wait:.2f}" for wait in ran.waits)


def rounded(servers: float) -> int:
    """A number to two digits."""
    digits = max(0, len(str(int(servers))) - 2)
    return round(int(servers), -digits)
