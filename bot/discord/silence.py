"""Games whose mover has been silent for long, or for too long."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.discord.pings import Pings
from bot.play.reminders import Reminders
from bot.play.sessions import Sessions
from bot.table.session import Session

logger = logging.getLogger(__name__)

Present = Callable[[Session], Awaitable[None]]
"""Shows how a game stands."""


class Silence:
    """Ends such games and shows it; tells the movers of others that their time is running out."""

    def __init__(
        self, sessions: Sessions, reminders: Reminders, present: Present, pings: Pings
    ) -> None:
        """End games in `sessions` and `present` them; tell by `pings` who is due in `reminders`."""
        self._sessions = sessions
        self._reminders = reminders
        self._present = present
        self._pings = pings

    async def look(self) -> None:
        """Look once; a failure is logged, and the next look finds what this one has missed."""
        try:
            ended = await self._sessions.forfeit_silent()
            await asyncio.gather(*(self._present(session) for session in ended))
        except Exception:
            logger.exception("silent games could not be ended")
        try:
            due = await self._reminders.due()
            await asyncio.gather(*(self._pings.remind(session) for session in due))
        except Exception:
            logger.exception("silent players could not be reminded")
