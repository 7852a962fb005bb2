"""A process takes over the shards of another one while people play, without a visible effect.

Both run as they do online, on one PostgreSQL and a Discord that sends each session of a shard every
event, as Discord does.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random

import pytest

from bot.discord import gateway
from bot.run import online
from bot.run import online as succession
from bot.shards import Shards
from tests.bot.discord_server import GUILD, DiscordServer
from tests.bot.run.processes import end, settings_for
from tests.bot.stand_in.hurry import expect_no_more_servers
from tests.bot.support.wire.ledger import Ledger
from tests.bot.support.wire.program import games_in
from tests.bot.support.wire.tables import Table
from tests.builders import PATIENCE

pytestmark = pytest.mark.parametrize(
    "database_kind", [pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True
)
SHARDS = Shards.parse("0-1/2")
OTHER_GUILD = str(int(GUILD) + (1 << 22))
"""A server on the other shard."""
ANSWERS = 12
"""The numbers of answered interactions before and after the restart."""


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten all pauses."""
    expect_no_more_servers(monkeypatch)
    monkeypatch.setattr(gateway, "IDENTIFY_INTERVAL", 1.0)
    monkeypatch.setattr(succession, "EVERY", 0.2)


@pytest.fixture
async def discord_server() -> AsyncIterator[DiscordServer]:
    """A Discord with a server on each of two shards and the real time limits."""
    async with DiscordServer() as server:
        server.guilds[OTHER_GUILD] = []
        server.gateway.max_concurrency, server.gateway.identify_interval = 2, 0.2
        server.interactions.patience = 3.0
        yield server


async def connected(server: DiscordServer, process: asyncio.Task[None], sessions: int) -> None:
    """Wait until this many sessions of the gateway are connected."""

    def so() -> bool:
        assert not process.done(), process.exception()
        return sum(one.socket is not None for one in server.gateway.sessions.values()) == sessions

    await server.until(so)


def tables_on(server: DiscordServer, ledger: Ledger) -> list[Table]:
    """People who play against agents and each other, on both shards."""
    tables = [
        Table(server, ledger, Random(seed), "connect4", between, ("easy",), (("size", "5x4"),))
        for seed, between in enumerate((False, True, False, True))
    ]
    for table in tables[:2]:
        server.guilds[GUILD].remove(table.channel)
        server.guilds[OTHER_GUILD].append(table.channel)
    return tables


async def answered(server: DiscordServer, more: int) -> None:
    """Wait until this many more interactions were answered."""
    known = server.interactions.answered
    due = len(known) + more
    await server.until(lambda: len(known) >= due)


async def test_a_rolling_restart_loses_no_interaction(
    discord_server: DiscordServer, address: str
) -> None:
    """While the new process takes over, each interaction is answered once, and each move counts.

    The old one ends by itself without an error.
    """
    server, ledger = discord_server, Ledger(discord_server)
    before = asyncio.all_tasks()
    settings = settings_for(server, address, SHARDS)
    old = asyncio.create_task(online.serve(settings), name="old")
    await connected(server, old, 2)
    playing = [asyncio.create_task(table.play_on(0.05)) for table in tables_on(server, ledger)]
    await answered(server, ANSWERS)
    new = asyncio.create_task(online.serve(settings), name="new")
    try:
        await connected(server, new, 4)
        await asyncio.wait_for(old, PATIENCE)
        await connected(server, new, 2)
        await answered(server, ANSWERS)
        asked = server.interactions.deliveries
        for task in playing:
            task.cancel()
        await server.until(lambda: asked.keys() <= server.interactions.answered.keys())
    finally:
        await end(old)
        await end(new)
        for task in asyncio.all_tasks() - before - {asyncio.current_task()}:
            task.cancel()
    assert set(asked.values()) == {1, 2}, "each was delivered, some of them to both"
    assert not server.interactions.second_answers
    identified = server.gateway.identifies
    assert len(identified) == 4, "nobody was sent away for coming too soon"
    wrongs = ledger.compare_with(await games_in(address))
    assert wrongs.moves > ANSWERS / 2
    assert (wrongs.lost, wrongs.doubled, wrongs.starts) == (0, 0, 0), wrongs.notes
