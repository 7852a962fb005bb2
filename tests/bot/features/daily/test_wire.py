"""The daily puzzle over a real HTTP connection."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from bot.features.daily import discord
from bot.features.daily.store import DailyChannel, DailyPostRow, DailyPosts
from bot.settings import Settings
from bot.store.store import Store
from tests.bot.discord_server import CHANNEL, GUILD, DiscordServer
from tests.bot.run.conftest import server
from tests.bot.run.test_convergence import online_bot, settings
from tests.bot.stand_in.faults import resets

__all__ = ["server", "settings"]


async def test_a_message_whose_answer_was_lost_is_not_posted_twice(
    server: DiscordServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A message whose answer was lost is sent again with the same nonce and not posted twice."""
    monkeypatch.setattr(discord, "EVERY", 0.1)
    monkeypatch.setattr(discord, "SOON", 0.0)
    await subscribe(settings)
    lost = server.faults.on("POST", "/messages", resets().once_taken(), times=2)
    async with online_bot(settings, server):
        await server.until(lambda: lost.hits == 2 and len(server.sent("POST", "/messages")) == 3)
        store = Store(settings.database_url)
        await store.open()
        async with asyncio.timeout(30.0):
            while await is_unrecorded(store):  # noqa: ASYNC110 - a file has no event to await
                await asyncio.sleep(0.1)
        await store.close()
    assert len(server.board.in_channel(CHANNEL)) == 1
    nonces = {request.payload["nonce"] for request in server.sent("POST", "/messages")}
    assert len(nonces) == 1


async def is_unrecorded(store: Store) -> bool:
    """Whether the message is still to be recorded as posted."""
    (row,) = await store.database.fetch(select(DailyPostRow.message_id))
    return row.message_id is None


async def subscribe(settings: Settings) -> None:
    """Subscribe the server at any hour."""
    store = Store(settings.database_url)
    await store.open()
    await DailyPosts(store.database).subscribe(
        DailyChannel(int(GUILD), int(CHANNEL), "connect4", "en", 0, 0.0)
    )
    await store.close()
