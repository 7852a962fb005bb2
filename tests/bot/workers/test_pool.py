"""Worker threads, including ones whose work never ends."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from bot.workers import pool as pools
from bot.workers.pool import Claim, Kind, Pool, WorkerLost, WorkHangs
from bot.workers.workers import Workers
from engine.core.limits import Stop
from tests.bot.engine_jobs import Calling
from tests.builders import until


def stoppable_work(stop: Stop) -> threading.Thread:
    """Work until the stop flag is set, as kernels do; returns the thread."""
    while not stop.is_set:
        time.sleep(0.005)
    return threading.current_thread()


async def test_work_returns_what_it_finds_and_raises_what_it_raises() -> None:
    """Work returns its result or raises its exception, and several threads run at the same time."""
    pool = Pool(2, "test")
    meeting = threading.Barrier(2, timeout=60)
    places = await asyncio.gather(pool.run(meeting.wait), pool.run(meeting.wait))
    assert sorted(places) == [0, 1]
    assert await pool.run(lambda: threading.current_thread().name, 60.0) == "test"
    with pytest.raises(ZeroDivisionError):
        await pool.run(lambda: 1 // 0, 60.0)
    pool.shutdown()


async def test_a_thread_that_hangs_is_replaced() -> None:
    """The caller of hanging work gets an error, later work is done, and the pool can be closed."""
    pool, release = Pool(1, "test"), threading.Event()
    for _ in range(3):
        with pytest.raises(WorkHangs):
            await pool.run(release.wait, 0.02)
    assert await pool.run(lambda: "done", 60.0) == "done"
    pool.shutdown(wait=True)
    release.set()


async def test_cancelled_work_is_dropped_by_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tools that track executors see the end of work that was cancelled while it waited.

    The work itself is not done.
    """
    loop, ended, done = asyncio.get_running_loop(), [], []
    run_in_executor = loop.run_in_executor

    def tracked(executor: Any, call: Callable[[], Any]) -> Any:
        def tracking() -> Any:
            try:
                return call()
            finally:
                ended.append(call)

        return run_in_executor(executor, tracking)

    monkeypatch.setattr(loop, "run_in_executor", tracked)
    pool, release = Pool(1, "test"), threading.Event()
    first = asyncio.create_task(pool.run(release.wait))
    second = asyncio.create_task(pool.run(lambda: done.append("second")))
    await until(lambda: not pool.has_idle_thread and len(pool._queue) == 1)
    second.cancel()
    await asyncio.wait({second})
    release.set()
    assert await first
    await until(lambda: len(ended) == 2)
    assert second.cancelled()
    assert done == []
    pool.shutdown()


async def test_time_in_the_queue_does_not_count() -> None:
    """The time limit of work starts when a thread takes it, not while it is queued."""
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
    """Closing the pool cancels queued work and lets running work finish."""
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


async def test_a_report_does_not_delay_boards() -> None:
    """While a report is drawn, boards are drawn and searches and judgements run as well."""
    workers, release = Workers(1), threading.Event()
    report = asyncio.create_task(workers.draw_report(release.wait))
    search = asyncio.create_task(workers.do(Calling(release.wait)))
    judgement = asyncio.create_task(workers.do(Calling(release.wait), Claim(Kind.EXPLANATION)))
    assert await asyncio.wait_for(workers.draw(lambda: "board"), 60) == "board"
    assert not report.done()
    release.set()
    assert await asyncio.gather(report, search, judgement) == [True] * 3
    workers.close()


async def test_overlong_work_is_stopped_and_its_thread_continues(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Work beyond its time limit is stopped and its caller gets an error; its thread is reused."""
    monkeypatch.setattr(pools, "GRACE", 60.0)
    pool, stop = Pool(1, "test"), Stop()
    before = await pool.run(threading.current_thread)
    with pytest.raises(WorkHangs):
        await pool.run(lambda: stoppable_work(stop), 0.05, stop=stop)
    assert stop.is_set
    assert await pool.run(threading.current_thread, 60.0) is before
    pool.shutdown()


async def test_stopped_work_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped work returns its result so far, within its patience."""
    monkeypatch.setattr(pools, "GRACE", 60.0)
    pool, stop = Pool(1, "test"), Stop()
    running = asyncio.create_task(pool.run(lambda: stoppable_work(stop), 60.0, stop=stop))
    await asyncio.sleep(0.05)
    stop.set()
    assert (await running).name == "test"
    pool.shutdown()


async def test_a_thread_that_ignores_its_stop_flag_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A thread that ignores its stop flag is replaced early.

    The pool keeps its number of threads.
    """
    monkeypatch.setattr(pools, "GRACE", 0.05)
    pool, release = Pool(2, "test"), threading.Event()
    for _ in range(3):
        stop = Stop()
        running = asyncio.create_task(pool.run(release.wait, 3600.0, stop=stop))
        await asyncio.sleep(0.02)
        stop.set()
        with pytest.raises(WorkHangs):
            await running
    meeting = threading.Barrier(2, timeout=60)
    assert sorted(await asyncio.gather(pool.run(meeting.wait), pool.run(meeting.wait))) == [0, 1]
    release.set()
    pool.shutdown()


async def test_a_hanging_thread_is_replaced_without_a_caller() -> None:
    """A hanging thread is replaced even if the request for its work was cancelled."""
    pool, release, began = Pool(1, "test"), threading.Event(), threading.Event()

    def hang() -> None:
        began.set()
        release.wait()

    asked = asyncio.create_task(pool.run(hang, 0.1))
    await until(began.is_set)
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    async with asyncio.timeout(60):
        assert await pool.run(lambda: "done") == "done"
    pool.shutdown()
    release.set()


async def test_a_thread_that_dies_is_replaced() -> None:
    """Work that ends its thread counts as failed, and the thread is replaced."""
    pool = Pool(1, "test")

    def leave() -> None:
        raise SystemExit("no more of this")

    with pytest.raises(WorkerLost):
        await pool.run(leave)
    release = threading.Event()
    running = pool.submit(release.wait)
    spoiled = pool.submit(lambda: "never")
    spoiled.set_result("by somebody else")  # the thread that comes to this fails outside of work
    release.set()
    async with asyncio.timeout(60):
        assert await pool.run(lambda: "done") == "done"
    assert running.result()
    await asyncio.to_thread(pool.shutdown)


async def test_thirty_hints_of_one_person_delay_a_move_by_one_search() -> None:
    """After thirty hints of one person a move waits only for the hint that is being computed."""
    pool, gate, done = Pool(1, "test"), threading.Event(), list[str]()
    began = threading.Event()

    def give_hint() -> None:
        began.set()
        gate.wait()
        done.append("hint")

    hints = [pool.run(give_hint, claim=Claim(Kind.HINT, 2, 9)) for _ in range(30)]
    hinting = [asyncio.create_task(hint) for hint in hints]
    await until(began.is_set)
    move = asyncio.create_task(pool.run(lambda: done.append("move"), claim=Claim(Kind.MOVE, 1, 9)))
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(move, *hinting)
    assert done[:3] == ["hint", "move", "hint"]
    assert len(done) == 31
    pool.shutdown()


async def test_closing_does_not_wait_for_a_thread_that_hangs() -> None:
    """A thread that hangs while the pool closes is abandoned."""
    pool, release = Pool(1, "test"), threading.Event()
    hanging = asyncio.create_task(pool.run(release.wait, 0.3))
    await asyncio.sleep(0.05)
    async with asyncio.timeout(60):
        await asyncio.to_thread(pool.shutdown)
    with pytest.raises(WorkHangs):
        await hanging
    release.set()
