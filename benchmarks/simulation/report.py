"""The simulation's results as Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable

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

CAPACITY = "`python -m benchmarks.capacity`"
MEANINGS = {
    "A": "what is assumed",
    "D": "Discord's rules",
    "P": "the plainest shape that bears the load",
    "C1": f"{CAPACITY}, what a move costs in each shape (also `python -m benchmarks.move_cost "
    "--shapes sqlite,postgres,shards,cluster`)",
    "C2": f"{CAPACITY}, searches by level",
    "C3": f"{CAPACITY}, what Dask takes for a job",
    "C4": f"{CAPACITY}, writes a second, and what a game leaves",
    "C5": f"{CAPACITY}, memory of a server and of a game (also `python -m benchmarks.memory`)",
    "C6": f"{CAPACITY}, requests to Discord",
    "S": "`python -m benchmarks.simulation`, from recorded moves",
}
"""Where the figures of a plan come from. All are computed by `python -m benchmarks.simulation`."""


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
    """What each number of servers needs, with the waits that are simulated for it.

    The last column says where a figure comes from: see `MEANINGS`.
    """
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
