"""Processes of the bot, run as they do online."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from bot.settings import Settings
from bot.shards import Shards
from tests.bot.discord_server import TOKEN, DiscordServer


def settings_for(server: DiscordServer, address: str, shards: Shards | None = None) -> Settings:
    """Settings of a process on this Discord and the database at `address`."""
    return Settings(
        token=TOKEN,
        database_url=address,
        api_url=server.api_url,
        gateway_url=server.gateway_url,
        shards=shards,
        workers=1,
        health_port=0,
    )


async def end(process: asyncio.Task[None], *, again: float = 12.0) -> None:
    """Stop a process as SIGTERM does, every `again` seconds: discord.py may lose a cancellation."""
    while not process.done():
        process.cancel()
        await asyncio.wait({process}, timeout=again)
    with suppress(asyncio.CancelledError):
        await process
