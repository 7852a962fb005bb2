"""What becomes of games when parts of a cluster die: `python -m benchmarks.outages --games 300`.

On this machine run two bot processes with two of four shards each, one PostgreSQL, a scheduler and
two workers, against a stand-in for Discord whose gateway knows shards. People play against agents,
so many clicks a second in turn. Then die, one after the other and without warning: one bot, one
worker, the scheduler and PostgreSQL; each comes back after some seconds, as its supervisor would
see to. Every acknowledged move must be stored once, and every game must go on.

People whose click is not answered within ten seconds press again.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from time import monotonic

from sqlalchemy import func, select

from benchmarks.load import begin_all, in_turn, share
from bot.game.session import Session
from bot.store.store import Store
from bot.store.tables import GameRow
from tests.bot.discord_server import DiscordServer
from tests.bot.support.postgres import Postgres, in_full, postgres_server
from tests.bot.support.wire.ledger import Ledger, Wrongs
from tests.bot.support.wire.parts import Part, free_port, listens
from tests.bot.support.wire.program import START_SECONDS, Program
from tests.bot.support.wire.tables import KINDS, Table

SHARDS = ("0-1/4", "2-3/4")
"""What each of the two bots serves."""
SERVERS = 16
"""Servers, spread over the shards."""
BACK_AFTER = 3.0
"""Seconds until a supervisor starts again what has died."""
GOES_ON_WITHIN = 120.0
"""Seconds after which a game that has not moved counts as stuck."""


@dataclass(slots=True)
class Outage:
    """Something died, and what became of the games."""

    what: str
    at: float
    first: dict[int, float] = field(default_factory=dict)
    """When somebody first clicked at each table afterwards."""
    moved: dict[int, float] = field(default_factory=dict)
    """When a table's board first showed a move and its answer afterwards."""

    @property
    def waits(self) -> list[float]:
        """Seconds from the first click at each table to its next move."""
        return [at - self.first[table] for table, at in self.moved.items()]


@dataclass(slots=True)
class Cluster:
    """All processes but the stand-in, which is this one."""

    database: Postgres
    bots: list[Program]
    scheduler: Part
    workers: list[Part]


class Players:
    """People at tables, who click in turn."""

    def __init__(self, tables: list[Table]) -> None:
        """Let them play at these tables."""
        self.tables = tables
        self.outages: list[Outage] = []
        self.held_back = 0

    async def play(self, rate: float, seconds: float) -> None:
        """Click so many times a second for so long; a table that waits is left out."""
        self.held_back = await in_turn(len(self.tables), rate, seconds, self._move)

    async def all_have_moved(self) -> None:
        """Click at all tables that have not moved since the last outage."""
        missing = set(range(len(self.tables))) - self.outages[-1].moved.keys()
        await asyncio.gather(*(self._move(number) for number in missing))

    async def _move(self, number: int) -> None:
        """Make a move, again and again until it is answered; begin games that have ended."""
        table, until = self.tables[number], monotonic() + GOES_ON_WITHIN
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
    """Start everything, and end it."""
    with postgres_server() as database:
        port = free_port()
        address = f"tcp://127.0.0.1:{port}"
        scheduler = Part("scheduler", scheduler_command(port), folder)
        workers = [Part(f"worker-{n}", worker_command(address), folder) for n in range(2)]
        bots = []
        for number, shards in enumerate(SHARDS):
            (place := folder / f"bot-{number}").mkdir()
            program = Program(server, place)
            program.is_alone = False
            program.settings |= {
                "DATABASE_URL": in_full(database.address),
                "CUATRO_SHARDS": shards,
                "CUATRO_CLUSTER": address,
            }
            bots.append(program)
        async with AsyncExitStack() as stack:
            for part in (scheduler, *workers):
                stack.push_async_callback(part.kill)
            await scheduler.start()
            await listens(port)
            for worker in workers:
                await worker.start()
            for program in bots:
                stack.push_async_callback(program.stop)
                await program.start()
                # One after the other: the first makes the tables.
                await connected(server, 1 + 2 * bots.index(program))
            await connected(server, 4)
            yield Cluster(database, bots, scheduler, workers)


def scheduler_command(port: int) -> tuple[str, ...]:
    """What runs a scheduler."""
    where = ("--host", "127.0.0.1", "--port", str(port))
    return ("-m", "distributed.cli.dask_scheduler", *where, "--no-dashboard", "--no-show")


def worker_command(address: str) -> tuple[str, ...]:
    """What runs a worker with one process."""
    alone = ("--nworkers", "1", "--nthreads", "1", "--no-dashboard", "--preload", "cluster.worker")
    return ("-m", "distributed.cli.dask_worker", address, *alone)


async def connected(server: DiscordServer, shards: int) -> None:
    """Wait until so many shards listen."""
    await server.until(lambda: len(server.bots) >= shards, START_SECONDS)


@dataclass(frozen=True, slots=True)
class Found:
    """What a run has found."""

    players: Players
    wrongs: Wrongs
    seconds: float
    logged: dict[str, int]
    """Errors in the logs of the bots, by their names."""
    twice: int
    """Interactions that were answered twice."""

    def table(self) -> str:
        """All of it as Markdown tables."""
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
            "click to the answer on the board, p50 s": f"{share(waits, 0.5):.2f}",
            "click to the answer on the board, p99 s": f"{share(waits, 0.99):.2f}",
            "answers that took over ten seconds": sum(table.silent for table in tables),
            "clicks held back since all tables were waiting": self.players.held_back,
            "errors in the bots' logs": sum(self.logged.values()),
        }
        lines = ["| | |", "| --- | ---: |", *(f"| {k} | {v} |" for k, v in rows.items()), ""]
        lines.append("| outage | games that went on | p50 s | p99 s | most s | all after s |")
        lines.append("| --- | ---: | ---: | ---: | ---: | ---: |")
        for one in self.players.outages:
            three = " | ".join(f"{share(one.waits, part):.1f}" for part in (0.5, 0.99, 1.0))
            went = f"{len(one.moved)} of {len(tables)}"
            last = max(one.moved.values(), default=one.at) - one.at
            lines.append(f"| {one.what} | {went} | {three} | {last:.0f} |")
        return "\n".join(lines)


async def run(games: int, rate: float, minutes: float, folder: Path) -> Found:
    """Play so many games at once for so long, with four outages."""
    async with DiscordServer() as server:
        first = int(next(iter(server.guilds)))
        guilds = [str(first + (number << 22)) for number in range(SERVERS)]
        server.guilds |= {guild: [] for guild in guilds if guild not in server.guilds}
        server.gateway.apart = 5.0
        async with cluster(server, folder) as parts:
            ledger, kinds = Ledger(server), cycle(KINDS)
            tables = [
                Table(server, ledger, Random(n), next(kinds), guild=guilds[n % SERVERS])
                for n in range(games)
            ]
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
            wrongs = ledger.held_against(await stored(in_full(parts.database.address)))
            logged = {program.log.parent.name: program.errors() for program in parts.bots}
    return Found(players, wrongs, seconds, logged, len(server.interactions.second_answers))


def outages(
    server: DiscordServer, parts: Cluster
) -> list[tuple[str, Callable[[], Awaitable[None]]]]:
    """What dies, and how it comes back."""

    async def bot() -> None:
        await parts.bots[0].kill()
        await asyncio.sleep(BACK_AFTER)
        await parts.bots[0].start()
        await connected(server, 4)

    async def worker() -> None:
        await parts.workers[0].kill()
        await asyncio.sleep(BACK_AFTER)
        await parts.workers[0].start()

    async def scheduler() -> None:
        await parts.scheduler.kill()
        await asyncio.sleep(BACK_AFTER)
        await parts.scheduler.start()

    async def database() -> None:
        await asyncio.to_thread(parts.database.crash_and_return)

    return [
        ("kill -9 of a bot", bot),
        ("kill -9 of a worker", worker),
        ("kill -9 of the scheduler", scheduler),
        ("PostgreSQL crashes and recovers", database),
    ]


async def stored(address: str) -> dict[int, Session]:
    """All games in a database, by id."""
    store = Store(address)
    await store.open()
    try:
        sessions = {}
        for number in range(1, await highest(store) + 1):
            record = await store.games.find(number)
            if record is not None:
                sessions[number] = Session.from_record(record)
        return sessions
    finally:
        await store.close()


async def highest(store: Store) -> int:
    """The highest id of a game."""
    found = await store.database.fetch(select(func.max(GameRow.id).label("id")))
    return int(found[0].id or 0)


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
