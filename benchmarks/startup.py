"""How long a start takes: `python -m benchmarks.startup`, or with `--discord` after a kill.

Without options this measures `cuatro` until its local page is served. With `--discord` the real
program plays on a simulated Discord, is killed, and is restarted: on SQLite and on PostgreSQL,
unsharded and as one shard. Once it is connected, one player moves in a game of the killed process
and another one starts a new game. The kernels are compiled in advance.

`--beside DIR` measures another working copy in turns with this one, so that other load affects
both. CPU seconds include all threads of the process; on a busy machine they are more reliable than
wall-clock time.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random

from sqlalchemy import URL

from benchmarks.printing import figures, head, row
from tests.bot.discord_server import DiscordServer
from tests.bot.support.postgres import in_full, postgres
from tests.bot.support.wire.ledger import Ledger
from tests.bot.support.wire.program import Program
from tests.bot.support.wire.tables import Table, is_answered, moves_on

ROOT = Path(__file__).parents[1]
REPETITIONS = 5
LONGEST = 120.0
"""Timeout of every step in seconds."""
DATABASES = ("SQLite", "PostgreSQL")
SHARDS: dict[str, str | None] = {"unsharded": None, "one shard": "0/1"}
NUMBERS = count(1)
MOMENTS = {
    "requested": "first request",
    "connected": "connected",
    "moved": "`drop` answered",
    "begun": "`start` answered",
    "replied": "board shows the reply to the `drop`",
}
"""The moments of a restart with their titles."""


def one_start(folder: str) -> float:
    """Seconds from the command to the printed address, on an existing database."""
    database = Path(folder, "startup.db").as_posix()
    environment = {
        **os.environ,
        "CUATRO_PORT": "0",
        "DATABASE_URL": f"sqlite+aiosqlite:///{database}",
        "PYTHONPATH": str(ROOT),
    }
    environment.pop("DISCORD_TOKEN", None)
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "bot"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as cuatro:
        assert cuatro.stdout is not None
        for line in cuatro.stdout:
            if re.search(r"http://127\.0\.0\.1", line):
                break
        taken = time.perf_counter() - began
        cuatro.send_signal(signal.SIGINT)
        cuatro.communicate(timeout=20)
    return taken


def local_page() -> None:
    """Print a Markdown table; the first start, which may compile, is separate."""
    with tempfile.TemporaryDirectory() as folder:
        first = one_start(folder)
        times = [one_start(folder) for _ in range(REPETITIONS)]
    found = {
        "first start of this run, s": f"{first:.2f}",
        f"warm, median of {REPETITIONS}, s": f"{statistics.median(times):.2f}",
        f"warm, worst of {REPETITIONS}, s": f"{max(times):.2f}",
    }
    print(figures("start to the printed address", found))


@dataclass(frozen=True, slots=True)
class Moment:
    """A time since the start of a process."""

    seconds: float
    cpu: float
    """CPU seconds of the process until then."""


@dataclass(frozen=True, slots=True)
class Restart:
    """One start after a kill."""

    requested: Moment
    """The first request to Discord's API."""
    connected: Moment
    """The beginning of the gateway session."""
    moved: Moment
    """The response to `drop` in a game of the killed process."""
    replied: Moment
    """The agent's answer on that game's board."""
    begun: Moment
    """The response to `start`."""


class Restarts:
    """A working copy of the program that is killed and restarted."""

    def __init__(self, root: Path, server: DiscordServer, folder: Path) -> None:
        """Run the working copy at `root`, with its files in `folder`."""
        self._server = server
        self._program = Program(server, folder)
        self._program.settings |= {"PYTHONPATH": str(root)}
        ledger = Ledger(server)
        self._playing = Table(server, ledger, Random(1), "connect4", variants=(("size", "6x7"),))
        self._beginning = Table(server, ledger, Random(2), "connect4", variants=(("size", "6x7"),))
        self._began = 0.0

    async def prepare(self, database_url: str | None, shards: str | None) -> None:
        """Start for the first time, which may compile, and begin a game."""
        if database_url is not None:
            self._program.settings["DATABASE_URL"] = database_url
        if shards is not None:
            self._program.settings["CUATRO_SHARDS"] = shards
        await self._program.start()
        await self._program.connected()
        await self._begin_game()

    async def _begin_game(self) -> None:
        """Begin a game and wait for the agent's first answer, which loads all kernels."""
        table, server = self._playing, self._server
        table.meet()
        table.move_away()
        token = await server.command(
            "start", channel=table.channel, user_id=table.people[0],
            size="6x7", level="easy", first="me",
        )  # fmt: skip
        await server.answer(token, LONGEST)
        await server.until(lambda: table.board is not None and moves_on(table.board), LONGEST)
        table.answer_seconds = LONGEST
        assert table.board is not None
        await table.move(table.board)

    async def measure(self) -> Restart:
        """Kill and restart the program, and record all moments."""
        server, table, other = self._server, self._playing, self._beginning
        await self._program.kill()
        server.requests.clear()
        self._began = time.perf_counter()
        await self._program.start()
        requested = await self._when(lambda: server.requests)
        await self._program.connected()
        connected = self._now()
        board = table.board
        assert board is not None
        made = moves_on(board)[0]
        other.meet()
        other.move_away()
        move = await server.command(
            "drop", channel=table.channel, user_id=table.people[0], column=int(made.move)
        )
        start = await server.command(
            "start", channel=other.channel, user_id=other.people[0],
            size="6x7", level="easy", first="me",
        )  # fmt: skip
        answered = server.interactions.answered
        moved, begun, replied = await asyncio.gather(
            self._when(lambda: move in answered),
            self._when(lambda: start in answered),
            self._when(lambda: is_answered(table.board, made.number)),
        )
        restart = Restart(requested, connected, moved, replied, begun)
        await self._begin_game()
        return restart

    async def stop(self) -> None:
        """End the program."""
        await self._program.stop()

    async def _when(self, find: Callable[[], object]) -> Moment:
        await self._server.until(find, LONGEST)
        return self._now()

    def _now(self) -> Moment:
        return Moment(time.perf_counter() - self._began, cpu_seconds(self._program.pid))


def cpu_seconds(pid: int) -> float:
    """User and system CPU seconds of a process."""
    after_name = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


async def after_kills(
    roots: Sequence[Path], addresses: Sequence[str | None], shards: str | None, repetitions: int
) -> list[list[Restart]]:
    """Restart the programs of several working copies in turns; returns the restarts of each."""
    async with AsyncExitStack() as stack:
        programs: list[Restarts] = []
        for root, address in zip(roots, addresses, strict=True):
            server = await stack.enter_async_context(DiscordServer())
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            program = Restarts(root, server, folder)
            stack.push_async_callback(program.stop)
            await program.prepare(address, shards)
            programs.append(program)
        measured: list[list[Restart]] = [[] for _ in programs]
        for _ in range(repetitions):
            for program, restarts in zip(programs, measured, strict=True):
                restarts.append(await program.measure())
        return measured


def on_discord(roots: Sequence[Path], repetitions: int) -> None:
    """Print a row for each working copy, database and sharding."""
    print(head(("working copy", *MOMENTS.values())))
    with postgres() as server:
        for database in DATABASES:
            for sharding, shards in SHARDS.items():
                addresses = [
                    None if database == "SQLite" else asyncio.run(new_database(server))
                    for _ in roots
                ]
                measured = asyncio.run(after_kills(roots, addresses, shards, repetitions))
                for root, restarts in zip(roots, measured, strict=True):
                    name = f"{root.name}, {database}, {sharding}"
                    print(row((name, *cells(restarts))), flush=True)


def cells(restarts: Sequence[Restart]) -> Iterator[str]:
    """The medians: seconds, and CPU seconds in brackets."""
    for name in MOMENTS:
        moments = [getattr(restart, name) for restart in restarts]
        seconds = statistics.median(moment.seconds for moment in moments)
        cpu = statistics.median(moment.cpu for moment in moments)
        yield f"{seconds:.2f} ({cpu:.2f})"


async def new_database(server: URL) -> str:
    """Create an empty database; returns its address."""
    import asyncpg

    name = f"startup_{next(NUMBERS)}"
    connection = await asyncpg.connect(in_full(server.set(drivername="postgresql")))
    try:
        await connection.execute(f"CREATE DATABASE {name}")
    finally:
        await connection.close()
    return in_full(server.set(database=name))


def main() -> None:
    """Read the options and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--discord", action="store_true", help="measure starts after a kill")
    parser.add_argument("--beside", type=Path, metavar="DIR", help="another working copy")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    options = parser.parse_args()
    if not options.discord:
        local_page()
        return
    beside = [options.beside.resolve()] if options.beside else []
    on_discord([*beside, ROOT], options.repetitions)


if __name__ == "__main__":
    main()
