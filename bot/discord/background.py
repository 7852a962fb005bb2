"""Work that nobody waits for while it runs, and that the end of the bot lets finish."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

GRACE = 8.0
"""Seconds that running work has to finish before it is cancelled: a query that is cancelled halfway
would leave its connection to the database open."""


class Background:
    """Runs work in tasks of its own."""

    def __init__(self) -> None:
        """Run nothing yet."""
        self._tasks: set[asyncio.Task[None]] = set()

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something; kept alive until it is done."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self, grace: float = GRACE) -> None:
        """Let what runs finish within `grace` seconds, and cancel what has not by then."""
        tasks = tuple(self._tasks)
        if not tasks:
            return
        _, late = await asyncio.wait(tasks, timeout=grace)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
