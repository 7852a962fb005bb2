"""A process takes over from older ones that do the same work, and those leave."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from bot.discord.client import CuatroClient
from bot.run.link import links_of
from bot.services import Services
from bot.shards import Shards
from bot.store import ProcessRecord, Unavailable

logger = logging.getLogger(__name__)

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

    def __init__(self, client: CuatroClient, services: Services) -> None:
        """Watch the other processes on behalf of a client and its services."""
        self._client = client
        self._presence = services.presence
        self._processes = services.store.processes
        self._is_shared = services.store.database.is_shared
        self._id = services.ownership.id
        self._shards = services.settings.shards
        self._is_sharded = client.door.is_shared
        self._leaves = asyncio.Event()

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Watch from before the connection is made, until the block ends."""
        self._client.door.gives_way = True
        await self._look_if_possible()
        if self._client.door.is_shared and not self._is_sharded:
            # The others must have seen this process before both are told of the same things.
            await asyncio.sleep(2 * EVERY)
        self._presence.on_resumed = self._look_after_suspension
        task = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            if not self._client.is_closed():
                task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _watch(self) -> None:
        while not self._client.is_closed():
            if self._leaves.is_set() or await self._look_if_possible():
                logger.warning("a newer process does the same work; this one leaves")
                await self._client.drain()
                return
            with suppress(TimeoutError):
                every = EVERY if self._is_shared else EVERY_ON_FILE
                await asyncio.wait_for(self._leaves.wait(), every)

    async def _look_if_possible(self) -> bool:
        try:
            return await self._look()
        except Unavailable as error:
            logger.info("the other processes cannot be seen: %s", error)
            return False

    async def _look_after_suspension(self) -> None:
        """Look before this process goes on after a suspension; raises Unavailable."""
        if await self._look():
            self._client.door.shut()
            self._leaves.set()

    async def _look(self) -> bool:
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
        if all(link.trouble is None for link in links_of(self._client)):
            replaced = [one for one in staying if self._serves_all_of(one)]
            if replaced:
                names = [one.id for one in replaced]
                logger.info("taking over from %s", names)
                await self._processes.ask_to_drain(names)
                staying = [one for one in staying if one not in replaced]
        self._client.door.gives_way = bool(staying)
        self._client.door.is_shared = self._is_sharded or (self._is_shared and bool(others))
        return False

    def _serves_all_of(self, other: ProcessRecord) -> bool:
        """Whether nobody is left alone when another process goes."""
        return _covers(self._shards, other.shards)


def _covers(mine: Shards | None, theirs: Shards | None) -> bool:
    """Whether some shards, or with None all servers, are among others."""
    if mine is None or theirs is None:
        return mine is None
    return theirs.count == mine.count and theirs.ids <= mine.ids
