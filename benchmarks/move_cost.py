"""Main-thread CPU and SQL of a move: `python -m benchmarks.move_cost`.

Sixteen simulated players meet `easy` on a simulated Discord. Prints for each deployment the event
loop's CPU milliseconds of a move with the agent's answer, its database statements, and a sampling
profile by package. `--tree` adds another checkout of the bot, such as an earlier release; the
checkouts take turns, so that other load affects all alike.

    python -m benchmarks.move_cost --shapes sqlite,postgres,shards,cluster --tree ../before
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.load import PATIENCE, begin_all, play
from benchmarks.printing import head, row
from tests.bot.discord_server import DiscordServer
from tests.bot.support.wire.ledger import Ledger
from tests.bot.support.wire.program import Program
from tests.bot.support.wire.shapes import SERVER, deployment
from tests.bot.support.wire.tables import tables_on
from tests.builders import ROOT

MEASURED = ROOT / "tests" / "bot" / "support" / "wire" / "measured.py"
WARM = 12.0
"""Seconds of play before the measurement."""
SQLALCHEMY = "sqlalchemy"


@dataclass
class Cost:
    """Costs of moves of one checkout in one deployment."""

    loop: list[float] = field(default_factory=list)
    """CPU seconds of the event loop's thread a move, by run."""
    cpu: list[float] = field(default_factory=list)
    """The same of all threads."""
    database: Counter[str] = field(default_factory=Counter)
    texts: Counter[str] = field(default_factory=Counter)
    packages: Counter[str] = field(default_factory=Counter)
    functions: Counter[str] = field(default_factory=Counter)
    watched: int = 0
    """Moves in the runs with counts of statements."""

    def add(self, moves: int, first: dict[str, Any], last: dict[str, Any]) -> None:
        """Add a run; `first` and `last` are its totals before and after."""
        if "packages" not in last:
            self.loop.append((last["loop"] - first["loop"]) / moves)
            self.cpu.append((last["cpu"] - first["cpu"]) / moves)
            return
        self.watched += moves
        for name in ("database", "texts", "packages", "functions"):
            total: Counter[str] = getattr(self, name)
            total.update({k: v - first[name].get(k, 0) for k, v in last[name].items()})


async def run(
    shape: str, tree: Path, seconds: float, games: int, rate: float, more: str, idle: float = 0.0
) -> Any:
    """Play once; returns the number of moves, and the totals before and after.

    Players pause for `idle` seconds before; `last["idle"]` are the totals of the pause.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with AsyncExitStack() as stack:
            server = await stack.enter_async_context(DiscordServer(keeps=2000))
            server.limits.as_usual()
            out = folder / "totals.jsonl"
            program = Program(server, folder, "-P", str(MEASURED), str(out), *more.split())
            program.settings["PYTHONPATH"] = str(tree)
            deployed = await stack.enter_async_context(deployment(shape, folder, tree))
            program.settings |= deployed.settings
            server.gateway.max_concurrency = deployed.sessions
            await program.start()
            await program.connected()
            await server.until(lambda: len(server.bots) >= deployed.sessions, PATIENCE)
            tables = tables_on(server, Ledger(server), games)
            for table in tables:
                table.levels, table.answer_seconds = ("easy",), PATIENCE
            try:
                await begin_all(tables)
                await play(tables, rate, WARM)
                for table in tables:
                    table.waits.clear()
                resting = _last(out)
                await asyncio.sleep(idle)
                stored, first = await deployed.stored(), _last(out)
                await play(tables, rate, seconds)
                last, synced = _last(out), await deployed.stored()
                if "database" in last and shape != "sqlite":
                    last["database"] |= {k: synced[k] - stored[k] for k in synced}
                last["idle"] = {name: first[name] - resting[name] for name in ("loop", "cpu")}
                return sum(len(table.waits) for table in tables), first, last
            finally:
                await program.stop()
                if program.errors():
                    print(program.log.read_text("utf-8")[-3000:], file=sys.stderr)


def _last(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(out.read_text("utf-8").splitlines()[-1])
    return found


def report(shape: str, costs: dict[str, Cost], texts: int) -> str:
    """The results for a deployment as Markdown tables."""
    lines = [head((f"{shape}, each move", *costs))]

    def add(what: str, values: Iterable[str]) -> None:
        lines.append(row((what, *values)))

    add("main-thread CPU, ms", (_spread(cost.loop) for cost in costs.values()))
    add("CPU of all threads, ms", (_spread(cost.cpu) for cost in costs.values()))
    counts = ("statements", "begin", "commit", "rollback", "round trips")
    for what in (*counts, *SERVER) if shape != "sqlite" else counts:
        add(what, (f"{c.database[what] / max(1, c.watched):.2f}" for c in costs.values()))
    shares = {name: _shares(cost.packages) for name, cost in costs.items()}
    for package in dict.fromkeys(p for found in shares.values() for p in found):
        add(package, (f"{100 * found.get(package, 0.0):.1f} %" for found in shares.values()))
    for name, cost in costs.items():
        for counts_ in (cost.texts, cost.functions) if texts else ():
            lines += [
                "",
                name,
                *(f"{n / cost.watched:9.4f} {text}" for text, n in counts_.most_common(texts)),
            ]
    return "\n".join(lines)


def _spread(values: list[float]) -> str:
    if not values:
        return "-"
    ordered = sorted(1000 * value for value in values)
    return f"{median(ordered):.1f} ({ordered[0]:.1f} to {ordered[-1]:.1f})"


def _shares(packages: Counter[str]) -> dict[str, float]:
    """The share of each package, and of SQLAlchemy, discord.py and the bot; at least 1 %."""
    whole = sum(packages.values()) or 1.0
    found = Counter({name: n / whole for name, n in packages.items()})
    for top in (SQLALCHEMY, "discord", "bot"):
        found[f"{top} (all)"] = sum(n for name, n in found.items() if name.split(".")[0] == top)
    return {name: share for name, share in found.most_common() if share >= 0.01}


def main() -> None:
    """Print Markdown tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shapes", default="sqlite,postgres")
    parser.add_argument("--tree", action="append", default=[], help="another checkout, repeatable")
    parser.add_argument("--games", type=int, default=16)
    parser.add_argument("--rate", type=float, default=4.0, help="moves a second")
    parser.add_argument("--seconds", type=float, default=30.0, help="of each run")
    parser.add_argument("--runs", type=int, default=2, help="of each tree in each shape")
    parser.add_argument("--texts", type=int, default=0, help="statements and functions to list")
    parser.add_argument("--only", default="", help="`cost` or `counts` for one kind of run")
    options = parser.parse_args()
    trees = {Path(one).resolve().name: Path(one).resolve() for one in options.tree}
    trees["here"] = ROOT
    kinds = [""] * options.runs * (options.only != "counts")
    kinds += ["counts"] * (options.only != "cost")
    for shape in options.shapes.split(","):
        costs = {name: Cost() for name in trees}
        for more in kinds:
            for name, tree in trees.items():
                work = run(shape, tree, options.seconds, options.games, options.rate, more)
                costs[name].add(*asyncio.run(work))
        print(report(shape, costs, options.texts), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
