"""The real program, `python -m bot`, as a process that connects to the simulated Discord."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack, closing
from pathlib import Path

from sqlalchemy import select

from bot.app import open_services
from bot.game.session import Session
from bot.settings import Settings
from bot.store.store import Store
from bot.store.tables import GameRow
from tests.bot.databases import address_of
from tests.bot.discord_server import TOKEN, DiscordServer
from tests.builders import ROOT
from tests.children import PATIENCE, Child

START_SECONDS = 120.0
"""Longest time of a start in seconds; the first one on a machine compiles the engine."""


async def games_in(address: str) -> dict[int, Session]:
    """All games in a database by id, also while bots are using it."""
    store = Store(address)
    await store.open()
    try:
        return await stored_games(store)
    finally:
        await store.close()


async def stored_games(store: Store) -> dict[int, Session]:
    """All games in a store by id."""
    rows = await store.database.fetch(select(GameRow.id))
    records = [await store.games.find(row.id) for row in rows]
    return {r.id: Session.from_record(r) for r in records if r is not None}


async def start_bots(
    stack: AsyncExitStack,
    server: DiscordServer,
    folder: Path,
    shards: Mapping[str, int],
    **settings: str,
) -> list[Program]:
    """Start a bot for each range of shards, given with its number of shards; stop them at the end.

    They start one after the other, since the first one creates the tables.
    """
    bots, connected = [], 0
    for number, (which, count) in enumerate(shards.items()):
        (place := folder / f"bot-{number}").mkdir()
        program = Program(server, place)
        program.is_alone = False
        program.settings |= {"CUATRO_SHARDS": which, **settings}
        stack.push_async_callback(program.stop)
        await program.start()
        connected += count
        await shards_connected(server, connected)
        bots.append(program)
    return bots


async def shards_connected(server: DiscordServer, number: int) -> None:
    """Wait until this number of shards are connected."""
    await server.until(lambda: len(server.bots) >= number, START_SECONDS)


class Program:
    """A bot with its database, which can be started and stopped repeatedly."""

    def __init__(self, server: DiscordServer, folder: Path, *command: str) -> None:
        """Keep the database and the log in `folder`; run `command` instead of `-m bot` if given."""
        self._server = server
        self._command = command or ("-m", "bot")
        self._child: Child | None = None
        self._folder = folder
        self.database = folder / "cuatro.db"
        self.log = folder / "log.txt"
        self.settings: dict[str, str] = {"CUATRO_LOG_LEVEL": "WARNING"}
        """Settings that are added to the addresses, or override them."""
        self.is_alone = True
        """Whether this is the only bot that connects to the simulated Discord."""

    @property
    def database_url(self) -> str:
        """The database's address."""
        return address_of(self.database)

    @property
    def pid(self) -> int:
        """The id of the running process."""
        assert self._child is not None
        return self._child.pid

    @property
    def status(self) -> int | None:
        """The exit status of the process; None while it runs."""
        assert self._child is not None
        return self._child.status

    async def start(self) -> None:
        """Start the process without waiting for its connection."""
        surroundings = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("DISCORD_", "CUATRO_"))},
            "DISCORD_TOKEN": TOKEN,
            "DISCORD_API_URL": self._server.api_url,
            "DISCORD_GATEWAY_URL": self._server.gateway_url,
            "DATABASE_URL": self.database_url,
            "CUATRO_HEALTH_PORT": "0",
            "PYTHONPATH": str(ROOT),
            **self.settings,
        }
        command = (sys.executable, *self._command)
        self._child = await asyncio.to_thread(
            Child, *command, cwd=self._folder, env=surroundings, log=self.log, patience=PATIENCE
        )

    async def connected(self, seconds: float = START_SECONDS) -> None:
        """Wait until the bot is connected."""
        assert self._child is not None
        await self._child.brings(self._server.until(lambda: self._server.bots, seconds), seconds)

    async def kill(self) -> None:
        """Send SIGKILL and wait for the end of the process."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> None:
        """Send SIGTERM and wait for the end of the process."""
        await self._end(signal.SIGTERM)

    async def ended(self, seconds: float) -> int:
        """Wait for the process to exit by itself; returns its status."""
        assert self._child is not None
        return (await asyncio.to_thread(self._child.wait, seconds)).status

    async def _end(self, how: signal.Signals) -> None:
        if self._child is None or self._child.status is not None:
            return
        needed = await asyncio.to_thread(self._child.end, how)
        assert needed is None, f"the bot did not end by {how.name}"
        if self.is_alone:
            await self._server.until(lambda: not self._server.bots)

    async def stored(self) -> dict[int, Session]:
        """All games in the database, by id; the bot must have ended."""
        async with open_services(Settings(database_url=self.database_url, workers=1)) as services:
            with closing(sqlite3.connect(self.database)) as connection:
                ids = [row[0] for row in connection.execute("SELECT id FROM games ORDER BY id")]
            records = [await services.store.games.find(one) for one in ids]
            return {r.id: Session.from_record(r) for r in records if r is not None}

    def errors(self) -> int:
        """The number of errors in the log."""
        return self.log.read_text("utf-8", errors="replace").count(" ERROR ")

    def tracebacks(self) -> int:
        """The number of tracebacks in the log."""
        if not self.log.exists():
            return 0
        return self.log.read_text("utf-8", errors="replace").count("Traceback (most recent")
