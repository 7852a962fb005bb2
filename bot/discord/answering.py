"""Answering one interaction: privately where it is refused or fails."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from typing import Any

import aiohttp
import discord
from discord import Interaction

logger = logging.getLogger(__name__)

NO_PINGS = discord.AllowedMentions.none()
UNREACHABLE = (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError)
"""What a request may fail with: Discord refuses, or the connection to it does not hold."""


def channel_of(interaction: Interaction[Any]) -> int:
    """Where an interaction happened."""
    assert interaction.channel_id is not None, "commands and buttons are used in a channel"
    return interaction.channel_id


async def confirm(answer: Awaitable[object]) -> None:
    """Tell somebody of what has been stored; where that fails, the game goes on all the same."""
    try:
        await answer
    except UNREACHABLE as error:
        logger.warning("a move was made but could not be confirmed: %s", error)


async def tell(interaction: Interaction[Any], text: str) -> None:
    """Say something to one person, whether or not the interaction has been answered."""
    try:
        if interaction.response.is_done():
            await interaction.followup.send(text, ephemeral=True, allowed_mentions=NO_PINGS)
        else:
            await interaction.response.send_message(text, ephemeral=True, allowed_mentions=NO_PINGS)
    except UNREACHABLE as error:
        logger.warning("a private answer could not be given: %s", error)
