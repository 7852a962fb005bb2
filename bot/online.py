"""Running on Discord."""

from __future__ import annotations

import asyncio
import logging

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.discord.client import CuatroClient
from bot.heartbeat import beat
from bot.services import open_services
from bot.settings import Settings, SettingsError

logger = logging.getLogger(__name__)


class ConnectionTrouble(Exception):
    """Discord could not be reached; the text says what to look at."""


def point_at(settings: Settings) -> None:
    """Send discord.py to the API and gateway that are set, if any are.

    discord.py has no option for either; these two attributes are what it reads.
    """
    if settings.api_url is not None:
        Route.BASE = settings.api_url
    if settings.gateway_url is not None:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway_url)


async def serve(settings: Settings) -> None:
    """Play on Discord until cancelled; raises SettingsError or ConnectionTrouble."""
    point_at(settings)
    async with open_services(settings) as services, CuatroClient(services) as client:
        pulse = asyncio.create_task(
            beat(settings.heartbeat, lambda: client.is_ready() and not client.is_closed())
        )
        try:
            await _connect(client, settings)
        finally:
            pulse.cancel()


async def sync(settings: Settings) -> None:
    """Send the commands to Discord, changed or not; raises SettingsError or ConnectionTrouble."""
    point_at(settings)
    async with (
        open_services(settings) as services,
        CuatroClient(services, force_sync=True) as client,
    ):
        await _log_in(client, settings)


async def _connect(client: CuatroClient, settings: Settings) -> None:
    await _log_in(client, settings)
    try:
        await client.connect()
    except (aiohttp.ClientError, OSError, discord.GatewayNotFound) as error:
        raise ConnectionTrouble(_unreachable(settings)) from error
    except AttributeError as error:
        # discord.py 2.7.1 fails so when its very first connection to the gateway does.
        if client.ws is None:
            raise ConnectionTrouble(_unreachable(settings)) from error
        raise


async def _log_in(client: CuatroClient, settings: Settings) -> None:
    assert settings.token is not None
    try:
        await client.login(settings.token)
    except discord.LoginFailure as error:
        raise SettingsError(
            "DISCORD_TOKEN was not accepted. Copy the present one from the Bot page of your "
            "application in Discord's developer portal."
        ) from error
    except (aiohttp.ClientError, OSError) as error:
        raise ConnectionTrouble(_unreachable(settings)) from error


def _unreachable(settings: Settings) -> str:
    target = settings.gateway_url or settings.api_url
    if target is None:
        return "Discord cannot be reached. Check this machine's connection and try again."
    return f"{target} cannot be reached. Check DISCORD_API_URL and DISCORD_GATEWAY_URL."
