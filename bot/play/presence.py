"""Whether the bot is at work: time in which it is not is nobody's silence.

It notes once a minute that it is. What passes between the last note and the next start, or while
nothing can be stored, is given back: to the person to move in every running game, and to
challenges that wait for an answer.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from bot.play.running import RunningGames
from bot.store import Store, Unavailable
from bot.store.absences import Pause
from bot.table.clocks import Clock
from bot.table.session import Session

logger = logging.getLogger(__name__)

LOOK = 0.5
"""Seconds between two looks at whether the database is still where it was."""
BEAT = 60.0
"""Seconds between two notes that the bot is at work."""
NOTICEABLE = 1.0
"""Seconds from which on an absence is made up for."""
PATIENCE = 2.0
"""Seconds that such a note waits for the database."""


class Presence:
    """Keeps an eye on the database, and gives back the time in which the bot was away."""

    def __init__(self, store: Store, games: RunningGames, clock: Clock) -> None:
        """Look after the running `games` in `store`, by `clock`."""
        self._store = store
        self._games = games
        self._clock = clock
        self._faults = 0
        self._last = clock()
        self._stopping = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None
        self.on_back: Callable[[], None] = lambda: None
        """Called when changes can be stored again after they could not; set by what shows games."""
        store.database.on_reopened = games.forget

    async def start(self) -> None:
        """Give back the time since the last run, and keep watch from now on."""
        self._faults = self._store.database.faults
        await self._make_up()
        self._watching = asyncio.get_running_loop().create_task(self._watch())

    async def stop(self) -> None:
        """Watch no more, and note that the bot was at work until now."""
        if self._watching is None:
            return
        self._stopping.set()
        await asyncio.wait({self._watching})
        with suppress(Unavailable):
            await self._store.absences.beat(self._clock(), patience=PATIENCE)

    async def settle(self) -> None:
        """Give back the time in which nothing could be stored, if there was any.

        To be done before anybody loses on time; raises Unavailable if nothing can be stored yet.
        """
        if self._faults == self._store.database.faults:
            return
        faults = self._store.database.faults
        await self._make_up()
        self._faults = faults
        self.on_back()

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
        now = self._clock()
        if now >= self._last + BEAT:
            await self._store.absences.beat(now, patience=PATIENCE)
            self._last = now

    async def _make_up(self) -> None:
        """Give back the time since the last note, and note that the bot is at work."""
        now, since = self._clock(), await self._store.absences.last_beat()
        away = 0.0 if since is None else max(0.0, now - since)
        pauses = {}
        if away < NOTICEABLE:
            away = 0.0
        elif since is not None:
            for record in await self._store.games.running():
                session = Session.from_record(record)
                if session.awaits_person and session.clock is not None:
                    pauses[session.id] = _paused(session, since, now)
        await self._store.absences.beat(now, patience=PATIENCE, pauses=pauses, later=away)
        if pauses:
            self._games.forget()
        self._last = now
        if away > BEAT * 2:
            logger.info("the bot was away for %.0f seconds, which nobody has lost", away)


def _paused(session: Session, since: float, now: float) -> Pause:
    """What a game is given for an absence."""
    seconds = session.paused + max(0.0, now - max(since, session.last_at()))
    look_at = replace(session, paused=seconds).look_at
    return Pause(len(session.moves), seconds, look_at)
