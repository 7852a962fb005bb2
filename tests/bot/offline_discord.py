"""SimCord's offline Discord, with two time limits: for work in progress and for timers."""

from __future__ import annotations

import asyncio

import simcord

SOON = 2.0
"""Seconds within which a timer of the bot has to fire for a test to wait for it."""

POLL = 0.005
"""Seconds between two checks whether the bot is idle."""


class OfflineDiscord(simcord.Env):
    """An offline Discord that waits for the bot's work, but not for its later timers.

    SimCord itself has one time limit for both: it waits in real time for each timer that fires
    before the limit, such as the retry of a rating in 20 seconds. Later timers fire here when a
    test lets time pass.
    """

    async def _settle_internal(
        self,
        *,
        timeout: float | None = None,  # noqa: ASYNC109
        idle: float = POLL,
        dispatch: str | None = None,
        _deadline: float | None = None,
    ) -> None:
        now = asyncio.get_running_loop().time
        # SimCord's own limits, such as five seconds for a start, are for machines without load.
        longest = max(timeout or 0.0, self.settle_timeout)
        end = now() + longest if _deadline is None else _deadline
        while True:
            until = min(end, now() + SOON)
            try:
                await super()._settle_internal(idle=idle, dispatch=dispatch, _deadline=until)
            except TimeoutError:
                if until >= end:
                    raise
            else:
                return
