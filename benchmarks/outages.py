"""Whether games survive when processes die: `python -m benchmarks.outages --games 300`.

Two bot processes with two of four shards each, PostgreSQL, a scheduler and two workers run on this
machine, against a simulated Discord. Simulated players make moves against agents at a steady rate.
One bot, one worker, the scheduler and PostgreSQL are killed one after the other, and each is
restarted after a few seconds, as by a supervisor. Every acknowledged move must be stored once, and
every game must continue.

A player whose click is not answered within ten seconds clicks again.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic

from benchmarks.load import begin_all, in_turn
from benchmarks.printing import figures, spread
from benchmarks.printing import table as markdown_table
from tests.bot.discord_server import DiscordServer
from tests.bot.support.postgres import Postgres, in_full, postgres_server
from tests.bot.support.wire.ledger import Ledger, Wrongs
from tests.bot.support.wire.parts import LocalCluster, Part, local_cluster
from tests.bot.support.wire.program import Program, games_in, shards_connected, start_bots
from tests.bot.support.wire.tables import Table, tables_on

SHARDS = {"0-1/4": 2, "2-3/4": 2}
"""The shards of the two bots, with their number."""
SERVERS = 16
"""Discord servers, spread over the shards."""
BACK_AFTER = 3.0
"""Seconds until a supervisor restarts a process."""
CONTINUES_WITHIN = 120.0
"""Seconds without a move after which a game counts as stuck."""


@dataclass(slots=True)
class Outage:
    """The death of a process, and its effect on the games."""

    what: str
    at: float
    first: dict[int, float] = field(default_factory=dict)
    """The time of the first click at each table afterwards."""
    moved: dict[int, float] = field(default_factory=dict)
    """The time at which each table's board first showed a move and its answer afterwards."""

    @property
    def waits(self) -> list[float]:
        """Seconds from the first click at each table to its next move."""
        return [at - self.first[table] for table, at in self.moved.items()]


@dataclass(slots=True)
class Cluster:
    """All processes but the simulated Discord, which runs in this one."""

    database: Postgres
    bots: list[Program]
    dask: LocalCluster


class Players:
    """Players at tables, who click in turn."""

    def __init__(self, tables: list[Table]) -> None:
        """Seat players at these tables."""
        self.tables = tables
        self.outages: list[Outage] = []
        self.held_back = 0

    async def play(self, rate: float, seconds: float) -> None:
        """Click `rate` times a second for `seconds`; tables that wait are skipped."""
        self.held_back = await in_turn(len(self.tables), rate, seconds, self._move)

    async def all_have_moved(self) -> None:
        """Click at all tables that have not moved since the last outage."""
        missing = set(range(len(self.tables))) - self.outages[-1].moved.keys()
        await asyncio.gather(*(self._move(number) for number in missing))

    async def _move(self, number: int) -> None:
        """Make a move, repeated until it is answered; begin games that have ended."""
        table, until = self.tables[number], monotonic() + CONTINUES_WITHIN
        before = len(table.waits)
        for outage in self.outages:
            outage.first.setdefault(number, monotonic())
        while len(table.waits) == before and monotonic() < until:
            try:
                await table.step()
            except TimeoutError:
                continue
        if len(table.waits) > before:
            for outage in self.outages:
                if number in outage.first:
                    outage.moved.setdefault(number, monotonic())


@asynccontextmanager
async def cluster(server: DiscordServer, folder: Path) -> AsyncIterator[Cluster]:
    """Start all processes, and end them with the block."""
    with postgres_server() as database:
        async with AsyncExitStack() as stack:
            dask = await stack.enter_async_context(local_cluster(folder, 2))
            settings = {"DATABASE_URL": in_full(database.address), "CUATRO_CLUSTER": dask.address}
            bots = await start_bots(stack, server, folder, SHARDS, **settings)
            yield Cluster(database, bots, dask)


@dataclass(frozen=True, slots=True)
class Found:
    """The results of a run."""

    players: Players
    wrongs: Wrongs
    seconds: float
    logged: dict[str, int]
    """Errors in the logs, by bot."""
    twice: int
    """Interactions with two responses."""

    def table(self) -> str:
        """The results as Markdown tables."""
        tables = self.players.tables
        waits = [wait for table in tables for wait in table.waits]
        made = f"{len(waits):,} ({len(waits) / self.seconds:.1f} a second)"
        rows = {
            "moves made": made,
            "acknowledged moves looked for": f"{self.wrongs.moves:,}",
            "acknowledged moves lost": self.wrongs.lost,
            "moves doubled": self.wrongs.doubled,
            "starts and resignations lost": self.wrongs.starts + self.wrongs.ends,
            "interactions answered twice": self.twice,
            "click to the answer on the board, p50, p99, most s": spread(waits),
            "answers that took over ten seconds": sum(table.silent for table in tables),
            "clicks held back since all tables were waiting": self.players.held_back,
            "errors in the bots' logs": sum(self.logged.values()),
        }
        head = ("outage", "games that continued", "p50, p99, most s", "all after s")
        outage_rows = [
            (
                one.what,
                f"{len(one.moved)} of {len(tables)}",
                spread(one.waits, 1),
                f"{max(one.moved.values(), default=one.at) - one.at:.0f}",
            )
            for one in self.players.outages
        ]
        return f"{figures(f'{len(tables)} games', rows)}\n\n{markdown_table(head, outage_rows)}"


async def run(games: int, rate: float, minutes: float, folder: Path) -> Found:
    """Play `games` games at once for `minutes`, with four outages."""
    async with DiscordServer() as server:
        server.gateway.identify_interval = 5.0
        ledger = Ledger(server)
        tables = tables_on(server, ledger, games, SERVERS)
        async with cluster(server, folder) as parts:
            await begin_all(tables)
            players, began = Players(tables), monotonic()
            playing = asyncio.create_task(players.play(rate, 60 * minutes))
            for what, strike in outages(server, parts):
                await asyncio.sleep(60 * minutes / 5)
                players.outages.append(Outage(what, monotonic()))
                await strike()
            await playing
            await players.all_have_moved()
            seconds = monotonic() - began
            for program in parts.bots:
                await program.stop()
            wrongs = ledger.compare_with(await games_in(in_full(parts.database.address)))
            logged = {program.log.parent.name: program.errors() for program in parts.bots}
    return Found(players, wrongs, seconds, logged, len(server.interactions.second_answers))


def outages(
    server: DiscordServer, parts: Cluster
) -> list[tuple[str, Callable[[], Awaitable[None]]]]:
    """The outages: name, and a function that kills and restarts a process."""

    async def bot() -> None:
        await parts.bots[0].kill()
        await asyncio.sleep(BACK_AFTER)
        await parts.bots[0].start()
        await shards_connected(server, 4)

    async def part(part: Part) -> None:
        await part.kill()
        await asyncio.sleep(BACK_AFTER)
        await part.start()

    async def database() -> None:
        await asyncio.to_thread(parts.database.crash_and_return)

    return [
        ("kill -9 of a bot", bot),
        ("kill -9 of a worker", partial(part, parts.dask.workers[0])),
        ("kill -9 of the scheduler", partial(part, parts.dask.scheduler)),
        ("PostgreSQL crashes and recovers", database),
    ]


def main() -> None:
    """Print Markdown tables, and what was lost or doubled."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--rate", type=float, default=6.0)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        found = asyncio.run(run(options.games, options.rate, options.minutes, folder))
    print(found.table())
    for note in found.wrongs.notes:
        print(note)


if __name__ == "__main__":
    main()
