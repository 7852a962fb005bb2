"""What is to be done with a thread: keep it, archive it, or remove it because it has no game."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum, auto

from bot.features.threads.store import QUIET, Thread, ThreadStore
from bot.game.clocks import Clock
from bot.shards import Shards

REPAIR_AFTER = 120.0
"""Seconds after which a thread without a game was left behind by a process that was killed."""

LEASE = 60.0
"""Seconds for which a process works on a thread before another one may."""

FIRST_PAUSE = 60.0
"""Seconds until a second attempt, doubled with each failure."""

MAX_ATTEMPTS = 8
"""Failed attempts after which a thread stays as it is."""

SHOWN_WITHIN = 3600.0
"""Seconds after the end of a game for which archiving waits for its board."""

PATIENCE = 7 * 86_400.0
"""Seconds for which a game whose thread was deleted waits to be moved to another one."""

KEPT = 30 * 86_400.0
"""Seconds for which a row is kept once its thread is archived: a rematch may reopen it."""

CLEAR_EVERY = 3600.0
"""Seconds between two deletions of such rows."""


class Step(Enum):
    """What is to be done with a thread now."""

    WAIT = auto()
    """Nothing, since a game in it has just ended."""
    CHECK = auto()
    """Find out whether it still exists, since a game runs in it."""
    END = auto()
    """End the game in it, since it was deleted and the game was not moved elsewhere."""
    FIND = auto()
    """Find out whether it was opened at all."""
    DISCARD = auto()
    """Delete it, since no game has begun in it."""
    CLOSE = auto()
    """Give it the name with the result, and archive it."""


class Threads:
    """Decides about threads; does not depend on Discord."""

    def __init__(self, stored: ThreadStore, clock: Clock, shards: Shards | None = None) -> None:
        """Decide about the threads in `stored`, by `clock`; those of `shards`, or with None all."""
        self._stored = stored
        self._clock = clock
        self._shards = shards
        self._clear_at = clock()

    async def begin(self, guild_id: int, parent_id: int) -> int:
        """Note that a thread is about to be opened, and return the id of its row."""
        now = self._clock()
        return await self._stored.add(guild_id, parent_id, now, now + REPAIR_AFTER)

    async def opened(self, id: int, thread_id: int) -> None:
        """Note that a thread has been opened."""
        await self._stored.change(id, thread_id=thread_id)

    async def begun(self, id: int) -> None:
        """Note that the game in a thread has begun."""
        await self._stored.begun(id)

    async def forget(self, id: int) -> None:
        """Delete the row of a thread that does not exist any more, or never did."""
        await self._stored.remove(id)

    async def find(self, id: int) -> Thread | None:
        """A thread by the id of its row."""
        return await self._stored.find(id)

    async def of_channel(self, thread_id: int) -> Thread | None:
        """The thread with an id on Discord, if the bot has opened it."""
        return await self._stored.of_channel(thread_id)

    async def lost(self, thread: Thread) -> bool:
        """Note that a thread was deleted during its game; False if its people know that already."""
        at = self._clock() if thread.lost_at is None else thread.lost_at
        return await self._stored.lose(thread.id, at, at + PATIENCE)

    async def not_announced(self, thread: Thread) -> None:
        """Note that the deletion of a thread could not be announced; that is tried again."""
        await self._stored.change(thread.id, look_at=self._clock() + FIRST_PAUSE, attempts=1)

    async def check_all(self) -> None:
        """Have all threads checked in which a game runs: some may have been deleted unnoticed."""
        await self._stored.hasten(self._clock(), self._shards)

    async def due(self) -> list[Thread]:
        """The threads with something to do, which this process has claimed.

        Every CLEAR_EVERY seconds, also delete the rows of threads archived KEPT seconds ago.
        """
        now = self._clock()
        if now >= self._clear_at:
            await self._stored.clear(now - KEPT)
            self._clear_at = now + CLEAR_EVERY
        return await self._stored.claim(now, now + LEASE, self._shards)

    async def next_step(self, thread: Thread) -> tuple[Step, int | None]:
        """What is to be done with a thread, and the game that its name is about, if any.

        If nothing is to be done yet, the time of the next look is stored.
        """
        now = self._clock()
        if thread.thread_id is None:
            if await self._stored.is_opening_another(thread, now - REPAIR_AFTER):
                # Its thread would be taken for the one that is looked for.
                await self._stored.change(thread.id, look_at=now + FIRST_PAUSE)
                return Step.WAIT, None
            return Step.FIND, None
        game = await self._stored.latest_game(thread.thread_id)
        if game is None:
            return Step.CLOSE if thread.is_played else Step.DISCARD, None
        if game.finished_at is None and thread.lost_at is not None:
            is_over = now >= thread.lost_at + PATIENCE
            return Step.END if is_over else Step.CHECK, game.id
        if game.finished_at is None:
            await self._stored.begun(thread.id)
            return Step.CHECK, game.id
        look_at = game.finished_at + QUIET
        if now >= look_at and game.shown < game.state and now < game.finished_at + SHOWN_WITHIN:
            # An archived thread takes no edits, so the board shows the end first.
            look_at = now + FIRST_PAUSE
        if look_at > now:
            await self._stored.change(thread.id, look_at=look_at)
            return Step.WAIT, game.id
        return Step.CLOSE, game.id

    async def keep_open(self, id: int) -> None:
        """Note that a thread is still wanted; it is looked at again after FIRST_PAUSE seconds."""
        await self._stored.change(id, look_at=self._clock() + FIRST_PAUSE)

    async def closed(self, id: int) -> None:
        """Note that a thread is archived; the end of another game opens the row again."""
        await self._stored.change(id, look_at=None, closed_at=self._clock())

    async def failed(self, thread: Thread) -> bool:
        """Note a failed attempt; True if it was the last one."""
        attempts, now = thread.attempts + 1, self._clock()
        if attempts >= MAX_ATTEMPTS:
            await self._stored.change(thread.id, look_at=None, closed_at=now, attempts=attempts)
            return True
        later = now + FIRST_PAUSE * 2.0 ** (attempts - 1)
        await self._stored.change(thread.id, look_at=later, attempts=attempts)
        return False

    async def unknown(self, thread_ids: Collection[int]) -> set[int]:
        """Which of some threads of the bot are not stored."""
        return set(thread_ids) - await self._stored.known(thread_ids)
