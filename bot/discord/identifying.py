"""Waiting for a shard's turn to identify itself, which all processes of a bot share."""

from __future__ import annotations

import asyncio
import logging
from time import monotonic, time

import discord

from bot.store import Unavailable
from bot.store.identifies import Identifies

logger = logging.getLogger(__name__)

APART = 5.25
"""Seconds between two identifies of a bucket. Discord asks for five, counted where they arrive."""
LIMITS_LAST = 30.0
"""Seconds for which what Discord has said about the sessions it still allows is believed."""
LOOK_AGAIN = 60.0
"""Seconds after which Discord is asked again while it allows no more sessions."""
AGAIN = 1.0
"""Seconds until a database that is unavailable is asked again."""


class Turns:
    """Gives a bot's shards their turns, as many at the same time as Discord allows."""

    def __init__(self, client: discord.AutoShardedClient, identifies: Identifies) -> None:
        """Ask `client` once how many are allowed, and `identifies` each time."""
        self._client = client
        self._identifies = identifies
        self._concurrency = 1
        self._asked_at: float | None = None
        self.exhausted_until: float | None = None
        """Until when Discord allows no more sessions, in seconds since 1970; None if it does."""
        self.remaining: int | None = None
        """How many more sessions Discord allows today, as far as is known."""

    async def wait(self, shard_id: int) -> None:
        """Return when the shard may identify itself, at once.

        While Discord allows no more sessions nothing is sent: an attempt would fail, and after too
        many of them Discord resets the bot's token.
        """
        await self._look()
        while self.exhausted_until is not None:
            left = self.exhausted_until - time()
            await asyncio.sleep(min(max(left, AGAIN), LOOK_AGAIN))
            self._asked_at = None
            await self._look()
        bucket = shard_id % self._concurrency
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

    async def _look(self) -> None:
        """Ask Discord what it allows, unless it has said so lately."""
        now = monotonic()
        if self._asked_at is not None and now - self._asked_at < LIMITS_LAST:
            return
        is_first = self.remaining is None
        try:
            limits = await self._client.fetch_session_start_limits()
        except discord.GatewayNotFound:
            logger.warning("Discord does not say how many shards may identify at once")
            return
        self._asked_at = now
        self._concurrency = max(1, limits.max_concurrency)
        self.remaining = limits.remaining
        if is_first:
            logger.info(
                "%s shards may identify at once; %s more today, of %s",
                limits.max_concurrency, limits.remaining, limits.total,
            )  # fmt: skip
        was_exhausted = self.exhausted_until is not None
        self.exhausted_until = None
        if limits.remaining <= 0:
            self.exhausted_until = time() + limits.reset_after / 1000
            if not was_exhausted:
                logger.error(
                    "Discord allows no more sessions for %.0f minutes; connections that can be "
                    "resumed go on", limits.reset_after / 60_000,
                )  # fmt: skip
        elif was_exhausted:
            logger.warning("Discord allows sessions again: %s", limits.remaining)
