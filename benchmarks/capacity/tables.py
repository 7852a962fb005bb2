"""The measured figures as Markdown tables."""

from __future__ import annotations

from functools import partial

from benchmarks.capacity.figures import Figures, Move, Wire
from benchmarks.printing import table

OUTSIDE = "/{token}"
"""Part of the routes of interactions, which do not count against Discord's global limit."""


def within_limit(wire: Wire) -> float:
    """Requests per move that count against Discord's global limit."""
    return sum(n for route, n in wire.calls.items() if OUTSIDE not in route)


def tables(figures: Figures) -> str:
    """All tables."""
    parts = (_shapes, _levels, _stages, _rest, _calls)
    return "\n\n".join(part(figures) for part in parts)


def _shapes(figures: Figures) -> str:
    base = next(iter(figures.shapes.values()))
    rows = {
        "main-thread CPU, ms": [f"{1000 * one.loop:.1f}" for one in figures.shapes.values()],
        "of the first": [f"{one.loop / base.loop:.2f}" for one in figures.shapes.values()],
        "CPU of all threads, ms": [f"{1000 * one.cpu:.1f}" for one in figures.shapes.values()],
        "statements": [f"{one.statements:.1f}" for one in figures.shapes.values()],
        "transactions": [f"{one.transactions:.1f}" for one in figures.shapes.values()],
        "writes to disk waited for": [f"{one.syncs:.2f}" for one in figures.shapes.values()],
        "main-thread CPU without players, ms a second": [
            f"{1000 * one.background:.0f}" for one in figures.shapes.values()
        ],
        "memory of the process, MiB": [
            f"{one.memory / 2**20:.0f}" for one in figures.shapes.values()
        ],
    }
    return table(("each move", *figures.shapes), ((name, *row) for name, row in rows.items()))


def _levels(figures: Figures) -> str:
    rows = [
        (name, f"{1 / s.mean:,.1f}", *(f"{1000 * v:.1f}" for v in (s.mean, s.at(0.5), s.at(0.99))))
        for name, s in figures.levels.items()
    ]
    return table(("level", "moves a second a core", "mean ms", "p50 ms", "p99 ms"), rows)


def _stages(figures: Figures) -> str:
    """The mean CPU and waiting of each step in each deployment."""
    rows = []
    for step, meaning in STEPS.items():
        cells = []
        for shape in figures.shapes.values():
            loop = shape.wire.mean(partial(_sum, step, "loop"))
            wait = shape.wire.mean(partial(_sum, step, "wait"))
            cells.append(f"{1000 * loop:.1f} + {1000 * wait:.1f}")
        rows.append((meaning, *cells))
    wires = [shape.wire for shape in figures.shapes.values()]
    rows.append(("after the board", *(f"{1000 * w.mean(lambda m: m.tail):.1f}" for w in wires)))
    rows.append(("an ended game", *(f"{1000 * w.settle:.1f}" for w in wires)))
    rows.append(
        ("a start, or giving up", *(f"{1000 * sum(w.others) / len(w.others):.1f}" for w in wires))
    )
    return table(("ms of CPU of the event loop + of waiting", *figures.shapes), rows)


def _sum(step: str, what: str, move: Move) -> float:
    return float(sum(getattr(one, what) for one in move.steps if one.name == step))


STEPS = {
    "gap": "between the other steps",
    "write": "writes",
    "acknowledge": "acknowledgement",
    "search": "search",
    "draw": "picture",
    "edit": "edit of the board",
}


def _rest(figures: Figures) -> str:
    memory, jobs = figures.memory, figures.scheduling
    rows = [
        ("writes a second, SQLite, one writer", f"{1 / figures.sqlite.alone:,.0f}"),
        ("writes a second, SQLite, fifteen writers", f"{figures.sqlite.per_second:,.0f}"),
        ("writes a second, PostgreSQL, one writer", f"{1 / figures.postgres.alone:,.0f}"),
        ("writes a second, PostgreSQL, fifteen writers", f"{figures.postgres.per_second:,.0f}"),
        ("moves of both sides in a game", f"{figures.size.moves:.1f}"),
        ("rows a game", f"{figures.size.rows:.1f}"),
        ("bytes a game, SQLite", f"{figures.size.sqlite_bytes:,.0f}"),
        ("bytes a game, PostgreSQL", f"{figures.size.postgres_bytes:,.0f}"),
        ("memory of a running game, KiB", f"{memory.game / 2**10:.1f}"),
        ("memory of a server, KiB", f"{memory.server / 2**10:.1f}"),
        ("memory of a large server, KiB", f"{memory.large_server / 2**10:.1f}"),
        ("Dask scheduler, jobs a second a core, one at a time", f"{1 / jobs.alone:,.0f}"),
        ("Dask scheduler, jobs a second a core, many at once", f"{1 / jobs.many:,.0f}"),
        ("Dask worker, CPU of a trivial job, ms", f"{1000 * jobs.worker:.1f}"),
        ("cores that other programs took meanwhile", f"{figures.others:.2f}"),
    ]
    return table(("", "figure"), rows)


def _calls(figures: Figures) -> str:
    wire = figures.shapes["shards"].wire
    rows = [
        (f"`{route}`", f"{n:.3f}", "no" if OUTSIDE in route else "yes")
        for route, n in wire.calls.items()
    ]
    total = sum(wire.calls.values())
    rows += [("all", f"{total:.3f}", ""), ("of these counted", f"{within_limit(wire):.3f}", "")]
    return table(("requests to Discord", "a person's move", "counts against 50 a second"), rows)
