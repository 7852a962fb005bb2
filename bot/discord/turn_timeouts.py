"""Turns that take too long: people are warned and lose by time, agents are asked again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable

from bot.discord.background import Background
from bot.discord.runner import GameRunner
from bot.discord.turn_pings import TurnPings
from bot.play.alarm import Alarm
from bot.play.turn_timer import TurnTimer
from bot.store import Unavailable
from bot.table.clocks import Clock
from bot.table.session import Session

logger = logging.getLogger(__name__)

AGAIN = 5.0
"""Seconds until the next look after one that failed."""


class TurnTimeouts:
    """Acts on what the turn timer finds, whenever the alarm rings."""

    def __init__(
        self, timer: TurnTimer, alarm: Alarm, clock: Clock, runner: GameRunner, pings: TurnPings
    ) -> None:
        """Games that `timer` finds are shown by `runner`; `pings` reach whoever it warns."""
        self._timer = timer
        self._alarm = alarm
        self._clock = clock
        self._runner = runner
        self._pings = pings
        self._checking: asyncio.Task[None] | None = None
        self._acting = Background()

    def start(self) -> None:
        """Check now, and from then on whenever a game is due."""
        self._alarm.start(self._ring)

    async def stop(self) -> None:
        """Check no more; returns once the present check is done."""
        self._alarm.stop()
        if self._checking is not None:
            await asyncio.wait({self._checking})
        await self._acting.stop()

    async def check(self) -> None:
        """Check all games that are due; failures are logged, and soon made up for."""
        try:
            looked = await self._timer.look()
            # Nothing of this is waited for: it may take longer than other games have time.
            for session in looked.overdue:
                self._acting.run(self._runner.resume(session))
            for session in looked.ended:
                self._acting.run(_logged(self._runner.present(session), session))
            for session in looked.decided:
                self._acting.run(_logged(self._go_on(session), session))
            for session in looked.warned:
                self._acting.run(_logged(self._pings.remind(session), session))
            following = await self._timer.next_look()
            # What is due at once is due still: an agent that is searching, or a failure.
            is_due = following is not None and following <= self._clock()
            self._alarm.ring_by(self._clock() + AGAIN if is_due else following)
        except Unavailable:
            # Which the database has logged.
            self._alarm.ring_by(self._clock() + AGAIN)
        except Exception:
            logger.exception("games whose time is up could not be checked")
            self._alarm.ring_by(self._clock() + AGAIN)

    async def _go_on(self, session: Session) -> None:
        if session.is_watched:
            await self._runner.resume(session)
        else:
            await self._runner.carry_on(session)

    def _ring(self) -> None:
        if self._checking is None or self._checking.done():
            self._checking = asyncio.get_running_loop().create_task(self.check())
        else:
            self._alarm.ring_by(self._clock() + AGAIN)


async def _logged(work: Awaitable[None], session: Session) -> None:
    """Do something about a game; log a failure."""
    try:
        await work
    except Exception:
        logger.exception("nobody was told that time is up in game %s", session.id)
