"""Turns that take too long: people are reminded in time, then their games end."""

from __future__ import annotations

import asyncio
import logging

from bot.discord.runner import GameRunner
from bot.discord.turn_pings import TurnPings
from bot.play.reminders import Reminders
from bot.play.sessions import Sessions

logger = logging.getLogger(__name__)


class TurnTimeouts:
    """Ends games whose mover's time is up and reminds movers who are running out of it."""

    def __init__(
        self, sessions: Sessions, reminders: Reminders, runner: GameRunner, pings: TurnPings
    ) -> None:
        """End games in `sessions`, shown by `runner`; `pings` reach those due in `reminders`."""
        self._sessions = sessions
        self._reminders = reminders
        self._runner = runner
        self._pings = pings

    async def check(self) -> None:
        """Check all games once; failures are logged, and the next check makes up for them."""
        try:
            ended = await self._sessions.forfeit_silent()
            await asyncio.gather(*(self._runner.present(session) for session in ended))
        except Exception:
            logger.exception("games whose time is up could not be ended")
        try:
            due = await self._reminders.due()
            await asyncio.gather(*(self._pings.remind(session) for session in due))
        except Exception:
            logger.exception("players whose time runs out could not be reminded")
