"""Working through the games that the store says are due, one by one, in the background.

What is due is in the store: a process that is killed leaves it there, and the next one finds it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.play.readiness import NotPrepared
from bot.store import Unavailable

logger = logging.getLogger(__name__)

BATCH = 50
"""How many due games are read at a time."""
SOON = 1.0
"""Seconds until the next look at what waits for another process."""
AGAIN = 5.0
"""Seconds until the next attempt after a failure, such as of the store."""


class DueQueue:
    """Settles due games one after the other, in the order in which the store gives them."""

    def __init__(
        self,
        what: str,
        due: Callable[[int], Awaitable[list[int]]],
        settle: Callable[[int], Awaitable[None]],
        then: Callable[[], None] = lambda: None,
        is_left: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        """Prepare a queue.

        Args:
            what: What is due, for the log.
            due: The ids of at most this many due games.
            settle: Settles one game, which is then no longer due.
            then: Called whenever nothing is due any more.
            is_left: Whether something is that waits for other processes; it is looked at again.
        """
        self._what = what
        self._due = due
        self._settle = settle
        self._then = then
        self._is_left = is_left
        self._drain: asyncio.Task[None] | None = None
        self._again: asyncio.TimerHandle | None = None
        self._is_more = False
        self._closing = asyncio.Event()

    def wake(self) -> None:
        """Settle what is due, soon; does nothing once closed."""
        if self._closing.is_set():
            return
        self._is_more = True
        if self._drain is None or self._drain.done():
            self._drain = asyncio.get_running_loop().create_task(self._run())

    async def drained(self, seconds: float) -> None:
        """Settle what is due, and wait for that up to `seconds`."""
        self.wake()
        if self._drain is not None:
            await asyncio.wait({self._drain}, timeout=seconds)

    async def close(self) -> None:
        """Finish the current game, then settle no more."""
        self._closing.set()
        if self._again is not None:
            self._again.cancel()
        if self._drain is not None:
            await asyncio.wait({self._drain})

    async def _run(self) -> None:
        try:
            while self._is_more and not self._closing.is_set():
                self._is_more = False
                while due := await self._due(BATCH):
                    for game_id in due:
                        if self._closing.is_set():
                            return
                        await self._settle(game_id)
            self._then()
            if self._is_left is not None and await self._is_left():
                self._again = asyncio.get_running_loop().call_later(SOON, self.wake)
        except Unavailable:
            # Which the database has logged.
            self._again = asyncio.get_running_loop().call_later(AGAIN, self.wake)
        except NotPrepared:
            logger.info("%s stay due: the engine was not ready to judge them", self._what)
        except Exception:
            logger.exception("%s could not be settled; they stay due", self._what)
            self._again = asyncio.get_running_loop().call_later(AGAIN, self.wake)
