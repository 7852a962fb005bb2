"""The preferences of people and servers that every answer and picture depends on, cached.

Another process may change them: it takes at most FRESH seconds until a change is seen here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Generic, TypeVar

from bot.database.errors import Unavailable
from bot.store.people import Players, Preferences, ServerPreferences, Servers

FRESH = 60.0
"""Seconds for which cached preferences are used."""

PATIENCE = 0.5
"""Seconds that an answer waits for preferences; then it uses those known before."""

MAX_KEPT = 10_000
"""Cached people, and cached servers."""

T = TypeVar("T")


class _Cache(Generic[T]):
    """Values by id, read again when they are old."""

    def __init__(
        self, read: Callable[[int], Awaitable[T]], usual: T, steady: Callable[[], float]
    ) -> None:
        self._read = read
        self._usual = usual
        self._steady = steady
        self._known: dict[int, tuple[float, T]] = {}
        self._reading: dict[int, asyncio.Task[None]] = {}

    async def get(self, of: int) -> T:
        """The value of an id; if it cannot be read in time, the one known before."""
        known = self._known.get(of)
        if known is None or known[0] + FRESH <= self._steady():
            if of not in self._reading:
                task = asyncio.get_running_loop().create_task(self._renew(of))
                self._reading[of] = task
                task.add_done_callback(lambda done: self._finished(of, done))
            await asyncio.wait({self._reading[of]}, timeout=PATIENCE)
        return self._known[of][1] if of in self._known else self._usual

    def drop(self, of: int) -> None:
        """Read a value again when it is next needed."""
        self._known.pop(of, None)
        self._reading.pop(of, None)

    def _finished(self, of: int, task: asyncio.Task[None]) -> None:
        if self._reading.get(of) is task:
            del self._reading[of]

    async def _renew(self, of: int) -> None:
        task = asyncio.current_task()
        try:
            value = await self._read(of)
        except Unavailable:
            # Logged where it was detected.
            return
        # A value that was dropped while it was read may be outdated.
        if self._reading.get(of) is task:
            self._known.pop(of, None)
            self._known[of] = self._steady(), value
            while len(self._known) > MAX_KEPT:
                del self._known[next(iter(self._known))]


class CachedPreferences:
    """The preferences of people and servers; usual ones while the database is unavailable."""

    def __init__(
        self, players: Players, servers: Servers, steady: Callable[[], float] = monotonic
    ) -> None:
        """Read from `players` and `servers`; `steady` is a monotonic clock."""
        self._stored_people, self._stored_servers = players, servers
        self._people = _Cache(players.preferences, Preferences(), steady)
        self._servers = _Cache(servers.preferences, ServerPreferences(), steady)

    async def of_both(
        self, user_id: int, guild_id: int | None
    ) -> tuple[Preferences, ServerPreferences]:
        """What a person and the managers of a server have chosen, read at the same time."""
        person, server = await asyncio.gather(self.of_person(user_id), self.of_server(guild_id))
        return person, server

    async def of_person(self, user_id: int) -> Preferences:
        """What a person has chosen."""
        return await self._people.get(user_id)

    async def of_server(self, guild_id: int | None) -> ServerPreferences:
        """What the managers of a server have chosen; the usual preferences in private."""
        return ServerPreferences() if guild_id is None else await self._servers.get(guild_id)

    async def set_person(self, user_id: int, at: float, **chosen: bool | str | None) -> None:
        """Change some of the `Preferences` of a person, who may be new; seen here at once."""
        await self._stored_people.set(user_id, at, **chosen)
        self._people.drop(user_id)

    async def set_server(self, guild_id: int, **chosen: int | str | None) -> None:
        """Change some of the `ServerPreferences` of a server; seen here at once."""
        await self._stored_servers.set(guild_id, **chosen)
        self._servers.drop(guild_id)

    def forget(self, user_id: int) -> None:
        """Read a person's preferences again when they are next needed: they have been deleted."""
        self._people.drop(user_id)
