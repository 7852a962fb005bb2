"""Waiting for a shard's turn to identify itself, which all processes of a bot share."""

from __future__ import annotations

import asyncio
import logging

import discord

from bot.store import Unavailable
from bot.store.identifies import Identifies

logger = logging.getLogger(__name__)

APART = 6.0
"""Seconds between two identifies of a bucket. Discord asks for five, counted where they arrive."""
AGAIN = 1.0
"""Seconds until a database that is unavailable is asked again."""


class Turns:
    """Gives a bot's shards their turns, as many at the same time as Discord allows."""

    def __init__(self, client: discord.AutoShardedClient, identifies: Identifies) -> None:
        """Ask `client` once how many are allowed, and `identifies` each time."""
        self._client = client
        self._identifies = identifies
        self._concurrency: int | None = None

    async def wait(self, shard_id: int) -> None:
        """Return when the shard may identify itself, at once."""
        bucket = shard_id % await self._max_concurrency()
        wait = await self._take(bucket)
        while wait:
            await asyncio.sleep(wait)
            wait = await self._take(bucket)

    async def _take(self, bucket: int) -> float:
        try:
            return await self._identifies.take(bucket, APART)
        except Unavailable as error:
            logger.warning("a shard cannot identify itself yet: %s", error)
            return AGAIN

    async def _max_concurrency(self) -> int:
        if self._concurrency is None:
            try:
                limits = await self._client.fetch_session_start_limits()
            except discord.GatewayNotFound:
                logger.warning("Discord does not say how many shards may identify at once")
                return 1
            logger.info(
                "%s shards may identify at once; %s more today, of %s",
                limits.max_concurrency, limits.remaining, limits.total,
            )  # fmt: skip
            self._concurrency = max(1, limits.max_concurrency)
        return self._concurrency
