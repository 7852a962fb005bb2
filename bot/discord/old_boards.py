"""Boards that newer ones have replaced: nobody is to play on two boards of one game."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from time import monotonic

import discord

from bot.discord.background import Background
from bot.discord.flights import time_limit
from bot.discord.interactions import UNREACHABLE

logger = logging.getLogger(__name__)

FIRST = 5.0
"""Seconds until the second try, doubled with every failure."""
TRIES = 12
"""After which a message stays as it is; a press of its buttons still does no harm."""
MOST = 1_000
"""Messages that are kept to be tried again."""


@dataclass(slots=True)
class _Left:
    channel_id: int
    tries: int
    again_at: float


class OldBoards:
    """Takes the buttons off messages, and deletes those that cannot be edited."""

    def __init__(self, client: discord.Client) -> None:
        """Edit through `client`."""
        self._client = client
        self._work = Background()
        self._left: dict[int, _Left] = {}

    def retire(self, channel_id: int, message_id: int) -> None:
        """Retire a message, now or as soon as that can be done; nobody waits for it."""
        self._work.run(self._retire(channel_id, message_id))

    async def stop(self) -> None:
        """Let what is being tried finish."""
        await self._work.stop()

    async def _retire(self, channel_id: int, message_id: int) -> None:
        left = self._left.pop(message_id, None) or _Left(channel_id, 0, 0.0)
        if await self._is_retired(channel_id, message_id):
            return
        left.again_at = monotonic() + FIRST * 2**left.tries
        left.tries += 1
        if left.tries < TRIES and len(self._left) < MOST:
            self._left[message_id] = left

    def sweep(self) -> None:
        """Try again what has failed before, if it is time to."""
        now = monotonic()
        due = [(one, left) for one, left in self._left.items() if left.again_at <= now]
        for message_id, left in due[:1]:
            self.retire(left.channel_id, message_id)

    async def _is_retired(self, channel_id: int, message_id: int) -> bool:
        channel = self._client.get_partial_messageable(channel_id)
        message = channel.get_partial_message(message_id)
        try:
            async with time_limit(self._client):
                await message.edit(view=None)
        except discord.NotFound:
            return True
        except UNREACHABLE as error:
            logger.info("the old board %s cannot be edited: %r", message_id, error)
        else:
            return True
        try:
            async with time_limit(self._client):
                await message.delete()
        except discord.NotFound:
            return True
        except UNREACHABLE as error:
            logger.info("the old board %s stays for now: %r", message_id, error)
            return False
        return True
