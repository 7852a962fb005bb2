"""Running on Discord: the connection, and taking over from older processes of the same work."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.app import Services, app_of, make_client, open_services
from bot.database.errors import Unavailable
from bot.discord.client import CuatroClient, ShardedClient
from bot.ops.health import Link, monitored
from bot.ops.metrics import Metrics, trace_requests
from bot.settings import Settings, SettingsError
from bot.shards import Shards
from bot.store.processes import ProcessRecord
from bot.workers.workers import AT_ONCE, Readiness


def links_of(client: discord.Client) -> tuple[Link, ...]:
    """The connections of a client, as they are now: one for each shard, or a single one."""
    is_ready = client.is_ready() and not client.is_closed()
    if not isinstance(client, ShardedClient):
        return (_link(None if client.is_closed() else client.ws, is_ready),)
    until = client.identify_queue.exhausted_until
    sockets = {number: shard._parent.ws for number, shard in client.shards.items()}
    if client.is_closed():
        sockets = {}
    return tuple(
        _link(sockets.get(number), is_ready, number, until) for number in sorted(client.serves.ids)
    )


def _link(
    socket: DiscordWebSocket | None,
    is_ready: bool,
    shard: int | None = None,
    exhausted_until: float | None = None,
) -> Link:
    """One connection.

    `is_ready` stays true when the connection breaks, and `latency` is that of the last heartbeat
    that was acknowledged, however long ago. So this reads the clock of discord.py's thread for
    heartbeats as well, which no public name leads to.
    """
    if socket is None or not socket.open:
        return Link(is_up=False, shard=shard, exhausted_until=exhausted_until)
    beating = socket._keep_alive
    if beating is None or beating.interval is None:
        return Link(is_up=True, is_ready=is_ready, shard=shard)
    silence = time.perf_counter() - beating._last_ack - beating.interval
    return Link(is_up=True, is_ready=is_ready, silence=silence, shard=shard)


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
    async with open_services(settings, readiness=readiness, meter=metrics) as services:
        succession = Succession(services)
        async with _client(services, metrics, succession) as client:
            differing = app_of(client).handlers.convergence.differing
            async with monitored(services, metrics, partial(links_of, client), differing):
                await _log_in(client, settings)
                async with succession.watching(client), _loading(client, readiness):
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


def _client(services: Services, metrics: Metrics, succession: Succession) -> CuatroClient:
    """The client for what is set: of all servers, or of some shards."""
    shards = services.settings.shards
    make = partial(
        make_client,
        services,
        is_timed=True,
        http_trace=trace_requests(metrics),
        on_resumed=succession.look_after_suspension,
    )
    return make() if shards is None else make(kind=ShardedClient, shards=shards)


async def sync(settings: Settings) -> None:
    """Send the commands to Discord, changed or not; raises SettingsError or ConnectionTrouble."""
    point_at(settings)
    async with (
        open_services(settings, looks_after=False) as services,
        make_client(services, force_sync=True) as client,
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


EVERY, EVERY_ON_FILE = 1.0, 5.0
"""Seconds between two looks at the other processes: on a server, and on a file, where there are
others only by mistake."""


class Succession:
    """Stands behind the older processes of the same shards, then takes their place.

    A process that has just begun leaves every interaction to the older ones for a moment. When all
    of its shards are connected it asks those to drain of which it serves every shard, and is itself
    asked by whoever comes after it. One that was suspended, and replaced meanwhile, is still the
    older one. A file is one process's at a time: there the older one leaves at once.
    """

    def __init__(self, services: Services) -> None:
        """Watch the processes beside the one that has these services."""
        self._client: CuatroClient | None = None
        self._presence = services.presence
        self._processes = services.store.processes
        self._is_shared = services.store.database.is_shared
        self._id = services.ownership.id
        self._shards = services.settings.shards
        self._leaves = asyncio.Event()

    @asynccontextmanager
    async def watching(self, client: CuatroClient) -> AsyncIterator[None]:
        """Watch on behalf of a client, from before it connects until the block ends."""
        client.gate.gives_way = True
        await self._look_if_possible(client)
        if client.gate.is_shared and not client.is_sharded:
            # The others must have seen this process before both are told of the same things.
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

    async def _watch(self, client: CuatroClient) -> None:
        while not client.is_closed():
            if self._leaves.is_set() or await self._look_if_possible(client):
                logger.warning("a newer process does the same work; this one leaves")
                await client.drain()
                return
            with suppress(TimeoutError):
                every = EVERY if self._is_shared else EVERY_ON_FILE
                await asyncio.wait_for(self._leaves.wait(), every)

    async def _look_if_possible(self, client: CuatroClient) -> bool:
        try:
            return await self._look(client)
        except Unavailable as error:
            logger.info("the other processes cannot be seen: %s", error)
            return False

    async def look_after_suspension(self) -> None:
        """Look before this process goes on after a suspension; raises Unavailable."""
        if self._client is not None and await self._look(self._client):
            self._client.gate.close_now()
            self._leaves.set()

    async def _look(self, client: CuatroClient) -> bool:
        """Look at the other processes, and ask older ones to leave; whether this one is to."""
        myself = await self._processes.find(self._id)
        if myself is None or myself.is_gone:
            await self._presence.renew()
            myself = await self._processes.find(self._id)
        if myself is None:
            return False
        if myself.is_draining:
            return True
        others = [
            one
            for one in await self._processes.beside(self._id, self._shards)
            if not one.is_draining
        ]
        if not self._is_shared and any(myself.is_older(one) for one in others):
            await self._processes.ask_to_drain([self._id])
            await self._presence.renew()
            return True
        staying = [one for one in others if one.is_older(myself)]
        if all(link.trouble is None for link in links_of(client)):
            replaced = [one for one in staying if self._serves_all_of(one)]
            if replaced:
                names = [one.id for one in replaced]
                logger.info("taking over from %s", names)
                await self._processes.ask_to_drain(names)
                staying = [one for one in staying if one not in replaced]
        client.gate.gives_way = bool(staying)
        client.gate.is_shared = client.is_sharded or (self._is_shared and bool(others))
        return False

    def _serves_all_of(self, other: ProcessRecord) -> bool:
        """Whether nobody is left alone when another process goes."""
        return _covers(self._shards, other.shards)


def _covers(mine: Shards | None, theirs: Shards | None) -> bool:
    """Whether some shards, or with None all servers, are among others."""
    if mine is None or theirs is None:
        return mine is None
    return theirs.count == mine.count and theirs.ids <= mine.ids
