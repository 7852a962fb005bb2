"""A word in the channel while an agent's move waits for the engine to be prepared."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import discord

from bot.discord.flights import time_limit
from bot.discord.interactions import UNREACHABLE
from bot.play.sessions import Sessions
from bot.table.session import Session
from bot.words import say_for

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WaitingWord:
    """Says that a move will come by itself, and takes that back when it has come.

    Only the first start on a machine needs it; failures to say so are logged, and the move comes.
    """

    client: discord.Client
    sessions: Sessions

    def is_needed(self, session: Session) -> bool:
        """Whether an agent is to move whose search cannot begin yet."""
        return session.awaits_agent and self.sessions.seconds_until_prepared(session) is not None

    @asynccontextmanager
    async def shown(self, session: Session) -> AsyncIterator[None]:
        """Show the word while the block runs, if it is needed."""
        message = await self._send(session) if self.is_needed(session) else None
        try:
            yield
        finally:
            if message is not None:
                await self._remove(message)

    async def _send(self, session: Session) -> discord.Message | None:
        seconds = self.sessions.seconds_until_prepared(session)
        text = say_for(session.locale)("engine.preparing", seconds=seconds)
        channel = self.client.get_partial_messageable(session.channel_id)
        try:
            async with time_limit(self.client):
                return await channel.send(text, silent=True)
        except UNREACHABLE as error:
            logger.info("nobody was told that game %s waits for the engine: %s", session.id, error)
            return None

    async def _remove(self, message: discord.Message) -> None:
        try:
            async with time_limit(self.client):
                await message.delete()
        except UNREACHABLE as error:
            logger.info("message %s stays where it is: %s", message.id, error)
