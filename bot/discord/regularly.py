"""Doing something again and again while the bot runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from discord.ext import tasks


class Regularly:
    """Does something every so many seconds.

    Stopping it never breaks off what it is doing: a query that is cancelled half way would leave
    its connection to the database open.
    """

    def __init__(self, work: Callable[[], Awaitable[None]], seconds: float) -> None:
        """Do `work` at once when started, and then every so many seconds."""
        self._work = work
        self._working = asyncio.Lock()
        self._loop = tasks.loop(seconds=seconds)(self._once)

    def start(self) -> None:
        """Begin."""
        self._loop.start()

    async def stop(self) -> None:
        """End; returns when what was being done is done."""
        task = self._loop.get_task()
        async with self._working:
            self._loop.cancel()
        if task is not None:
            await asyncio.gather(task, return_exceptions=True)

    async def _once(self) -> None:
        async with self._working:
            await self._work()
