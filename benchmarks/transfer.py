"""How long `cuatro migrate-data` takes from an SQLite file to PostgreSQL, also if it is killed.

    python -m benchmarks.transfer --moves 1000000

A file of so many moves is made from whole games, and copied by the real command to an empty
database. Then to another one: the command is killed with SIGKILL when half of the moves are there,
and started again. Each time the checksums of all tables must be equal, and the counts of the tables
are looked at by themselves as well.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep
from typing import TypeVar

from sqlalchemy import URL, Connection, func, select, text
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.postgres import in_full, postgres
from benchmarks.transfer_data import fill
from bot.database.statements import Base
from bot.store.store import Store
from bot.store.tables import MoveRow

ROOT = Path(__file__).parents[1]
T = TypeVar("T")
Counts = dict[str, int]


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured."""

    moves: int
    rows: int
    making: float
    """Seconds in which the file was made."""
    copying: float
    """Seconds of a run that nobody kills."""
    working: float
    """Seconds of the processor that the command took for it, without the server's."""
    until_kill: float
    when_killed: int
    """The moves that were there by then."""
    resumed: float
    """Seconds of the run after that."""


def start(source: str, target: str) -> subprocess.Popen[str]:
    """Run the command."""
    call = [sys.executable, "-m", "bot", "migrate-data", "--from", source, "--to", target]
    return subprocess.Popen(
        call, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def finish(running: subprocess.Popen[str]) -> str:
    """Wait for the command, which must end well; returns what it said."""
    said, _ = running.communicate()
    if running.returncode:
        raise ChildProcessError(said)
    return said


def asked(address: str, question: Callable[[Connection], T]) -> T:
    """Look into a database."""

    async def ask() -> T:
        engine = create_async_engine(address)
        try:
            async with engine.connect() as connection:
                return await connection.run_sync(question)
        finally:
            await engine.dispose()

    return asyncio.run(ask())


def counts(connection: Connection) -> Counts:
    """The rows of each table."""
    tables = Base.metadata.sorted_tables
    return {
        one.name: connection.scalar(select(func.count()).select_from(one)) or 0 for one in tables
    }


def moves_there(address: str) -> int:
    """How many moves a database has; 0 where there is no such table yet."""

    def count(connection: Connection) -> int:
        if not connection.dialect.has_table(connection, MoveRow.__tablename__):
            return 0
        return connection.scalar(select(func.count()).select_from(MoveRow)) or 0

    return asked(address, count)


def killed_at(source: str, target: str, moves: int) -> int:
    """Run the command until so many moves are there, and kill it; returns how many there were."""
    running = start(source, target)
    while moves_there(target) < moves and running.poll() is None:
        sleep(0.1)
    running.kill()
    running.communicate()
    return moves_there(target)


async def make(address: str, moves: int) -> int:
    """Make the source; returns its moves."""
    store = Store(address)
    await store.open()
    try:
        return await fill(store, moves)
    finally:
        await store.close()


def new_database(server: URL, name: str) -> str:
    """The address of an empty database on a server."""

    async def create() -> None:
        engine = create_async_engine(server, isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.execute(text(f"CREATE DATABASE {name}"))
        await engine.dispose()

    asyncio.run(create())
    return in_full(server.set(database=name))


def measure(folder: Path, server: URL, moves: int) -> Measured:
    """Measure; raises AssertionError where a database differs from the file."""
    source = f"sqlite+aiosqlite:///{(folder / 'source.db').as_posix()}"
    began = perf_counter()
    made = asyncio.run(make(source, moves))
    making, there = perf_counter() - began, asked(source, counts)
    whole, half = new_database(server, "whole"), new_database(server, "half")
    began, worked = perf_counter(), _worked()
    print(finish(start(source, whole)), flush=True)
    copying, working = perf_counter() - began, _worked() - worked
    assert asked(whole, counts) == there
    began = perf_counter()
    found = killed_at(source, half, made // 2)
    until_kill = perf_counter() - began
    assert 0 < found < made, "killed too late"
    began = perf_counter()
    print(finish(start(source, half)), flush=True)
    resumed = perf_counter() - began
    assert asked(half, counts) == there
    rows = sum(there.values())
    return Measured(made, rows, making, copying, working, until_kill, found, resumed)


def _worked() -> float:
    """The seconds of the processor that commands have taken so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=1_000_000)
    moves = parser.parse_args().moves
    with tempfile.TemporaryDirectory() as folder, postgres() as server:
        found = measure(Path(folder), server, moves)
    print(f"{found.moves} moves, {found.rows} rows in all, made in {found.making:.1f} s")
    print(f"copied and equal: {found.copying:.1f} s, {found.working:.1f} s of them at work")
    print(f"killed after {found.until_kill:.1f} s with {found.when_killed} moves there,")
    print(f"gone on with and equal: {found.resumed:.1f} s")


if __name__ == "__main__":
    main()
