"""Of two processes without shards on one database, the newer one stays."""

from __future__ import annotations

import asyncio

import pytest

from bot.run import online
from bot.run import online as succession
from tests.bot.discord_server import DiscordServer
from tests.bot.run.processes import end, settings_for
from tests.bot.stand_in.hurry import expect_no_more_servers
from tests.builders import PATIENCE

pytestmark = pytest.mark.databases


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten all pauses."""
    expect_no_more_servers(monkeypatch)
    monkeypatch.setattr(succession, "EVERY", 0.1)
    monkeypatch.setattr(succession, "EVERY_ON_FILE", 0.1)


async def test_the_older_process_leaves(server: DiscordServer, address: str) -> None:
    """The older process ends by itself without an error, and the newer one answers."""
    settings = settings_for(server, address)
    before = asyncio.all_tasks()
    old = asyncio.create_task(online.serve(settings))
    new = None
    try:
        await server.until(lambda: server.bots)
        new = asyncio.create_task(online.serve(settings))
        await asyncio.wait_for(old, PATIENCE)
        await server.until(lambda: len(server.gateway.sessions) == 2)
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
