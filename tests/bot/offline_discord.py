"""SimCord's offline Discord, with two time limits: for work in progress and for timers."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any
from weakref import WeakKeyDictionary

import simcord
from simcord._dpy_internals import composed_tasks
from simcord._settlement import (
    _active_callbacks,
    _callback_is_parked,
    _is_parked,
    _owned_tasks,
    _run_due_virtual_callbacks,
)

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

    async def jump(self, seconds: float, work: Coroutine[Any, Any, None]) -> None:
        """Let time pass at once, and do `work` as the bot's own; returns once the bot is idle.

        What is due several times in `advance_time` is due once here, as after a suspension.
        """
        self._move_clock(self._virtual_time + seconds)
        with self._bot_scope():
            task = asyncio.ensure_future(work)
        await task
        await self.advance_time(0.0)

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
            if await self._is_surely_idle(until):
                return
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
            if self._is_advanced_elsewhere():
                return
            if self._is_runnable():
                continue
            work = self._work_in_progress(until)
            if work is None:
                return
            await asyncio.wait((work,), timeout=until - now())

    async def _is_surely_idle(self, until: float) -> bool:
        """Whether the bot only waits for its next ticks; if not, SimCord has to judge."""
        if self._is_advanced_elsewhere() or not self._only_ticks(until):
            return False
        # As SimCord does: what has just ended may have scheduled something.
        await asyncio.sleep(0)
        return self._only_ticks(until)

    def _only_ticks(self, until: float) -> bool:
        """Whether all tasks are periodic ones between two runs, and nothing else is due.

        SimCord would say the same, but looks at each timer for each task, several times.
        """
        state = self._settlement_state()
        timers = _active_callbacks(state)
        later = all(_callback_is_parked(state, timer, until) for timer in timers)
        if self._work.executors or not later:
            return False
        virtual = self._set_by_passing_time()
        waiters = {task: task._fut_waiter for task in _owned_tasks(state)}
        return all(
            waiter is not None
            and not waiter.done()
            and id(waiter) in virtual
            and self._seen_parked.get(task) is waiter
            for task, waiter in waiters.items()
        )

    def _set_by_passing_time(self) -> set[int]:
        """The ids of the futures that are set by timers that fire only if a test lets time pass."""
        return {
            id(argument)
            for one in self._work.callbacks
            if one.when is not None and (one.real_handle is None or one.real_handle.cancelled())
            for argument in one.handle._args or ()
        }

    def _is_advanced_elsewhere(self) -> bool:
        """Whether another task is letting time pass."""
        task = self._real_advance_task or self._advance_task
        return task is not None and task is not asyncio.current_task()

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
        state, virtual = self._settlement_state(), self._set_by_passing_time()
        for task in self._work.tasks:
            waiter = task._fut_waiter
            if waiter is None or self._seen_parked.get(task) is waiter:
                continue
            if _is_parked(state, task, until):
                # While time passes all later timers count as parked, but only for as long.
                if not self._advancing or id(waiter) in virtual:
                    self._seen_parked[task] = waiter
            elif not composed_tasks(task, waiter):
                return waiter
        return None
