"""A pool of daemon threads, one of which can be given up where its work never ends.

`concurrent.futures.ThreadPoolExecutor` does all of this but the last: the interpreter waits for its
threads at exit, and one that hangs takes its place in the pool with it.
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
    """Work ran for longer than it was given, and its thread was given up."""


class _Watched(Generic[T]):
    """A call that says since when, and in which thread, it has been running."""

    def __init__(self, function: Callable[[], T]) -> None:
        self._function = function
        self.began: float | None = None
        self.thread: Thread | None = None

    def __call__(self) -> T:
        self.thread, self.began = current_thread(), monotonic()
        return self._function()


class Pool(Executor):
    """A fixed number of threads that take work in the order in which it is submitted."""

    def __init__(self, threads: int, name: str) -> None:
        """Start this many `threads`, called `name`."""
        self._name = name
        self._queue: SimpleQueue[_Item | None] = SimpleQueue()
        self._lock = Lock()
        self._threads: set[Thread] = set()
        self._is_closed = False
        for _ in range(threads):
            self._start_thread()

    def submit(self, function: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Have a function called in a thread; raises RuntimeError once the pool is shut down."""
        future: Future[T] = Future()
        with self._lock:
            if self._is_closed:
                raise RuntimeError(f"the pool {self._name!r} takes no more work")
            self._queue.put((future, lambda: function(*args, **kwargs)))
        return future

    async def run(self, function: Callable[[], T], patience: float | None = None) -> T:
        """Call a function in a thread and return what it returns.

        Raises WorkHangs if it runs for more than `patience` seconds; the time that it waits for a
        thread does not count. A new thread then takes the place of the one that hangs.
        """
        watched = _Watched(function)
        # Through the loop, so that whatever watches a loop's threads sees these too.
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
        """Take no more work; with `wait`, return when all threads but those given up have ended."""
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
            except BaseException as error:  # noqa: BLE001  # whoever waits for it raises it
                future.set_exception(error)
            else:
                future.set_result(result)
            # Or the last result would be kept until the next work comes.
            del item, future, call

    def _replace(self, hanging: Thread | None) -> None:
        """Give a thread up, which ends should its work ever do, and start another."""
        with self._lock:
            if hanging in self._threads and not self._is_closed:
                self._threads.discard(hanging)
                self._start_thread()
