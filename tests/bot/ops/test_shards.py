"""The health and metrics of a bot on several shards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from shutil import copyfile

import pytest

from bot.discord import gateway as identifying
from bot.run import online
from bot.shards import Shards
from tests.bot.discord_server import DiscordServer
from tests.bot.ops.stage import Watched, eventually, settings_for, stop

SHARDS = Shards.parse("0-1/2")


@pytest.fixture
async def bot(
    server: DiscordServer, tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Watched]:
    """A bot on two shards."""
    monkeypatch.setattr(identifying, "IDENTIFY_INTERVAL", 0.1)
    file = Path(copyfile(migrated, tmp_path / "games.db"))
    settings = replace(settings_for(server, file), shards=SHARDS)
    running = asyncio.create_task(online.serve(settings))
    yield Watched(server, settings, file)
    await stop(running)


async def up(bot: Watched) -> dict[str, float]:
    """The metric of each shard's connection."""
    samples = (await bot.scrape()).samples
    return {labels["shard"]: value for name, labels, value in samples if name == "cuatro_shard_up"}


async def test_a_bot_is_ready_when_all_its_shards_are(bot: Watched) -> None:
    """A bot with a disconnected shard names it and is not ready until it is back."""
    await bot.becomes(200, "gateway", "ok connected on 2 shards")
    assert await up(bot) == {"0": 1, "1": 1}
    (second,) = (s for s in bot.server.gateway.sessions.values() if s.shard == (1, 2))
    assert second.socket is not None
    bot.server.gateway.close_code = 4000
    await second.socket.close(code=1001)

    async def is_named() -> bool:
        status, lines = await bot.ready()
        return (status, lines["gateway"]) == (503, "FAILS shard 1 not connected")

    await eventually(is_named)

    async def is_counted() -> bool:
        return await up(bot) == {"0": 1, "1": 0}

    await eventually(is_counted)
    bot.server.gateway.close_code = None
    await bot.becomes(200, "gateway", "ok")
