"""A Discord to connect to, for bots that run as they do online."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.bot.discord_server import DiscordServer


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    """A Discord to connect to."""
    async with DiscordServer() as server:
        yield server
