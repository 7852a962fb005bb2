"""A pool of daemon threads that can abandon a thread whose work never ends.

`concurrent.futures.ThreadPoolExecutor` cannot do that: a hanging thread occupies its place in the
pool for good, and the interpreter waits for it at exit.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from functools import partial
from threading import Condition, Lock, Thread, current_thread
from time import monotonic
from typing import Any, TypeVar

from bot.workers.fair_queue import NOBODY, Claim, FairQueue
from engine.core.limits import Stop

T = TypeVar("T")

logger = logging.getLogger(__name__)

GRACE = 5.0
"""Seconds within which work has to end once its stop flag is set. Kernels read the flag at every
node, so 20 ms suffice; the rest is for a busy machine."""

WATCH_EVERY = 0.1
"""Seconds between two checks of the running work: setting a stop flag wakes no thread."""


class WorkHangs(Exception):
    """Work ran for longer than it may; if it did not stop, its thread was abandoned."""


class WorkerLost(Exception):
    """The thread in which work ran has ended with it."""


@dataclass(slots=True, eq=False)
class _Work:
    """A call, the account on which it is made, and its state."""

    call: Callable[[], Any]
    claim: Claim = NOBODY
    seconds: float | None = None
    stop: Stop | None = None
    future: Future[Any] = field(default_factory=Future)
    began: float = 0.0
    is_late: bool = False
    stopped_at: float | None = None

    def __call__(self) -> Any:
        return self.call()

    def hangs(self, now: float) -> bool:
        """Whether to abandon the thread; work that takes too long is told to stop first."""
        if self.seconds is not None and now - self.began > self.seconds:
            self.is_late = True
            if self.stop is None:
                return True
            self.stop.set()
        if self.stop is None or not self.stop.is_set:
            return False
        self.stopped_at = now if self.stopped_at is None else self.stopped_at
        return now - self.stopped_at > GRACE


class Pool(Executor):
    """A fixed number of threads whose time is shared fairly between servers and people."""

    def __init__(self, threads: int, name: str) -> None:
        """Start this many `threads`, each called `name`."""
        self._name = name
        self.size = threads
        self._queue: FairQueue[_Work] = FairQueue()
        self._running: dict[Thread, _Work] = {}
        self._threads: set[Thread] = set()
        self._watchdog: Thread | None = None
        self._is_closed = False
        self._lock = Lock()
        self._comes = Condition(self._lock)  # work was submitted, or the pool closes
        self._begins = Condition(self._lock)  # work began that is watched, or a thread ended
        self._ends = Condition(self._lock)  # a thread ended
        with self._lock:
            for _ in range(threads):
                self._start_thread()

    def submit(self, function: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Call a function in a thread; raises RuntimeError once the pool has been shut down."""
        is_work = isinstance(function, _Work)
        work = function if is_work else _Work(partial(function, *args, **kwargs))
        assert isinstance(work, _Work)
        with self._lock:
            if self._is_closed:
                raise RuntimeError(f"the pool {self._name!r} takes no more work")
            if self._watchdog is None and (work.seconds is not None or work.stop is not None):
                self._watchdog = Thread(target=self._watch, name=f"{self._name} watch", daemon=True)
                self._watchdog.start()
            self._queue.put(work.claim, work)
            self._comes.notify()
        return work.future

    @property
    def has_idle_thread(self) -> bool:
        """Whether work that is submitted now begins at once."""
        with self._lock:
            return len(self._running) + len(self._queue) < len(self._threads)

    async def run(
        self,
        function: Callable[[], T],
        seconds: float | None = None,
        *,
        stop: Stop | None = None,
        claim: Claim = NOBODY,
    ) -> T:
        """Call a function in a thread and return its result.

        Args:
            function: What to call.
            seconds: Time that the call may take, from when it has a thread.
            stop: A flag that ends the call. It is set when the time is up; whoever sets it earlier
                need not check that the call ends.
            claim: What the call is for, and on whose account.

        Raises:
            WorkHangs: The call took too long. If it did not stop, its thread has been replaced.
            WorkerLost: Its thread has died and been replaced.
        """
        # Through the loop, so that tools which track the loop's executors see this work too.
        work = _Work(function, claim, seconds, stop)
        result: T = await asyncio.get_running_loop().run_in_executor(self, work)
        return result

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more work; with `wait`, return once every thread that was not abandoned ends."""
        cancelled = []
        with self._lock:
            self._is_closed = True
            while cancel_futures and (item := self._queue.take()) is not None:
                cancelled.append(item[1].future)
            self._comes.notify_all()
        for future in cancelled:
            future.cancel()
        with self._lock:
            while wait and self._threads:
                self._ends.wait()

    def _start_thread(self) -> None:
        thread = Thread(target=self._run_thread, name=self._name, daemon=True)
        self._threads.add(thread)
        thread.start()

    def _run_thread(self) -> None:
        """Work until the pool is closed, or until this thread has been abandoned."""
        me = current_thread()
        try:
            while (work := self._next(me)) is not None:
                self._do(work, me)
                # Otherwise the last result would be kept alive until more work arrives.
                del work
        except BaseException:
            logger.exception("a thread for %s died and is replaced", self._name)
        finally:
            with self._lock:
                self._replace(me, WorkerLost())

    def _next(self, me: Thread) -> _Work | None:
        """Wait for work, and take it."""
        with self._lock:
            while me in self._threads:
                item = self._queue.take()
                if item is None:
                    if self._is_closed:
                        self._dismiss(me)
                        return None
                    self._comes.wait()
                    continue
                claim, work = item
                work.began = monotonic()
                self._running[me] = work
                if work.future.set_running_or_notify_cancel():
                    self._begins.notify()
                    return work
                del self._running[me]
                self._queue.done(claim, 0.0)
        return None

    def _do(self, work: _Work, me: Thread) -> None:
        result, failure = None, None
        try:
            result = work()
        except Exception as error:  # noqa: BLE001  # raised where the result is awaited
            failure = error
        except BaseException as error:  # noqa: BLE001  # it would end the thread that awaits it
            failure = WorkerLost(repr(error))
        with self._lock:
            if self._running.pop(me, None) is None:
                return  # this thread has been abandoned
            self._queue.done(work.claim, monotonic() - work.began)
        if work.is_late:
            failure = WorkHangs()
        if failure is None:
            work.future.set_result(result)
        else:
            work.future.set_exception(failure)

    def _watch(self) -> None:
        """Abandon threads whose work hangs, until the pool is closed and no thread is left."""
        with self._lock:
            while self._threads:
                now = monotonic()
                for thread, work in tuple(self._running.items()):
                    if work.hangs(now):
                        self._replace(thread, WorkHangs())
                self._begins.wait(WATCH_EVERY if self._running else None)

    def _replace(self, thread: Thread, reason: Exception) -> None:
        """Abandon a thread, which ends when its work does, if ever, and start another."""
        work = self._running.pop(thread, None)
        if work is not None:
            self._queue.done(work.claim, monotonic() - work.began)
            if not work.future.done():
                work.future.set_exception(reason)
        if thread in self._threads:
            self._dismiss(thread)
            if not self._is_closed:
                self._start_thread()

    def _dismiss(self, thread: Thread) -> None:
        self._threads.discard(thread)
        self._ends.notify_all()
        self._begins.notify_all()
