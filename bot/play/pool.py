"""A pool of daemon threads that can abandon a thread whose work never ends.

`concurrent.futures.ThreadPoolExecutor` cannot do that: a hanging thread occupies its place in the
pool for good, and the interpreter waits for it at exit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import SimpleQueue
from threading import Lock, Thread, current_thread
from time import monotonic
from typing import Any, Generic, TypeVar

T = TypeVar("T")
_Item = tuple[Future[Any], Callable[[], Any]]


class WorkHangs(Exception):
    """Work ran for longer than it was allowed to, and its thread was abandoned."""


class _Watched(Generic[T]):
    """A call that records in which thread it runs, and since when."""

    def __init__(self, function: Callable[[], T]) -> None:
        self._function = function
        self.began: float | None = None
        self.thread: Thread | None = None

    def __call__(self) -> T:
        self.thread, self.began = current_thread(), monotonic()
        return self._function()


class Pool(Executor):
    """A fixed number of threads that take work in the order it was submitted."""

    def __init__(self, threads: int, name: str) -> None:
        """Start this many `threads`, each called `name`."""
        self._name = name
        self._queue: SimpleQueue[_Item | None] = SimpleQueue()
        self._lock = Lock()
        self._threads: set[Thread] = set()
        self._is_closed = False
        for _ in range(threads):
            self._start_thread()

    def submit(self, function: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Call a function in a thread; raises RuntimeError once the pool has been shut down."""
        future: Future[T] = Future()
        with self._lock:
            if self._is_closed:
                raise RuntimeError(f"the pool {self._name!r} takes no more work")
            self._queue.put((future, lambda: function(*args, **kwargs)))
        return future

    async def run(self, function: Callable[[], T], patience: float | None = None) -> T:
        """Call a function in a thread and return its result.

        Raises WorkHangs if the call runs for more than `patience` seconds, and replaces its thread
        by a new one. The time spent waiting for a thread does not count.
        """
        watched = _Watched(function)
        # Through the loop, so that tools which track the loop's executors see this work too.
        done = asyncio.get_running_loop().run_in_executor(self, watched)
        while patience is not None and not done.done():
            began = watched.began
            left = patience if began is None else began + patience - monotonic()
            if began is not None and left <= 0:
                self._replace(watched.thread)
                done.cancel()
                raise WorkHangs
            await asyncio.wait({done}, timeout=left)
        return await done

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more work; with `wait`, return once every thread that was not abandoned ends."""
        with self._lock:
            self._is_closed = True
            threads = tuple(self._threads)
        while cancel_futures and not self._queue.empty():
            item = self._queue.get()
            if item is not None:
                item[0].cancel()
        for _ in threads:
            self._queue.put(None)
        for thread in threads if wait else ():
            thread.join()

    def _start_thread(self) -> None:
        thread = Thread(target=self._serve, name=self._name, daemon=True)
        self._threads.add(thread)
        thread.start()

    def _serve(self) -> None:
        while current_thread() in self._threads and (item := self._queue.get()) is not None:
            future, call = item
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = call()
            except BaseException as error:  # noqa: BLE001  # raised where the result is awaited
                future.set_exception(error)
            else:
                future.set_result(result)
            # Otherwise the last result would be kept alive until more work arrives.
            del item, future, call

    def _replace(self, hanging: Thread | None) -> None:
        """Abandon a thread, which ends if its work ever does, and start another."""
        with self._lock:
            if hanging in self._threads and not self._is_closed:
                self._threads.discard(hanging)
                self._start_thread()
