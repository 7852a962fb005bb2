"""Periodic tasks: what the bot does again and again while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from discord.ext import tasks

from bot.store import Unavailable


class Ticker:
    """Runs a task at a fixed interval.

    Stopping never cancels a run halfway: a cancelled query would leave its connection to the
    database open.
    """

    def __init__(self, task: Callable[[], Awaitable[None]], seconds: float) -> None:
        """Run `task` as soon as the ticker starts, and then every `seconds`."""
        self._task = task
        self._running = asyncio.Lock()
        self._loop = tasks.loop(seconds=seconds)(self._tick)

    def start(self) -> None:
        """Start ticking."""
        self._loop.start()

    async def stop(self) -> None:
        """Stop ticking; returns once a run under way has finished."""
        loop = self._loop.get_task()
        async with self._running:
            self._loop.cancel()
        if loop is not None:
            await asyncio.gather(loop, return_exceptions=True)

    async def _tick(self) -> None:
        async with self._running:
            # The database has logged why it is; the next tick tries again.
            with suppress(Unavailable):
                await self._task()
