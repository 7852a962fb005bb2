"""Many games at once: `python -m benchmarks.load --games 200 --rate 11 --minutes 10`.

The real program runs in its own process against a simulated Discord, which applies Discord's rate
limits. At every table a simulated player meets an agent, in all games in turn; moves are made at a
fixed total rate, at tables whose board is ready. `--rate 20` is about twice the load that two cores
can handle: it should be slower without failures. `--profile FILE` writes a profile of the bot's
main thread (`python -m pstats FILE`), which slows it down.

Discord and the players run in this process and use about as much CPU as the bot.
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
from time import monotonic
from typing import Any

from benchmarks.printing import figures, spread
from tests.bot.discord_server import DiscordServer
from tests.bot.support.wire.ledger import Ledger
from tests.bot.support.wire.program import Program
from tests.bot.support.wire.tables import Table, tables_on

PATIENCE = 60.0
"""Seconds after which an agent counts as silent."""
KEPT = 2000
"""Number of requests that the simulated Discord keeps."""


@dataclass(frozen=True, slots=True)
class Found:
    """The results of a run."""

    rate: float
    """Requested moves per second."""
    seconds: float
    waits: list[float]
    silent: int
    unbegun: int
    refused: int
    """Requests beyond Discord's limits."""
    idle: int
    """Moves that were skipped because no board was ready."""
    errors: int
    lost: int
    samples: list[dict[str, object]]

    def table(self) -> str:
        """The results as a Markdown table."""
        late = [ms for sample in self.samples for ms in sample["late"]]  # type: ignore[attr-defined]
        rows = {
            "moves": f"{len(self.waits):,} ({len(self.waits) / self.seconds:.1f} a second)",
            "moves skipped because no board was ready": self.idle,
            "click to the right board, p50, p99 (target: ≤ 0.5), most s": spread(self.waits, 3),
            "event-loop lag, p50, p99 (target: ≤ 20), most ms": spread(late, 1),
            "the bot's CPU, cores": f"{self.cpu():.2f}",
            "memory, third and last minute, MiB": self.memory(),
            "errors in the log": self.errors,
            "silent agents": self.silent,
            "starts without a board": self.unbegun,
            "acknowledged moves lost or doubled": self.lost,
            "requests beyond Discord's limits": self.refused,
        }
        return figures(f"{self.rate:g} moves a second", rows)

    def cpu(self) -> float:
        """Cores used by the bot's process."""
        used = [float(str(sample["cpu"])) for sample in self.samples]
        return (used[-1] - used[0]) / self.seconds

    def memory(self) -> str:
        """Mean resident memory in the third and in the last minute, as text."""
        used = [int(str(sample["memory"])) / 2**20 for sample in self.samples]
        third, last = used[120:180] or used[:1], used[-60:]
        early, late = statistics.mean(third), statistics.mean(last)
        return f"{early:.1f}, {late:.1f} ({100 * (late / early - 1):+.1f} %, target: ≤ 3)"


async def begin_all(tables: list[Table]) -> None:
    """Begin a game at each table, a few at a time."""
    for at in range(0, len(tables), 5):
        await asyncio.gather(*(table.begin() for table in tables[at : at + 5]))


async def play(tables: list[Table], rate: float, seconds: float) -> int:
    """Make moves at a steady rate; returns how many were skipped."""
    return await in_turn(len(tables), rate, seconds, lambda number: _step(tables[number]))


async def in_turn(
    count: int, rate: float, seconds: float, act: Callable[[int], Coroutine[Any, Any, None]]
) -> int:
    """Call `act` for `count` tables in turn, `rate` times a second, at most once at a time each.

    Returns how often no table was free.
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
        return  # counted by the table


async def run(games: int, rate: float, seconds: float, folder: Path, profile: str = "") -> Found:
    """Play `games` games at once for `seconds`."""
    samples = folder / "samples.jsonl"
    async with DiscordServer(keeps=KEPT) as server:
        server.limits.as_usual()
        command = ["-m", "tests.bot.support.wire.sampled", str(samples)]
        program = Program(server, folder, *command, *([profile] if profile else []))
        await program.start()
        await program.connected()
        ledger = Ledger(server)
        tables = tables_on(server, ledger, games)
        for table in tables:
            table.answer_seconds = PATIENCE
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
    wrongs = ledger.compare_with(await program.stored())
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
