"""Whether this process is at work: time in which nobody was is nobody's silence.

It says so every few seconds. What passes between the last word of a process and the moment another
one, or its next run, takes its games is given back: to the person to move in each of them, and to
challenges that wait for an answer. So is time in which nothing can be stored.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from bot.play.ownership import Ownership
from bot.play.running import RunningGames
from bot.store import Store, Unavailable
from bot.table.clocks import Clock

logger = logging.getLogger(__name__)

LOOK = 0.5
"""Seconds between two looks at whether the database is still where it was."""
BEAT = 60.0
"""Seconds between two words of a process that has its database to itself."""
RENEWAL = 3.0
"""Seconds between two words where others may be waiting for one."""
PATIENCE = 2.0
"""Seconds that such a word waits for the database."""


class Presence:
    """Keeps an eye on the database and on other processes, and gives back lost time."""

    def __init__(
        self, store: Store, games: RunningGames, ownership: Ownership, clock: Clock
    ) -> None:
        """Look after the running `games` in `store` for `ownership`, by `clock`."""
        self._store = store
        self._games = games
        self._ownership = ownership
        self._clock = clock
        self._faults = 0
        self._last = clock()
        self._renewed = self._calm = monotonic()
        self._stopping = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None
        self.on_back: Callable[[], None] = lambda: None
        """Called when changes can be stored again after they could not; set by what shows games."""
        self.on_drain: Callable[[], None] = lambda: None
        """Called when this process is asked to hand its games over; set by what runs it."""
        store.database.on_reopened = games.forget

    async def start(self) -> None:
        """Take the games that are nobody's, give back what they have lost, and keep watch."""
        self._faults = self._store.database.faults
        await self._ownership.enter()
        await self._ownership.inherit(thoroughly=True)
        self._renewed = monotonic()
        self._last = self._clock()
        self._watching = asyncio.get_running_loop().create_task(self._watch())

    async def stop(self) -> None:
        """Watch no more, and leave the games to others, as of now."""
        if self._watching is None:
            return
        self._stopping.set()
        await asyncio.wait({self._watching})
        with suppress(Unavailable):
            await self._ownership.release()

    async def settle(self) -> None:
        """Give back the time in which nothing could be stored, if there was any.

        To be done before anybody loses on time; raises Unavailable if nothing can be stored yet.
        """
        if self._faults == self._store.database.faults:
            return
        faults = self._store.database.faults
        if await self._ownership.make_up():
            self._games.forget()
        # Others could store nothing either, and are only about to say that they are at work.
        self._calm = monotonic() + 2 * RENEWAL
        await self._renew()
        self._faults = faults
        self.on_back()

    async def look(self) -> None:
        """Say that this process is at work, and take the games of those that are not."""
        await self._renew()
        inherited = await self._ownership.inherit() if monotonic() >= self._calm else None
        if inherited is not None:
            self._games.welcome(inherited)

    async def _watch(self) -> None:
        while not self._stopping.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), LOOK)
            try:
                await self._look()
            except Unavailable:
                # Which the database has logged.
                pass
            except Exception:
                logger.exception("the database could not be looked at")

    async def _look(self) -> None:
        await self._store.database.look()
        await self.settle()
        if self._store.database.is_shared:
            if monotonic() >= self._renewed + RENEWAL:
                await self.look()
        elif self._clock() >= self._last + BEAT:
            await self._renew()

    async def _renew(self) -> None:
        drained = self._ownership.is_draining
        await self._ownership.renew(PATIENCE)
        self._renewed, self._last = monotonic(), self._clock()
        if self._ownership.is_draining and not drained:
            self.on_drain()
