"""The deployments that are measured, each with one part more than the previous one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg

from tests.bot.support.postgres import in_full, postgres
from tests.bot.support.wire.parts import local_cluster
from tests.builders import ROOT

SHAPES = ("sqlite", "postgres", "shards", "cluster")
SERVER = ("server transactions", "server syncs")
"""Counters of a PostgreSQL server: finished transactions, and synchronous writes to disk."""
SYNCS = {
    True: "SELECT SUM(fsyncs) FROM pg_stat_io WHERE object = 'wal'",
    False: "SELECT wal_sync FROM pg_stat_wal",
}
"""Queries for the number of WAL syncs, by whether the server is version 18 or later."""
FLUSHED = 1.5
"""Seconds until an idle connection has reported its counts to the server."""


@dataclass(frozen=True, slots=True)
class Deployed:
    """The running services that a deployment needs, and the settings for the bot."""

    settings: dict[str, str] = field(default_factory=dict)
    """The bot's."""
    database: str | None = None
    """The address of the PostgreSQL server in the form of its driver."""
    sessions: int = 1
    """Number of gateway sessions of the connected bot."""

    async def stored(self) -> dict[str, int]:
        """The counters of the database server so far; empty for SQLite."""
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
    """Run the services of a deployment: a database server, and a cluster that runs `tree`."""
    settings, database = dict[str, str](), None
    async with AsyncExitStack() as stack:
        if shape != "sqlite":
            address = in_full(stack.enter_context(postgres()))
            settings["DATABASE_URL"], database = address, address.replace("+asyncpg", "")
        if shape in ("shards", "cluster"):
            settings["CUATRO_SHARDS"] = "0-1/2"
        if shape == "cluster":
            cluster = await stack.enter_async_context(local_cluster(folder, tree=tree))
            settings["CUATRO_CLUSTER"] = cluster.address
            await asyncio.sleep(10.0)
        yield Deployed(settings, database, 2 if "CUATRO_SHARDS" in settings else 1)
