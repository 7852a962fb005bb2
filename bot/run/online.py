"""Running on Discord."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.discord.client import CuatroClient
from bot.discord.sharded import ShardedClient
from bot.monitoring.metrics import Metrics
from bot.monitoring.requests import trace_requests
from bot.monitoring.watch import sources, watched
from bot.play.readiness import Readiness
from bot.play.workers import AT_ONCE
from bot.run.link import links_of
from bot.run.succession import Succession
from bot.services import Services, open_services
from bot.settings import Settings, SettingsError

logger = logging.getLogger(__name__)


REFUSED = (
    "DISCORD_TOKEN was not accepted. Copy the present one from the Bot page of your application "
    "in Discord's developer portal."
)
SHARDS = "Discord wants this bot to be sharded otherwise: set CUATRO_SHARDS. It says:"
AUTHENTICATION_FAILED = 4004
"""The code with which the gateway closes a connection whose token it does not accept."""
WRONG_SHARDS = (4010, 4011)
"""The codes for shards that do not exist, and for a bot that needs some."""


CONNECTED_WITHIN = 10.0
"""Seconds after which the engine is loaded even if there is no connection yet."""


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


async def serve(settings: Settings, readiness: Readiness = AT_ONCE) -> None:
    """Play on Discord until cancelled; raises SettingsError or ConnectionTrouble.

    What needs a part of the engine that is not ready yet waits for `readiness`, which is begun once
    the gateway is connected.
    """
    point_at(settings)
    metrics = Metrics()
    async with (
        open_services(settings, readiness=readiness, meter=metrics) as services,
        _client(services, metrics) as client,
    ):
        differing = client.handlers.convergence.differing
        seen_from = sources(services, partial(links_of, client), differing)
        async with watched(services, metrics, seen_from):
            await _log_in(client, settings)
            async with _beside_others(client, services), _loading(client, readiness):
                await _connect(client, settings)


@asynccontextmanager
async def _loading(client: CuatroClient, readiness: Readiness) -> AsyncIterator[None]:
    """Load the engine as soon as there is a connection, or if it takes too long to come."""

    async def load() -> None:
        with suppress(TimeoutError):
            await client.wait_for("connect", timeout=CONNECTED_WITHIN)
        readiness.load()

    task = asyncio.create_task(load())
    try:
        yield
    finally:
        task.cancel()


@asynccontextmanager
async def _beside_others(client: CuatroClient, services: Services) -> AsyncIterator[None]:
    """Take over from older processes of the same shards, and make way for younger ones."""
    async with Succession(client, services).watching():
        yield


def _client(services: Services, metrics: Metrics) -> CuatroClient:
    """The client for what is set: of all servers, or of some shards."""
    trace, shards = trace_requests(metrics), services.settings.shards
    if shards is None:
        return CuatroClient(services, is_timed=True, http_trace=trace)
    return ShardedClient(services, shards, is_timed=True, http_trace=trace)


async def sync(settings: Settings) -> None:
    """Send the commands to Discord, changed or not; raises SettingsError or ConnectionTrouble."""
    point_at(settings)
    async with (
        open_services(settings, looks_after=False) as services,
        CuatroClient(services, force_sync=True) as client,
    ):
        await _log_in(client, settings)


async def _log_in(client: CuatroClient, settings: Settings) -> None:
    """Log in and, where they have changed, send the commands."""
    assert settings.token is not None
    try:
        await client.login(settings.token)
    except discord.LoginFailure as error:
        raise SettingsError(REFUSED) from error
    except discord.HTTPException as error:
        trouble = f"{settings.api_url or 'Discord'} answered with an error: {error}."
        raise ConnectionTrouble(f"{trouble} Check DISCORD_API_URL, or try again later.") from error
    except (aiohttp.ClientError, OSError) as error:
        raise _unreachable(settings.api_url, "DISCORD_API_URL") from error


async def _connect(client: CuatroClient, settings: Settings) -> None:
    """Hold the connection to the gateway until cancelled."""
    quiet = _QuietFirstFailure(client)
    logging.getLogger("discord.client").addFilter(quiet)
    try:
        await client.connect()
    except discord.ConnectionClosed as error:
        if error.code == AUTHENTICATION_FAILED:
            raise SettingsError(REFUSED) from error
        if error.code in WRONG_SHARDS:
            raise SettingsError(f"{SHARDS} {error}.") from error
        raise ConnectionTrouble(f"The gateway closed the connection: {error}.") from error
    except discord.PrivilegedIntentsRequired as error:
        raise ConnectionTrouble(f"The gateway refused the connection: {error}") from error
    except (aiohttp.ClientError, OSError, discord.GatewayNotFound) as error:
        raise _unreachable(settings.gateway_url, "DISCORD_GATEWAY_URL") from error
    except AttributeError as error:
        # discord.py 2.7.1 fails so when its very first connection to the gateway does.
        if _has_not_connected(client):
            raise _unreachable(settings.gateway_url, "DISCORD_GATEWAY_URL") from error
        raise
    finally:
        logging.getLogger("discord.client").removeFilter(quiet)


class _QuietFirstFailure(logging.Filter):
    """Keeps discord.py's traceback of a first connection that failed off the log."""

    def __init__(self, client: discord.Client) -> None:
        super().__init__()
        self._client = client

    def filter(self, record: logging.LogRecord) -> bool:
        """Let everything pass once there has been a connection."""
        return record.exc_info is None or not _has_not_connected(self._client)


def _has_not_connected(client: discord.Client) -> bool:
    """Whether a client never has; one that is sharded tries for as long as it takes."""
    if isinstance(client, ShardedClient):
        return False
    # discord.py says that this is always there; before the first connection it is None.
    socket: DiscordWebSocket | None = client.ws
    return socket is None


def _unreachable(address: str | None, setting: str) -> ConnectionTrouble:
    if address is None:
        return ConnectionTrouble(
            "Discord cannot be reached. Check this machine's connection and try again."
        )
    return ConnectionTrouble(f"{address} cannot be reached. Check {setting}.")
