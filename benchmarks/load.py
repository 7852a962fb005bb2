"""Many games at once over the wire: `python -m benchmarks.load --games 200 --rate 11 --minutes 10`.

The real program runs in a process of its own against a stand-in for Discord, which keeps to
Discord's rate limits. Every table is a person against an agent, of all families; so many moves a
second are made altogether, at tables whose board is ready. `--rate 20` shows what happens under
about twice the load that two cores bear: it should get slower and break nothing. `--profile FILE`
writes a profile of the bot's main thread (`python -m pstats FILE`), which slows it down.

The stand-in and the people run in this process and take about as much of the machine as the bot.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import tempfile
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from tests.bot.discord_server import DiscordServer
from tests.bot.support.wire.ledger import Ledger
from tests.bot.support.wire.program import Program
from tests.bot.support.wire.tables import KINDS, Table

PATIENCE = 60.0
"""Seconds after which an agent counts as silent."""
KEPT = 2000
"""Requests that the stand-in keeps."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a run has found."""

    rate: float
    """Moves a second that were asked for."""
    seconds: float
    waits: list[float]
    silent: int
    unbegun: int
    refused: int
    """Requests beyond Discord's limits."""
    idle: int
    """Moves that were not asked for since no board was ready."""
    errors: int
    lost: int
    samples: list[dict[str, object]]

    def table(self) -> str:
        """All of it as a Markdown table."""
        late = sorted(ms for sample in self.samples for ms in sample["late"])  # type: ignore[attr-defined]
        rows = {
            "moves": f"{len(self.waits):,} ({len(self.waits) / self.seconds:.1f} a second)",
            "moves held back since no board was ready": self.idle,
            "click to the right board, p50 s": f"{share(self.waits, 0.5):.3f}",
            "click to the right board, p99 s (target: ≤ 0.5)": f"{share(self.waits, 0.99):.3f}",
            "click to the right board, most s": f"{share(self.waits, 1.0):.3f}",
            "event-loop lag, p50 ms": f"{share(late, 0.5):.1f}",
            "event-loop lag, p99 ms (target: ≤ 20)": f"{share(late, 0.99):.1f}",
            "event-loop lag, most ms": f"{share(late, 1.0):.1f}",
            "the bot's CPU, cores": f"{self.cpu():.2f}",
            "memory, third and last minute, MiB": self.memory(),
            "errors in the log": self.errors,
            "silent agents": self.silent,
            "starts without a board": self.unbegun,
            "acknowledged moves lost or doubled": self.lost,
            "requests beyond Discord's limits": self.refused,
        }
        lines = [f"| {name} | {value} |" for name, value in rows.items()]
        return "\n".join([f"| {self.rate:g} moves a second | |", "| --- | ---: |", *lines])

    def cpu(self) -> float:
        """How much of a core the bot's process has taken."""
        used = [float(str(sample["cpu"])) for sample in self.samples]
        return (used[-1] - used[0]) / self.seconds

    def memory(self) -> str:
        """Resident memory in the third and in the last minute."""
        used = [int(str(sample["memory"])) / 2**20 for sample in self.samples]
        third, last = used[120:180] or used[:1], used[-60:]
        early, late = statistics.mean(third), statistics.mean(last)
        return f"{early:.1f}, {late:.1f} ({100 * (late / early - 1):+.1f} %, target: ≤ 3)"


def share(values: list[float], part: float) -> float:
    """The value below which this part of them lies."""
    ordered = sorted(values) or [float("nan")]
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


async def begin_all(tables: list[Table]) -> None:
    """Begin a game at each table, a few at a time."""
    for at in range(0, len(tables), 5):
        await asyncio.gather(*(table.begin() for table in tables[at : at + 5]))


async def play(tables: list[Table], rate: float, seconds: float) -> int:
    """Make moves at a steady rate; returns how many had to be held back."""
    return await in_turn(len(tables), rate, seconds, lambda number: _step(tables[number]))


async def in_turn(
    count: int, rate: float, seconds: float, act: Callable[[int], Coroutine[Any, Any, None]]
) -> int:
    """Have `count` tables act in turn, so many a second for so long, each once at a time.

    Returns how often nobody was free.
    """
    under_way: dict[int, asyncio.Task[None]] = {}
    turn, idle, began = cycle(range(count)), 0, monotonic()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, began + number / rate - monotonic()))
        under_way = {n: task for n, task in under_way.items() if not task.done()}
        free = next((n for n in islice(turn, count) if n not in under_way), None)
        if free is None:
            idle += 1
        else:
            under_way[free] = asyncio.create_task(act(free))
    await asyncio.gather(*under_way.values())
    return idle


async def _step(table: Table) -> None:
    try:
        await table.step()
    except TimeoutError:
        return  # the table has counted it


async def run(games: int, rate: float, seconds: float, folder: Path, profile: str = "") -> Found:
    """Play so many games at once for so long."""
    samples = folder / "samples.jsonl"
    async with DiscordServer(keeps=KEPT) as server:
        server.limits.as_usual()
        command = ["-m", "tests.bot.support.wire.sampled", str(samples)]
        program = Program(server, folder, *command, *([profile] if profile else []))
        await program.start()
        await program.connected()
        ledger, kinds = Ledger(server), cycle(KINDS)
        tables = [
            Table(server, ledger, Random(n), next(kinds), answer_seconds=PATIENCE)
            for n in range(games)
        ]
        try:
            await begin_all(tables)
            skipped = len(samples.read_text("utf-8").splitlines())
            idle = await play(tables, rate, seconds)
            lines = samples.read_text("utf-8").splitlines()[skipped:]
        finally:
            await program.stop()
    return Found(
        rate=rate,
        seconds=seconds,
        waits=[wait for table in tables for wait in table.waits],
        silent=sum(table.silent for table in tables),
        unbegun=sum(table.unbegun for table in tables),
        refused=server.limits.refused,
        idle=idle,
        errors=program.errors(),
        lost=await _mismatches(ledger, program),
        samples=[json.loads(line) for line in lines],
    )


async def _mismatches(ledger: Ledger, program: Program) -> int:
    wrongs = ledger.held_against(await program.stored())
    for note in wrongs.notes:
        print(note)
    return wrongs.lost + wrongs.doubled + wrongs.starts + wrongs.ends


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--rate", type=float, default=11.0)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--profile", type=os.path.abspath, default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = run(options.games, options.rate, 60 * options.minutes, Path(folder), options.profile)
        print(asyncio.run(work).table())


if __name__ == "__main__":
    main()
