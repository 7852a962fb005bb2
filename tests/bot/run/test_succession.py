"""Of two processes without shards on one database, the newer one stays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.run import online
from bot.run import online as succession
from bot.settings import Settings
from tests.bot.discord_server import TOKEN, DiscordServer
from tests.bot.stand_in.hurry import expect_no_more_servers

pytestmark = pytest.mark.databases
A_WHILE = 60.0


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten all pauses."""
    expect_no_more_servers(monkeypatch)
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
    monkeypatch.setattr(succession, "EVERY", 0.1)
    monkeypatch.setattr(succession, "EVERY_ON_FILE", 0.1)


@pytest.fixture
async def discord_server() -> AsyncIterator[DiscordServer]:
    """A Discord that both processes connect to."""
    async with DiscordServer() as server:
        yield server


async def end(process: asyncio.Task[None]) -> None:
    """Stop a process as SIGTERM does."""
    while not process.done():
        process.cancel()
        await asyncio.wait({process}, timeout=12)
    with suppress(asyncio.CancelledError):
        await process


async def test_the_older_process_leaves(discord_server: DiscordServer, address: str) -> None:
    """The older process ends by itself without an error, and the newer one answers."""
    server = discord_server
    settings = Settings(
        token=TOKEN,
        database_url=address,
        api_url=server.api_url,
        gateway_url=server.gateway_url,
        workers=1,
        health_port=0,
    )
    before = asyncio.all_tasks()
    old = asyncio.create_task(online.serve(settings))
    new = None
    try:
        await server.until(lambda: server.bots, A_WHILE)
        new = asyncio.create_task(online.serve(settings))
        await asyncio.wait_for(old, A_WHILE)
        await server.until(lambda: len(server.gateway.sessions) == 2, A_WHILE)
        answer = await server.answer(await server.command("start", size="5x4", level="easy"))
        assert answer.payload["data"]["attachments"]
        assert not new.done()
    finally:
        for process in (old, new):
            if process is not None:
                await end(process)
        for task in asyncio.all_tasks() - before - {asyncio.current_task()}:
            task.cancel()
    assert not server.interactions.second_answers
