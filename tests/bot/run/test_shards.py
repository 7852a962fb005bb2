"""A bot on some of Discord's shards, from Discord's side."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import copyfile

import pytest

from bot.discord import gateway as identifying
from bot.run import online
from bot.settings import Settings
from bot.shards import Shards
from tests.bot.databases import address_of
from tests.bot.discord_server import CHANNEL, GUILD, DiscordServer
from tests.bot.run.processes import end, settings_for
from tests.bot.stand_in.hurry import expect_no_more_servers

COUNT = 2
OTHER_GUILD, OTHER_CHANNEL = str(int(GUILD) + (1 << 22)), "77"
"""A server on the other shard."""
BOTH = Shards(frozenset(range(COUNT)), COUNT)


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for further servers, and let little time pass between identifies."""
    expect_no_more_servers(monkeypatch)
    # Much longer than the gateway asks, since a busy machine may handle the first one late.
    monkeypatch.setattr(identifying, "IDENTIFY_INTERVAL", 1.0)


@pytest.fixture
def server(server: DiscordServer) -> DiscordServer:
    """A Discord with a server on each of two shards, which must identify in turn."""
    server.guilds[OTHER_GUILD] = [OTHER_CHANNEL]
    server.gateway.identify_interval = 0.2
    return server


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[asyncio.Task[None]]:
    """Run a process until the block ends."""
    before = asyncio.all_tasks()
    process = asyncio.create_task(online.serve(settings))
    try:
        yield process
    finally:
        await end(process, again=2)
        for task in asyncio.all_tasks() - before - {asyncio.current_task()}:
            task.cancel()


def sessions(server: DiscordServer) -> int:
    """The number of connected shards."""
    return sum(one.socket is not None for one in server.gateway.sessions.values())


@pytest.fixture
def file(tmp_path: Path, migrated: Path) -> str:
    """The address of an empty database for a single process."""
    return address_of(Path(copyfile(migrated, tmp_path / "games.db")))


async def test_each_shard_identifies_in_its_turn(server: DiscordServer, file: str) -> None:
    """Shards identify with their number, and those of one bucket wait for each other."""
    async with running(settings_for(server, file, BOTH)):
        await server.until(lambda: sessions(server) == COUNT)
    first, second = server.gateway.identifies
    assert [first.shard, second.shard] == [(0, COUNT), (1, COUNT)]
    assert first.bucket == second.bucket
    assert second.at - first.at >= server.gateway.identify_interval


async def test_shards_of_other_buckets_do_not_wait(
    server: DiscordServer, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many shards identify at the same time as Discord allows."""
    monkeypatch.setattr(identifying, "IDENTIFY_INTERVAL", 1000.0)
    server.gateway.max_concurrency = COUNT
    async with running(settings_for(server, file, BOTH)):
        await server.until(lambda: sessions(server) == COUNT)
    assert [one.bucket for one in server.gateway.identifies] == [0, 1]


async def test_no_session_is_asked_for_while_none_is_allowed(
    server: DiscordServer, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While Discord allows no new session, a shard that needs one waits and sends nothing."""
    monkeypatch.setattr(identifying, "LIMITS_CACHED", 0.0)
    monkeypatch.setattr(identifying, "LIMITS_RETRY", 0.05)
    # Otherwise a shard is sent away if it comes too soon, as may happen on a busy machine.
    server.gateway.identify_interval = 0.0
    server.gateway.total = 1
    async with running(settings_for(server, file, BOTH)):
        await server.until(lambda: sessions(server) == 1)
        asked = len(server.sent("GET", "/gateway/bot"))
        await server.until(lambda: len(server.sent("GET", "/gateway/bot")) > asked + 3)
        assert len(server.gateway.identifies) == 1
        server.gateway.total = 1000
        await server.until(lambda: sessions(server) == COUNT)
    assert len(server.gateway.identifies) == COUNT


async def test_shards_with_games_come_first(server: DiscordServer, file: str) -> None:
    """Shards with more running games identify before the others."""
    async with running(settings_for(server, file, BOTH)):
        await server.until(lambda: sessions(server) == COUNT)
        channel = CHANNEL if (int(GUILD) >> 22) % COUNT else OTHER_CHANNEL
        await server.answer(
            await server.command("start", channel=channel, size="5x4", level="easy")
        )
    async with running(settings_for(server, file, BOTH)):
        await server.until(lambda: sessions(server) == COUNT)
    # A slow shard may identify again, so only the order of the first times counts.
    shards = dict.fromkeys(one.shard for one in server.gateway.identifies[2:])
    assert list(shards) == [(1, COUNT), (0, COUNT)]


async def test_games_go_on_on_every_shard(server: DiscordServer, file: str) -> None:
    """Commands of servers on both shards are answered, each once."""
    async with running(settings_for(server, file, BOTH)):
        await server.until(lambda: sessions(server) == COUNT)
        for channel in (CHANNEL, OTHER_CHANNEL):
            answer = await server.answer(
                await server.command("start", channel=channel, size="5x4", level="easy")
            )
            assert answer.payload["data"]["attachments"]
    assert not server.interactions.second_answers
