"""Bringing every board to show what is stored, whatever has gone wrong on the way."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from bot.discord.background import Background
from bot.discord.boards import Boards
from bot.play.ownership import Ownership
from bot.store import GameRecord, Store, Unavailable
from bot.table.clocks import Clock
from bot.table.session import Session

logger = logging.getLogger(__name__)

EVERY = 2.0
"""Seconds between two sweeps; one that finds nothing is one query of an index."""
AT_ONCE = 8
"""Boards that are shown side by side."""
FIRST, LONGEST = 2.0, 300.0
"""Seconds until a channel is tried again, doubled with every failure up to the longest."""
GIVEN_UP = 3 * 86_400.0
"""Seconds after the end of a game in which its board may still be shown."""


class Convergence:
    """Shows the boards that differ from what is stored, and notes what boards show.

    A game is due a little after it has changed, unless its board has been shown by then. So whoever
    changes a game shows it, and this makes up for all who could not.
    """

    def __init__(self, store: Store, ownership: Ownership, boards: Boards, clock: Clock) -> None:
        """Show the games of `ownership` in `store` on `boards`, when they are due by `clock`."""
        self._store = store
        self._ownership = ownership
        self._boards = boards
        self._clock = clock
        self._showing: set[int] = set()
        self._failures: dict[int, int] = {}
        self._work = Background()

    async def begin(self) -> None:
        """Make every board due that an earlier run did not show, or did not get to note."""
        await self._store.boards.hasten(self._ownership.owner)

    async def sweep(self) -> None:
        """Note what has been shown, and begin to show what is due."""
        await self.note()
        self._boards.old.sweep()
        room = AT_ONCE - len(self._showing)
        if room <= 0:
            return
        due = await self._store.boards.due(self._clock(), AT_ONCE + room, self._ownership.owner)
        for record in due:
            if record.id not in self._showing and len(self._showing) < AT_ONCE:
                self._showing.add(record.id)
                self._work.run(self._show(record))

    async def note(self) -> None:
        """Store what boards have shown since the last time."""
        shown = self._boards.shown
        await self._store.boards.note(shown, self._ownership.owner)
        self._boards.forget_shown(shown)

    async def differing(self) -> int:
        """How many boards of this process's games do not show what is stored, or not yet."""
        await self.note()
        return await self._store.boards.count_due(self._ownership.owner)

    async def stop(self) -> None:
        """Let the boards that are being shown finish."""
        await asyncio.gather(self._work.stop(), self._boards.old.stop())

    async def _show(self, record: GameRecord) -> None:
        try:
            session = Session.from_record(record)
            if not self._boards.is_showing(session.id):
                await self._boards.show(session)
                await self._settle(session)
        except Unavailable:
            # The database has logged why; the board is still due.
            pass
        except Exception:
            logger.exception("the board of game %s could not be brought up to date", record.id)
            await self._leave_for_later(record)
        finally:
            self._showing.discard(record.id)

    async def _leave_for_later(self, record: GameRecord) -> None:
        """Let other boards go first: something is wrong with this one."""
        with suppress(Unavailable):
            await self._store.boards.postpone(record.id, self._clock() + LONGEST)

    async def _settle(self, session: Session) -> None:
        """Note how showing a game went: if it failed, its channel waits before the next try."""
        if self._boards.has_shown(session):
            self._failures.pop(session.channel_id, None)
            return
        now = self._clock()
        if session.end is not None and now > session.end.at + GIVEN_UP:
            logger.warning("the end of game %s cannot be shown", session.id)
            await self._store.boards.give_up(session.id)
            return
        failures = self._failures.get(session.channel_id, 0)
        self._failures[session.channel_id] = failures + 1
        pause = min(LONGEST, FIRST * 2 ** min(failures, 10))
        pause = max(pause, self._boards.held(session.channel_id))
        await self._store.boards.postpone(session.id, now + pause)
