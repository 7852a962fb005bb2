"""A Discord to connect to, and a database, for bots that are observed from outside."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from shutil import copyfile

import pytest

from tests.bot.discord_server import DiscordServer
from tests.bot.ops.stage import Watched, watched_bot
from tests.bot.stand_in.hurry import expect_no_more_servers


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without this, discord.py waits two seconds for more servers before it is ready."""
    expect_no_more_servers(monkeypatch)


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    """A Discord that asks for a heartbeat five times a second."""
    async with DiscordServer() as server:
        server.gateway.interval = 0.2
        yield server


@pytest.fixture
async def bot(server: DiscordServer, tmp_path: Path, migrated: Path) -> AsyncIterator[Watched]:
    """A connected and healthy bot."""
    async with watched_bot(server, Path(copyfile(migrated, tmp_path / "games.db"))) as bot:
        yield bot
