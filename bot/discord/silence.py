"""Games whose mover has been silent for too long."""

from __future__ import annotations

import asyncio
import logging

from bot.discord.boards import Boards
from bot.sessions import Sessions

logger = logging.getLogger(__name__)


class Silence:
    """Ends such games and shows it."""

    def __init__(self, sessions: Sessions, boards: Boards) -> None:
        """End games in `sessions` and show them on `boards`."""
        self._sessions = sessions
        self._boards = boards

    async def end_games(self) -> None:
        """Look once; a failure is logged, and the next look finds what this one has missed."""
        try:
            ended = await self._sessions.forfeit_silent()
            await asyncio.gather(*(self._boards.show(session) for session in ended))
        except Exception:
            logger.exception("silent games could not be ended")
