"""A rolling restart: a process takes over the shards that older ones serve, and those leave."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from bot.discord.sharded import ShardedClient
from bot.run.link import links_of
from bot.store import ProcessRecord, Unavailable
from bot.store.processes import Processes

logger = logging.getLogger(__name__)

EVERY = 1.0
"""Seconds between two looks at the other processes."""


class Succession:
    """Stands behind the older processes of the same shards, then takes their place.

    A process that has just begun leaves every interaction to the older ones for a moment. When all
    of its shards are connected it asks those to drain of which it serves every shard, and is itself
    asked by whoever comes after it.
    """

    def __init__(self, client: ShardedClient, processes: Processes, process_id: str) -> None:
        """Watch `processes` on behalf of a client, which is the process of this name."""
        self._client = client
        self._processes = processes
        self._id = process_id

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Watch from before the connection is made, until the block ends."""
        self._client.door.gives_way = True
        await self._look_if_possible()
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
            if await self._look_if_possible():
                logger.info("another process serves the shards %s now", self._client.serves)
                await self._client.drain()
                return
            await asyncio.sleep(EVERY)

    async def _look_if_possible(self) -> bool:
        try:
            return await self._look()
        except Unavailable as error:
            logger.info("the other processes cannot be seen: %s", error)
            return False

    async def _look(self) -> bool:
        """Look at the other processes, and ask older ones to leave; whether this one is to."""
        myself = await self._processes.find(self._id)
        if myself is None:
            return False
        if myself.is_draining:
            return True
        others = await self._processes.beside(self._id, self._client.serves)
        staying = [one for one in others if _is_older(one, myself) and not one.is_draining]
        if all(link.trouble is None for link in links_of(self._client)):
            replaced = [one for one in staying if self._serves_all_of(one)]
            if replaced:
                names = [one.id for one in replaced]
                logger.info("taking over the shards %s from %s", self._client.serves, names)
                await self._processes.ask_to_drain(names)
                staying = [one for one in staying if one not in replaced]
        self._client.door.gives_way = bool(staying)
        return False

    def _serves_all_of(self, other: ProcessRecord) -> bool:
        """Whether nobody is left alone when another process goes."""
        mine, theirs = self._client.serves, other.shards
        return theirs is not None and theirs.count == mine.count and theirs.ids <= mine.ids


def _is_older(one: ProcessRecord, other: ProcessRecord) -> bool:
    return (one.began_at, one.id) < (other.began_at, other.id)
