"""The shapes in which the bot is deployed, each a step further than the one before."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg

from tests.bot.support.postgres import in_full, postgres
from tests.bot.support.wire.parts import Part, free_port, listens
from tests.bot.support.wire.program import ROOT

SHAPES = ("sqlite", "postgres", "shards", "cluster")
SERVER = ("server transactions", "server syncs")
"""What a PostgreSQL server counts: transactions that have ended, and writes to disk waited for."""
SYNCS = {
    True: "SELECT SUM(fsyncs) FROM pg_stat_io WHERE object = 'wal'",
    False: "SELECT wal_sync FROM pg_stat_wal",
}
"""How often the log was written to disk, by whether the server is of version 18 or later."""
FLUSHED = 1.5
"""Seconds until a connection that rests has added its counts to the server's."""


@dataclass(frozen=True, slots=True)
class Deployed:
    """What a bot of a shape needs, started and ready."""

    settings: dict[str, str] = field(default_factory=dict)
    """The bot's."""
    database: str | None = None
    """The PostgreSQL server's address, as its driver wants it."""
    sessions: int = 1
    """That the bot has with Discord's gateway once it is connected."""

    async def stored(self) -> dict[str, int]:
        """What the database server has counted so far; nothing for a file."""
        if self.database is None:
            return {}
        await asyncio.sleep(FLUSHED)
        connection = await asyncpg.connect(self.database)
        try:
            is_new = connection.get_server_version().major >= 18
            ended = await connection.fetchval("SELECT SUM(xact_commit) FROM pg_stat_database")
            synced = await connection.fetchval(SYNCS[is_new])
            return dict(zip(SERVER, map(int, (ended, synced)), strict=True))
        finally:
            await connection.close()


@asynccontextmanager
async def deployment(shape: str, folder: Path, tree: Path = ROOT) -> AsyncIterator[Deployed]:
    """Run what a bot of a shape needs beside itself: a database server, a cluster of `tree`."""
    settings, database = dict[str, str](), None
    async with AsyncExitStack() as stack:
        if shape != "sqlite":
            address = in_full(stack.enter_context(postgres()))
            settings["DATABASE_URL"], database = address, address.replace("+asyncpg", "")
        if shape in ("shards", "cluster"):
            settings["CUATRO_SHARDS"] = "0-1/2"
        if shape == "cluster":
            settings["CUATRO_CLUSTER"] = await stack.enter_async_context(cluster(folder, tree))
        yield Deployed(settings, database, 2 if "CUATRO_SHARDS" in settings else 1)


@asynccontextmanager
async def cluster(folder: Path, tree: Path) -> AsyncIterator[str]:
    """A scheduler and one worker of a tree; gives the scheduler's address."""
    port, where = free_port(), {"PYTHONPATH": str(tree)}
    address = f"tcp://127.0.0.1:{port}"
    scheduler = ("-m", "dask", "scheduler", "--host", "127.0.0.1", "--port", str(port))
    worker = ("-m", "dask", "worker", address, "--nworkers", "1", "--nthreads", "1",
              "--memory-limit", "0", "--preload", "cluster.worker")  # fmt: skip
    parts = (
        Part("scheduler", (*scheduler, "--no-dashboard"), folder, where),
        Part("worker", (*worker, "--no-dashboard"), folder, where),
    )
    try:
        await parts[0].start()
        await listens(port)
        await parts[1].start()
        await asyncio.sleep(10.0)
        yield address
    finally:
        for part in parts:
            await part.kill()
