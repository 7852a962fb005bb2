"""Helpers for answering interactions."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Awaitable
from typing import Any

import aiohttp
import discord
from discord import Interaction

logger = logging.getLogger(__name__)

NO_PINGS = discord.AllowedMentions.none()
ACKNOWLEDGEMENT = 3.0
"""Seconds that the first answer to an interaction may take: Discord accepts none after that."""
ANSWER = 8.0
"""Seconds that any further answer may take."""
UNREACHABLE = (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError)
"""How a request to Discord fails: it is refused, or the connection breaks."""


def channel_of(interaction: Interaction[Any]) -> int:
    """The channel in which an interaction happened."""
    assert interaction.channel_id is not None, "commands and buttons are used in a channel"
    return interaction.channel_id


def png_file(png: bytes, name: str, description: str) -> discord.File:
    """A picture as an attachment with alternative text; `name` comes without its ending."""
    return discord.File(io.BytesIO(png), filename=f"{name}.png", description=description)


def gif_file(gif: bytes, name: str, description: str) -> discord.File:
    """An animation as an attachment with alternative text; `name` comes without its ending."""
    return discord.File(io.BytesIO(gif), filename=f"{name}.gif", description=description)


async def confirm(answer: Awaitable[object]) -> None:
    """Confirm a change that is already stored; if that fails, the game goes on all the same."""
    try:
        async with asyncio.timeout(ACKNOWLEDGEMENT):
            await answer
    except UNREACHABLE as error:
        logger.warning("a stored change could not be confirmed: %r", error)
