"""Periodic tasks: what the bot does again and again while it runs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from discord.ext import tasks

from bot.store import Unavailable

logger = logging.getLogger(__name__)


class Ticker:
    """Runs a task at a fixed interval.

    A run that fails is logged, and the next one comes all the same. Stopping never cancels a run
    halfway: a cancelled query would leave its connection to the database open.
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
            try:
                await self._task()
            except Unavailable:
                # The database has logged why; the next tick tries again.
                pass
            except Exception:
                logger.exception("a periodic task failed")
