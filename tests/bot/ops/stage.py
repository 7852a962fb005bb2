"""A bot on the stand-in Discord, and its answers to monitoring."""

from __future__ import annotations

import asyncio
import socket
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from bot.run import online
from bot.settings import Settings
from tests.bot.databases import address_of
from tests.bot.discord_server import CHANNEL, TOKEN, DiscordServer, Json
from tests.bot.ops.rules import Scrape
from tests.builders import PATIENCE

TIMEOUT = PATIENCE
"""Seconds after which an expected event counts as missing."""


def free_port() -> int:
    """An unused port of the loopback address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def settings_for(server: DiscordServer, database: Path) -> Settings:
    """Settings of a bot on this server with a port for monitoring."""
    return Settings(
        token=TOKEN,
        database_url=address_of(database),
        api_url=server.api_url,
        gateway_url=server.gateway_url,
        workers=1,
        health_port=free_port(),
        metrics_port=free_port(),
    )


async def get(port: int, path: str) -> tuple[int, str] | None:
    """Status and text of a port's answer; None if there is no listener."""
    try:
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://127.0.0.1:{port}{path}") as response,
        ):
            return response.status, await response.text()
    except aiohttp.ClientConnectionError:
        return None


async def eventually(find: Callable[[], Awaitable[bool]]) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(TIMEOUT):
        while not await find():  # noqa: ASYNC110  # there is no event
            await asyncio.sleep(0.05)


@dataclass(frozen=True, slots=True)
class Watched:
    """A running bot with the server that it is connected to."""

    server: DiscordServer
    settings: Settings
    database: Path

    async def ready(self) -> tuple[int, dict[str, str]]:
        """The status of `/readyz`, and its lines by vital."""
        found = await get(self.settings.health_port, "/readyz")
        if found is None:
            return 0, {}
        status, text = found
        lines = (line.split(": ", 1) for line in text.splitlines())
        return status, {head.split()[1]: f"{head.split()[0]} {said}" for head, said in lines}

    async def becomes(self, status: int, vital: str, said: str) -> None:
        """Wait until `/readyz` has this status and this text for a vital."""

        async def so() -> bool:
            now, lines = await self.ready()
            return now == status and said in lines.get(vital, "")

        await eventually(so)

    async def scrape(self) -> Scrape:
        """The answer of `/metrics`."""
        found = await get(self.settings.metrics_port, "/metrics")
        assert found is None or found[0] == 200, found
        return Scrape(None if found is None else found[1])

    async def start_game(self, **options: str) -> Json:
        """Start a game and return the message that shows it."""
        return await self.server.start_game(**options)

    async def drop(self, column: int) -> None:
        """Make a move, and wait until it is confirmed or refused."""
        await self.server.answer(await self.server.command("drop", column=column))

    async def stored(self, *, moves: int) -> None:
        """Wait until the only game has this many moves."""

        def counted() -> int:
            with closing(sqlite3.connect(self.database, timeout=30)) as database:
                return int(database.execute("SELECT count(*) FROM moves").fetchone()[0])

        async def are_stored() -> bool:
            return await asyncio.to_thread(counted) >= moves

        await eventually(are_stored)

    def edits(self) -> int:
        """The number of board edits that the server was asked for."""
        return len(self.server.sent("PATCH", f"/channels/{CHANNEL}/messages/"))

    async def edited(self, times: int) -> None:
        """Wait until there were this many edits of boards."""
        await self.server.until(lambda: self.edits() >= times, TIMEOUT)


async def stop(bot: asyncio.Task[None]) -> None:
    """Cancel a bot until it has ended. discord.py may lose a cancellation while it connects."""
    while not bot.done():
        bot.cancel()
        await asyncio.wait({bot}, timeout=2)


@asynccontextmanager
async def watched_bot(server: DiscordServer, database: Path) -> AsyncIterator[Watched]:
    """A connected and healthy bot."""
    settings = settings_for(server, database)
    before = asyncio.all_tasks()
    bot = asyncio.create_task(online.serve(settings))
    try:
        seen = Watched(server, settings, database)

        async def well() -> bool:
            assert not bot.done(), bot.exception()
            return (await seen.ready())[0] == 200

        await eventually(well)
        yield seen
    finally:
        await stop(bot)
        for task in asyncio.all_tasks() - before - {asyncio.current_task()}:
            task.cancel()
