"""The measured figures as Markdown."""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks.capacity.figures import Figures

OUTSIDE = "/{token}"
"""In the routes of interactions, which stand outside Discord's global limit."""


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table whose first column is text."""
    names = list(head)
    lines = [names, ["---", *["---:"] * (len(names) - 1)], *([str(c) for c in r] for r in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def within_limit(figures: Figures) -> float:
    """Requests for each move that count against Discord's global limit."""
    return sum(n for route, n in figures.wire.calls.items() if OUTSIDE not in route)


def tables(figures: Figures) -> str:
    """All figures."""
    return "\n\n".join((_levels(figures), _stages(figures), _rest(figures), _calls(figures)))


def _levels(figures: Figures) -> str:
    rows = [
        (name, f"{1 / s.mean:,.1f}", *(f"{1000 * v:.1f}" for v in (s.mean, s.at(0.5), s.at(0.99))))
        for name, s in figures.levels.items()
    ]
    return table(("level", "moves a second a core", "mean ms", "p50 ms", "p99 ms"), rows)


def _stages(figures: Figures) -> str:
    wire = figures.wire
    named = {
        "event loop: reading an interaction": wire.receive,
        "event loop: one write": wire.write,
        "event loop: acknowledgement": wire.acknowledge,
        "event loop: to the search and back": wire.hand_over,
        "event loop: making and sending a board": wire.edit,
        "event loop: after the board, and its part of starts, ends and timers": wire.tail,
        "search thread: `easy` and `medium`": wire.search,
        "board thread: the picture": wire.draw,
        "judgement thread: a finished game": wire.judge,
    }
    rows = [
        (name, *(f"{1000 * v:.1f}" for v in (s.mean, s.at(0.5), s.at(0.99))))
        for name, s in named.items()
    ]
    return table(("CPU of a stage", "mean ms", "p50 ms", "p99 ms"), rows)


def _rest(figures: Figures) -> str:
    rows = [
        ("writes a second, SQLite, one writer", f"{1 / figures.sqlite.alone:,.0f}"),
        ("writes a second, SQLite, fifteen writers", f"{figures.sqlite.a_second:,.0f}"),
        ("writes a second, PostgreSQL, one writer", f"{1 / figures.postgres.alone:,.0f}"),
        ("writes a second, PostgreSQL, fifteen writers", f"{figures.postgres.a_second:,.0f}"),
        ("moves of both sides in a game", f"{figures.size.moves:.1f}"),
        ("rows a game", f"{figures.size.rows:.1f}"),
        ("bytes a game, SQLite", f"{figures.size.sqlite_bytes:,.0f}"),
        ("bytes a game, PostgreSQL", f"{figures.size.postgres_bytes:,.0f}"),
        ("memory of a process, MiB", f"{figures.memory.process / 2**20:.0f}"),
        ("memory of a running game, KiB", f"{figures.memory.game / 2**10:.1f}"),
    ]
    return table(("", "figure"), rows)


def _calls(figures: Figures) -> str:
    rows = [
        (f"`{route}`", f"{n:.3f}", "no" if OUTSIDE in route else "yes")
        for route, n in figures.wire.calls.items()
    ]
    total = sum(figures.wire.calls.values())
    rows += [("all", f"{total:.3f}", ""), ("of these counted", f"{within_limit(figures):.3f}", "")]
    return table(("requests to Discord", "a person's move", "counts against 50 a second"), rows)
