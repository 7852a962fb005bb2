"""Periodic tasks."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.board.convergence import EVERY
from bot.discord.background import Ticker

QUICK = 0.01


async def until(done: asyncio.Event) -> None:
    """Wait for a condition, up to a time limit."""
    await asyncio.wait_for(done.wait(), 60)


async def test_a_task_runs_again_and_again() -> None:
    """A periodic task runs at once and then repeatedly."""
    runs, done = list[int](), asyncio.Event()

    async def task() -> None:
        runs.append(len(runs))
        if len(runs) == 3:
            done.set()

    ticker = Ticker(task, QUICK)
    ticker.start()
    await until(done)
    await ticker.stop()
    count = len(runs)
    await asyncio.sleep(5 * QUICK)
    assert len(runs) == count


async def test_stopping_waits_for_a_run_under_way() -> None:
    """`stop` waits for the current run to finish, and no other run follows."""
    began, may_end, ended = asyncio.Event(), asyncio.Event(), list[bool]()

    async def slow() -> None:
        began.set()
        await may_end.wait()
        ended.append(True)

    ticker = Ticker(slow, QUICK)
    ticker.start()
    await until(began)
    stopping = asyncio.create_task(ticker.stop())
    await asyncio.sleep(5 * QUICK)
    assert not stopping.done()
    may_end.set()
    await stopping
    await asyncio.sleep(5 * QUICK)
    assert ended == [True]


async def test_missed_runs_are_not_made_up_for(venue: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a suspension of an hour a task runs once, and then at its usual interval."""
    convergence, runs = venue.app.convergence, list[int]()
    sweep = convergence.sweep

    async def counted() -> None:
        runs.append(len(runs))
        await sweep()

    monkeypatch.setattr(convergence, "sweep", counted)
    await venue.let_pass(3600.0)
    # `let_pass` ends with one more interval.
    assert len(runs) == 2
    await venue.env.advance_time(2 * EVERY)
    assert len(runs) == 4
