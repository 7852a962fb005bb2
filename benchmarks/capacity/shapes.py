"""Costs of a move in each deployment: SQLite, PostgreSQL, shards and a cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from benchmarks import move_cost
from benchmarks.capacity.figures import Shape
from benchmarks.capacity.over_the_wire import RunResult, run_phases, wire_figures
from tests.bot.support.wire.shapes import FLUSHED
from tests.builders import ROOT

GAMES = 60
RATE = 5.0
"""Moves per second, low enough that most find the bot idle."""
IDLE = 10.0
"""Seconds without players."""
COUNTED = 0.5
"""Time for counting statements, as a share of the time for measuring CPU."""


def measure(shapes: Iterable[str], seconds: float) -> tuple[dict[str, Shape], float]:
    """The figures of each deployment, and the mean number of cores used by other programs."""
    found, others = {}, []
    for name in shapes:
        idle, seen = asyncio.run(run_phases(GAMES, (0.0, IDLE), (RATE, seconds), shape=name))
        found[name] = _shape(name, idle, seen, seconds)
        others.append(seen.others)
    return found, sum(others) / len(others)


def _shape(name: str, idle: RunResult, seen: RunResult, seconds: float) -> Shape:
    moves, first, last = asyncio.run(move_cost.run(name, ROOT, seconds, 16, RATE, "", IDLE))
    rest, played = IDLE + FLUSHED * (name != "sqlite"), moves / RATE
    each = {
        what: (last[what] - first[what] - last["idle"][what] / rest * played) / moves
        for what in ("loop", "cpu")
    }
    cost = move_cost.Cost()
    cost.add(*asyncio.run(move_cost.run(name, ROOT, COUNTED * seconds, 16, RATE, "counts")))
    a_move = {what: n / cost.watched for what, n in cost.database.items()}
    # A change of an SQLite file is written to disk once, when it is committed.
    is_file = name == "sqlite"
    return Shape(
        wire=wire_figures(seen, idle.computed / idle.seconds),
        **each,
        background=last["idle"]["loop"] / rest,
        statements=a_move["statements"],
        transactions=a_move["commit"] if is_file else a_move["server transactions"],
        syncs=a_move["commit"] if is_file else a_move["server syncs"],
        memory=seen.samples[-1]["memory"],
    )
