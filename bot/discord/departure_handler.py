"""Notices servers that remove the bot or take it back, and deletes what is theirs in time."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.play.erasure import Erasure

EVERY = 86_400.0
"""Seconds between two looks for servers whose time has come."""


@dataclass(frozen=True, slots=True)
class DepartureHandler:
    """Keeps a server's data for as long as it has the bot, and a while longer."""

    client: discord.Client
    erasure: Erasure

    async def left(self, guild: discord.Guild) -> None:
        """Note that a server has removed the bot."""
        await self.erasure.note_departure(guild.id)

    async def returned(self, guild: discord.Guild) -> None:
        """Note that a server has the bot, perhaps again."""
        await self.erasure.note_return(guild.id)

    async def check(self) -> None:
        """Delete what is due; does nothing before Discord has said which servers there are."""
        if self.client.is_ready():
            await self.erasure.purge([guild.id for guild in self.client.guilds])
