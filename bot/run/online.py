"""Running on Discord: connecting, and replacing older processes of the same shards."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.app import app_of, make_client, open_services
from bot.database.errors import Unavailable
from bot.discord.client import CuatroClient, ShardedClient
from bot.feature import Services
from bot.ops.health import Link, Monitor, running
from bot.ops.metrics import Metrics, trace_requests
from bot.settings import Settings, SettingsError
from bot.shards import Shards
from bot.workers.workers import AT_ONCE, Readiness

logger = logging.getLogger(__name__)

REFUSED = (
    "DISCORD_TOKEN was not accepted. Copy the present one from the Bot page of your application "
    "in Discord's developer portal."
)

WRONG_SHARDS = "Discord wants this bot to be sharded otherwise: set CUATRO_SHARDS. It says:"

AUTHENTICATION_FAILED = 4004
"""The code with which the gateway closes a connection whose token it does not accept."""

SHARDING_FAILED = (4010, 4011)
"""The codes for shards that do not exist, and for a bot that needs some."""

CONNECTED_WITHIN = 10.0
"""Seconds after which the engine is loaded even if there is no connection yet."""

CANCEL_AGAIN = 0.2
"""Seconds after which a connection that has overlooked its cancellation is cancelled again."""

EVERY, EVERY_ON_FILE = 1.0, 5.0
"""Seconds between two checks of the other processes: on a server, and on a file, which other
processes use only by mistake."""


class ConnectionTrouble(Exception):
    """Discord could not be reached; the text says what to check."""


def _set_addresses(settings: Settings) -> None:
    """Have discord.py use the configured API and gateway; it has no option for either."""
    if settings.api_url is not None:
        Route.BASE = settings.api_url
    if settings.gateway_url is not None:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway_url)


async def serve(settings: Settings, readiness: Readiness = AT_ONCE) -> None:
    """Play on Discord until cancelled; raises SettingsError or ConnectionTrouble.

    `readiness` loads the engine once the gateway is connected; searches wait until it is done.
    """
    _set_addresses(settings)
    metrics = Metrics()
    async with open_services(settings, readiness=readiness, meter=metrics) as services:
        succession = Succession(services)
        make = partial(
            make_client,
            services,
            is_timed=True,
            http_trace=trace_requests(metrics),
            on_resumed=succession.resume,
        )
        shards = settings.shards
        async with make() if shards is None else make(kind=ShardedClient, shards=shards) as client:
            differing = app_of(client).convergence.differing
            async with Monitor(services, metrics, partial(links_of, client), differing).open():
                await _log_in(client, settings)
                async with succession.watching(client), running(_load(client, readiness)):
                    await _connect(client, settings)


async def _load(client: CuatroClient, readiness: Readiness) -> None:
    """Load the engine as soon as there is a connection, or if it takes too long to come."""
    with suppress(TimeoutError):
        await client.wait_for("connect", timeout=CONNECTED_WITHIN)
    readiness.load()


async def sync(settings: Settings) -> None:
    """Send the commands to Discord, changed or not; raises SettingsError or ConnectionTrouble."""
    _set_addresses(settings)
    async with (
        open_services(settings, takes_games=False) as services,
        make_client(services, force_sync=True) as client,
    ):
        await _log_in(client, settings)


async def _log_in(client: CuatroClient, settings: Settings) -> None:
    """Log in and, if they have changed, send the commands."""
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
    """Keep connected to the gateway until cancelled."""

    def is_logged(record: logging.LogRecord) -> bool:
        # The traceback of a first connection that fails says nothing to operators.
        return record.exc_info is None or not _has_not_connected(client)

    logging.getLogger("discord.client").addFilter(is_logged)
    try:
        await until_cancelled(client.connect())
    except discord.ConnectionClosed as error:
        if error.code == AUTHENTICATION_FAILED:
            raise SettingsError(REFUSED) from error
        if error.code in SHARDING_FAILED:
            raise SettingsError(f"{WRONG_SHARDS} {error}.") from error
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
        logging.getLogger("discord.client").removeFilter(is_logged)


async def until_cancelled(work: Coroutine[Any, Any, None]) -> None:
    """Do work that may overlook a cancellation, and end it all the same when cancelled.

    Python 3.11's `asyncio.wait_for`, in which discord.py connects, loses a cancellation that
    arrives just as it completes.
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task})
    except asyncio.CancelledError:
        while not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=CANCEL_AGAIN)
        raise
    task.result()


def _has_not_connected(client: discord.Client) -> bool:
    """Whether a client has never connected; a sharded one keeps trying for as long as it takes."""
    # Before the first connection this is None, though discord.py's types say otherwise.
    socket: DiscordWebSocket | None = client.ws
    return socket is None and not isinstance(client, ShardedClient)


def _unreachable(address: str | None, setting: str) -> ConnectionTrouble:
    if address is None:
        return ConnectionTrouble(
            "Discord cannot be reached. Check this machine's connection and try again."
        )
    return ConnectionTrouble(f"{address} cannot be reached. Check {setting}.")


def links_of(client: discord.Client) -> tuple[Link, ...]:
    """Return the state of a client's connections: one for each shard, or a single one."""
    is_open = not client.is_closed()
    is_ready = is_open and client.is_ready()
    if not isinstance(client, ShardedClient):
        return (_link(client.ws if is_open else None, is_ready),)
    until = client.identify_queue.exhausted_until
    sockets = {n: shard._parent.ws for n, shard in client.shards.items() if is_open}
    return tuple(
        _link(sockets.get(number), is_ready, number, until) for number in sorted(client.serves.ids)
    )


def _link(
    socket: DiscordWebSocket | None,
    is_ready: bool,
    shard: int | None = None,
    exhausted_until: float | None = None,
) -> Link:
    """Return the state of one connection.

    discord.py's `is_ready` stays true when the connection breaks, and its `latency` is that of the
    last acknowledged heartbeat, however long ago. So this also reads the private times of its
    thread for heartbeats.
    """
    if socket is None or not socket.open:
        return Link(is_up=False, shard=shard, exhausted_until=exhausted_until)
    beating = socket._keep_alive
    if beating is None or beating.interval is None:
        return Link(is_up=True, is_ready=is_ready, shard=shard)
    silence = time.perf_counter() - beating._last_ack - beating.interval
    return Link(is_up=True, is_ready=is_ready, silence=silence, shard=shard)


class Succession:
    """Replaces the older processes of the same shards, and drains for newer ones.

    A process that has just started leaves every interaction to the older ones for a moment. When
    all of its shards are connected, it asks older processes whose shards it all serves to drain,
    and it is asked to drain by newer ones. A process that was suspended and replaced meanwhile is
    still the older one. Only one process may use a file: there the older one leaves at once.
    """

    def __init__(self, services: Services) -> None:
        """Watch the other processes of the one that has these services."""
        self._client: CuatroClient | None = None
        self._presence = services.presence
        self._processes = services.store.processes
        self._is_shared = services.store.database.is_shared
        self._id = services.ownership.id
        self._shards = services.settings.shards
        self._replaced = asyncio.Event()

    @asynccontextmanager
    async def watching(self, client: CuatroClient) -> AsyncIterator[None]:
        """Watch the other processes for a client, from before it connects until the block ends."""
        client.gate.defers = True
        await self._check_if_possible(client)
        if client.gate.is_shared and not client.is_sharded:
            # The others must have seen this process before both receive the same events.
            await asyncio.sleep(2 * EVERY)
        self._client = client
        task = asyncio.create_task(self._watch(client))
        try:
            yield
        finally:
            if not client.is_closed():
                task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def resume(self) -> None:
        """After a suspension, check whether this process is replaced; raises Unavailable."""
        if self._client is not None and await self._check(self._client):
            self._client.gate.close_now()
            self._replaced.set()

    async def _watch(self, client: CuatroClient) -> None:
        every = EVERY if self._is_shared else EVERY_ON_FILE
        while not client.is_closed():
            if self._replaced.is_set() or await self._check_if_possible(client):
                logger.warning("a newer process does the same work; this one leaves")
                await client.drain()
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(self._replaced.wait(), every)

    async def _check_if_possible(self, client: CuatroClient) -> bool:
        try:
            return await self._check(client)
        except Unavailable as error:
            logger.info("the other processes cannot be seen: %s", error)
            return False

    async def _check(self, client: CuatroClient) -> bool:
        """Ask replaced processes to drain, and return whether this one is to drain."""
        own = await self._processes.find(self._id)
        if own is None or own.is_gone:
            await self._presence.renew()
            own = await self._processes.find(self._id)
        if own is None or own.is_draining:
            return own is not None
        others = [
            other
            for other in await self._processes.overlapping(self._id, self._shards)
            if not other.is_draining
        ]
        if not self._is_shared and any(own.is_older(other) for other in others):
            await self._processes.ask_to_drain([self._id])
            await self._presence.renew()
            return True
        staying = [other for other in others if other.is_older(own)]
        if all(link.trouble is None for link in links_of(client)):
            replaced = [other.id for other in staying if _covers(self._shards, other.shards)]
            if replaced:
                logger.info("taking over from %s", replaced)
                await self._processes.ask_to_drain(replaced)
                staying = [other for other in staying if other.id not in replaced]
        client.gate.defers = bool(staying)
        client.gate.is_shared = client.is_sharded or (self._is_shared and bool(others))
        return False


def _covers(own: Shards | None, others: Shards | None) -> bool:
    """Whether a process with shards `own` can replace one with `others`; None means all servers."""
    if own is None or others is None:
        return own is None
    return others.count == own.count and others.ids <= own.ids
