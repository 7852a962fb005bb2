"""Worker threads, and what happens to one whose work never ends."""

from __future__ import annotations

import asyncio
import threading

import pytest

from bot.play.pool import Pool, WorkHangs
from bot.play.workers import Workers


async def test_work_returns_what_it_finds_and_raises_what_it_raises() -> None:
    """In other threads, several of which run at the same time."""
    pool = Pool(2, "test")
    meeting = threading.Barrier(2, timeout=30)
    places = await asyncio.gather(pool.run(meeting.wait), pool.run(meeting.wait))
    assert sorted(places) == [0, 1]
    assert await pool.run(lambda: threading.current_thread().name, 60.0) == "test"
    with pytest.raises(ZeroDivisionError):
        await pool.run(lambda: 1 // 0, 60.0)
    pool.shutdown()


async def test_a_thread_that_hangs_is_replaced() -> None:
    """The waiting call raises, later work is still done, and the pool can be shut down."""
    pool, release = Pool(1, "test"), threading.Event()
    for _ in range(3):
        with pytest.raises(WorkHangs):
            await pool.run(release.wait, 0.02)
    assert await pool.run(lambda: "done", 60.0) == "done"
    pool.shutdown(wait=True)
    release.set()


async def test_waiting_for_a_thread_is_not_hanging() -> None:
    """The time limit starts with the work, however long it was in the queue."""
    pool, release = Pool(1, "test"), threading.Event()
    first = asyncio.create_task(pool.run(release.wait))
    second = asyncio.create_task(pool.run(lambda: "done", 30.0))
    await asyncio.sleep(0.1)
    assert not second.done()
    release.set()
    assert await first
    assert await second == "done"
    pool.shutdown()


async def test_a_closed_pool_takes_nothing_more() -> None:
    """Queued work is cancelled; running work is finished."""
    pool, release = Pool(1, "test"), threading.Event()
    running = asyncio.create_task(pool.run(release.wait))
    waiting = asyncio.create_task(pool.run(lambda: "never"))
    await asyncio.sleep(0.05)
    release.set()
    await asyncio.to_thread(pool.shutdown, cancel_futures=True)
    assert await running
    assert (await asyncio.gather(waiting, return_exceptions=True))[0] == "never" or (
        waiting.cancelled()
    )
    with pytest.raises(RuntimeError):
        await pool.run(lambda: None)


async def test_a_report_does_not_hold_up_boards() -> None:
    """Boards are drawn while a report is being drawn; searches and judgements go on as well."""
    workers, release = Workers(1), threading.Event()
    report = asyncio.create_task(workers.draw_report(release.wait))
    search = asyncio.create_task(workers.search(release.wait))
    judgement = asyncio.create_task(workers.judge(release.wait))
    assert await asyncio.wait_for(workers.draw(lambda: "board"), 30) == "board"
    assert not report.done()
    release.set()
    assert await asyncio.gather(report, search, judgement) == [True] * 3
    workers.close()
