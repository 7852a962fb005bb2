"""All requests go to `DISCORD_API_URL`, such as a proxy that enforces Discord's rate limits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from shutil import copyfile

import aiohttp
import pytest
from aiohttp import web

from bot.run import online
from tests.bot.databases import address_of
from tests.bot.discord_server import DiscordServer
from tests.bot.run.processes import end, settings_for
from tests.bot.support.wire.tables import button_for, is_answered, moves_on

HELD = 1.0
"""Seconds for which a request is delayed."""
ONE_HOP = {"host", "content-length", "transfer-encoding", "connection", "content-encoding"}


@dataclass(slots=True)
class Proxy:
    """A proxy that forwards everything, and edits of messages a little later."""

    server: DiscordServer
    passed: list[str] = field(default_factory=list)
    url: str = ""

    async def pass_on(self, request: web.Request) -> web.Response:
        """Forward a request and its answer."""
        self.passed.append(f"{request.method} {request.path}")
        if request.method == "PATCH":
            await asyncio.sleep(HELD)
        headers = {k: v for k, v in request.headers.items() if k.lower() not in ONE_HOP}
        url = self.server.api_url.removesuffix("/api/v10") + request.path_qs
        async with (
            aiohttp.ClientSession() as http,
            http.request(request.method, url, data=await request.read(), headers=headers) as answer,
        ):
            headers = {k: v for k, v in answer.headers.items() if k.lower() not in ONE_HOP}
            return web.Response(status=answer.status, body=await answer.read(), headers=headers)


@pytest.fixture
async def proxy(server: DiscordServer) -> AsyncIterator[Proxy]:
    """A proxy in front of the Discord."""
    proxy, app = Proxy(server), web.Application(client_max_size=2**24)
    app.router.add_route("*", "/{rest:.*}", proxy.pass_on)
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    proxy.url = f"http://127.0.0.1:{runner.addresses[0][1]}/api/v10"
    yield proxy
    await runner.cleanup()


async def test_all_requests_go_through_a_proxy(
    server: DiscordServer, proxy: Proxy, tmp_path: Path, migrated: Path
) -> None:
    """Commands, answers and boards go through the proxy, and its delays do not stop a game."""
    file = Path(copyfile(migrated, tmp_path / "games.db"))
    address = address_of(file)
    settings = replace(settings_for(server, address), api_url=proxy.url)
    bot = asyncio.create_task(online.serve(settings))
    try:
        await server.until(lambda: server.bots)
        board = await server.start_game(size="5x4", level="easy")
        made = moves_on(board)[0]
        await server.press(board, made.custom_id)
        await server.until(lambda: is_answered(server.messages[board["id"]], made.number))
        await server.answer(await server.command("help"))
        resign = button_for(board, "resign")
        assert resign is not None
        await server.answer(await server.press(board, resign))
    finally:
        await end(bot)
    asked = [f"{one.method} {one.path}" for one in server.requests]
    assert sorted(asked) == sorted(proxy.passed)
    for method, part in (("PUT", "/commands"), ("POST", "/callback"), ("PATCH", "/messages/")):
        assert any(one.startswith(method) and part in one for one in asked)
