"""A Discord to connect to, for bots that run as they do online."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.bot.discord_server import DiscordServer


@pytest.fixture(autouse=True)
def _usual_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """After each test discord.py uses its usual addresses again."""
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    """A Discord to connect to."""
    async with DiscordServer() as server:
        yield server
