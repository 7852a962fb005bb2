"""People who are told that their time for a move is running out, before they lose by it."""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.play.sessions import Sessions
from bot.store import Store
from bot.table.session import Session

LEFT = 0.25
"""Who has no more than this share of the time left is reminded."""


class Reminders:
    """Says whom to remind; knows nothing of Discord."""

    def __init__(
        self, store: Store, sessions: Sessions, *, now: Callable[[], float] = time.time
    ) -> None:
        """Keep in `store` who has been reminded in the games of `sessions`."""
        self._store = store
        self._sessions = sessions
        self._now = now

    async def due(self) -> list[Session]:
        """The games whose mover is to be reminded now, each once for the same move.

        That is stored before anybody is told: after a crash somebody may go without, but nobody is
        told twice.
        """
        now, seconds = self._now(), self._sessions.turn_seconds
        due = []
        for record in await self._store.games.to_remind(now - (1 - LEFT) * seconds):
            session = Session.from_record(record)
            deadline = session.deadline(seconds)
            if deadline is None or deadline <= now:
                continue
            if await self._store.games.note_reminder(session.id, session.last_at(), now, deadline):
                due.append(session)
        return due
