"""SimCord's offline Discord, with two time limits: for work in progress and for timers."""

from __future__ import annotations

import asyncio
from typing import Any
from weakref import WeakKeyDictionary

import simcord
from simcord._dpy_internals import composed_tasks
from simcord._settlement import _is_parked, _run_due_virtual_callbacks

SOON = 2.0
"""Seconds within which a timer of the bot has to fire for a test to wait for it."""

POLL = 0.005
"""Seconds between two checks whether the bot is idle, where nothing says when it will be."""


class OfflineDiscord(simcord.Env):
    """An offline Discord that waits for the bot's work, but not for its later timers.

    SimCord itself has one time limit for both: it waits in real time for each timer that fires
    before the limit, such as the retry of a rating in 20 seconds. Later timers fire here when a
    test lets time pass.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """See `simcord.Env`."""
        super().__init__(*arguments, **options)
        self._seen_parked: WeakKeyDictionary[asyncio.Task[Any], Any] = WeakKeyDictionary()
        """What each task was waiting for when it was last found to wait for the outside."""

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
            await self._work_done(until)
            try:
                await super()._settle_internal(idle=idle, dispatch=dispatch, _deadline=until)
            except TimeoutError:
                if until >= end:
                    raise
            else:
                return

    async def _work_done(self, until: float) -> None:
        """Wait until the bot seems to be idle.

        SimCord classifies all tasks and timers again every few milliseconds, which costs more than
        the bot's own work. Here one piece of work in progress is waited for after the other, and
        SimCord decides in the end.
        """
        now = asyncio.get_running_loop().time
        while now() < until:
            _run_due_virtual_callbacks(self._settlement_state(), until)
            await asyncio.sleep(0)
            if self._real_advance_task is not None or self._advance_task is not None:
                return
            if self._is_runnable():
                continue
            work = self._work_in_progress(until)
            if work is None:
                return
            await asyncio.wait((work,), timeout=until - now())

    def _is_runnable(self) -> bool:
        """Whether a task or callback of the bot runs when the loop turns next."""
        tasks = (task._fut_waiter for task in self._work.tasks if not task.done())
        return any(waiter is None or waiter.done() for waiter in tasks) or any(
            record.when is None and record.handle is not None and not record.handle.cancelled()
            for record in self._work.callbacks
        )

    def _work_in_progress(self, until: float) -> asyncio.Future[Any] | None:
        """What has to end before the bot can be idle; None if nothing certainly has to."""
        if self._work.executors:
            return next(iter(self._work.executors))
        state = self._settlement_state()
        for task in self._work.tasks:
            waiter = task._fut_waiter
            if waiter is None or self._seen_parked.get(task) is waiter:
                continue
            if _is_parked(state, task, until):
                self._seen_parked[task] = waiter
            elif not composed_tasks(task, waiter):
                return waiter
        return None
