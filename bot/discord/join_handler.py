"""Greets a server that has just added the bot."""

from __future__ import annotations

import logging

import discord

from bot.discord.interactions import NO_PINGS, UNREACHABLE
from bot.discord.welcome import welcome_message
from bot.words import say_for

logger = logging.getLogger(__name__)


class JoinHandler:
    """Posts one message that a newcomer understands, where people will see it."""

    async def greet(self, guild: discord.Guild) -> None:
        """Greet a server in its system channel, or in the first one where the bot may write."""
        channel = greeting_channel(guild)
        if channel is None:
            logger.info("there is no channel to greet server %s in", guild.id)
            return
        message = welcome_message(say_for(guild.preferred_locale.value))
        try:
            await channel.send(message.content, view=message.view, allowed_mentions=NO_PINGS)
        except UNREACHABLE as error:
            logger.info("server %s could not be greeted: %s", guild.id, error)


def greeting_channel(guild: discord.Guild) -> discord.TextChannel | None:
    """Where a server is greeted; None if the bot may write nowhere."""
    system = [] if guild.system_channel is None else [guild.system_channel]
    for channel in (*system, *guild.text_channels):
        allowed = channel.permissions_for(guild.me)
        if allowed.view_channel and allowed.send_messages:
            return channel
    return None
