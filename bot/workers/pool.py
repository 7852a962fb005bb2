"""Threads whose time is shared fairly, and which are abandoned if their work never ends.

Servers share the threads evenly, and so do the people of each server. This is fair queueing by
seconds used (Goyal, Vin and Cheng, "Start-time Fair Queueing", 1996, at two levels): next comes
the party that has used least. A party that has been idle gains no credit by that: it begins level
with the others.

`concurrent.futures.ThreadPoolExecutor` cannot abandon a thread: one that hangs occupies its place
in the pool for good, and the interpreter waits for it at exit. The threads here are daemons.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from threading import Condition, Lock, Thread, current_thread
from time import monotonic
from typing import Any, Generic, TypeVar

from engine.core.limits import Stop

T = TypeVar("T")

logger = logging.getLogger(__name__)

GRACE = 5.0
"""Seconds within which work has to end once its stop flag is set. Kernels read the flag at every
node, so 20 ms suffice; the rest is for a busy machine."""

WATCH_EVERY = 0.1
"""Seconds between two checks of the running work: setting a stop flag wakes no thread."""

DEPOSIT = 1.0
"""Seconds that work is charged with until it is done and the true figure is known."""


class Kind(Enum):
    """The purpose of work."""

    MOVE = "move"
    HINT = "hint"
    JUDGEMENT = "judgement"
    """Judging a finished game, for ratings and tables."""
    EXPLANATION = "explanation"
    """What a user has requested beside a game: explanations, reviews, analyses, lines of play."""
    BACKGROUND = "background"
    """What no person waits for: moves in a series of games between agents."""

    @property
    def handicap(self) -> float:
        """Seconds that count as used already by the user for whom the work is done.

        So moves come before hints, hints before explanations and these before background work,
        unless the user who waits for a hint has used that much more than the other.
        """
        return {Kind.HINT: 10.0, Kind.EXPLANATION: 20.0, Kind.BACKGROUND: 60.0}.get(self, 0.0)


@dataclass(frozen=True, slots=True)
class Claim:
    """The purpose of work, and the account on which it is done."""

    kind: Kind = Kind.MOVE
    user_id: int | None = None
    guild_id: int | None = None

    @property
    def server(self) -> Hashable:
        """The server; each person's direct messages count as a server of their own."""
        return self.user_id if self.guild_id is None else self.guild_id


NO_ACCOUNT = Claim()
"""The account of work that no user has requested."""


class FairQueue(Generic[T]):
    """Work that waits, and the time that each party has used; not safe for several threads."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Claim, T]] = []  # in the order of arrival
        self._servers = _Shares()
        self._people: defaultdict[Hashable, _Shares] = defaultdict(_Shares)

    def __len__(self) -> int:
        """How much work waits."""
        return len(self._waiting)

    def put(self, claim: Claim, work: T) -> None:
        """Add work on an account."""
        self._servers.enter(claim.server)
        self._people[claim.server].enter(claim.user_id)
        self._waiting.append((claim, work))

    def take(self) -> tuple[Claim, T] | None:
        """The work that is next, if any; `done` has to be called when it is done."""
        if not self._waiting:
            return None
        # Of equals `min` returns the first, which has waited longest.
        server = min(
            (claim for claim, _ in self._waiting),
            key=lambda claim: self._servers.used[claim.server] + claim.kind.handicap,
        ).server
        people = self._people[server]
        index, (claim, work) = min(
            (item for item in enumerate(self._waiting) if item[1][0].server == server),
            key=lambda item: people.used[item[1][0].user_id] + item[1][0].kind.handicap,
        )
        del self._waiting[index]
        self._servers.begin(server)
        people.begin(claim.user_id)
        return claim, work

    def done(self, claim: Claim, seconds: float) -> None:
        """Charge an account for work that was taken: the seconds for which it used a thread."""
        self._servers.end(claim.server, seconds)
        people = self._people[claim.server]
        people.end(claim.user_id, seconds)
        if not people.used:
            del self._people[claim.server]


class _Shares:
    """The seconds that each of several parties has used, as long as that matters."""

    def __init__(self) -> None:
        self.used: dict[Hashable, float] = {}
        self._wanted: Counter[Hashable] = Counter()
        self._now = 0.0
        """The seconds that the party that was served last had used before."""

    def enter(self, party: Hashable) -> None:
        """Note that work of a party waits."""
        if not self._wanted[party]:
            self.used[party] = max(self.used.get(party, 0.0), self._now)
        self._wanted[party] += 1

    def begin(self, party: Hashable) -> None:
        """Note that work of a party begins."""
        self._now = max(self._now, self.used[party])
        self.used[party] += DEPOSIT

    def end(self, party: Hashable, seconds: float) -> None:
        """Note the seconds that finished work of a party used; forget what no longer matters."""
        self.used[party] += seconds - DEPOSIT
        self._wanted[party] -= 1
        if not self._wanted[party]:
            del self._wanted[party]
        if not self._wanted:
            self.used.clear()
            self._now = 0.0
        # A party without work that has used less than this would begin at `_now` again.
        idle = [p for p, used in self.used.items() if used <= self._now and p not in self._wanted]
        for party in idle:
            del self.used[party]


class WorkHangs(Exception):
    """Work ran for longer than it may; if it did not stop, its thread was abandoned."""


class WorkerLost(Exception):
    """The thread in which work ran has ended with it."""


@dataclass(slots=True, eq=False)
class _Work:
    """A call, the account on which it is made, and its state."""

    call: Callable[[], Any]
    claim: Claim = NO_ACCOUNT
    seconds: float | None = None
    stop: Stop | None = None
    future: Future[Any] = field(default_factory=Future)
    has_begun: bool = False
    is_cancelled: bool = False
    began: float = 0.0
    is_late: bool = False
    stopped_at: float | None = None

    def __call__(self) -> Any:
        self.has_begun = True
        return None if self.is_cancelled else self.call()

    def hangs(self, now: float) -> bool:
        """Whether to abandon the thread; work that takes too long gets its stop flag set first."""
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
    """A fixed number of threads with one name; servers and people share their time fairly."""

    def __init__(self, threads: int, name: str) -> None:
        self.name = name
        self.size = threads
        self._queue: FairQueue[_Work] = FairQueue()
        self._running: dict[Thread, _Work] = {}
        self._threads: set[Thread] = set()
        self._watchdog: Thread | None = None
        self._is_closed = False
        self._lock = Lock()
        self._work_added = Condition(self._lock)  # work was submitted, or the pool closes
        self._watch_changed = Condition(self._lock)  # work began that is watched, or a thread ended
        self._thread_ended = Condition(self._lock)  # a thread ended
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
                raise RuntimeError(f"the pool {self.name!r} takes no more work")
            if self._watchdog is None and (work.seconds is not None or work.stop is not None):
                self._watchdog = Thread(target=self._watch, name=f"{self.name} watch", daemon=True)
                self._watchdog.start()
            self._queue.put(work.claim, work)
            self._work_added.notify()
        return work.future

    @property
    def has_idle_thread(self) -> bool:
        """Whether work that is submitted now would begin at once."""
        with self._lock:
            return len(self._running) + len(self._queue) < len(self._threads)

    async def run(
        self,
        function: Callable[[], T],
        seconds: float | None = None,
        *,
        stop: Stop | None = None,
        claim: Claim = NO_ACCOUNT,
    ) -> T:
        """Call a function in a thread and return its result.

        Args:
            function: The function to call.
            seconds: Time that the call may take, from when it has a thread.
            stop: A flag that ends the call; set when the time is up, or earlier by the caller.
            claim: The purpose of the call, and its account.

        Raises:
            WorkHangs: The call took too long. If it did not stop, its thread has been replaced.
            WorkerLost: Its thread has died and been replaced.
        """
        # Through the loop, so that tools which track the loop's executors see this work too.
        work = _Work(function, claim, seconds, stop)
        future = asyncio.get_running_loop().run_in_executor(self, work)
        try:
            result: T = await asyncio.shield(future)
        except asyncio.CancelledError:
            # Waiting work stays in the queue until a thread drops it: such tools never see the end
            # of work that no thread has taken.
            work.is_cancelled = True
            if work.has_begun:
                future.cancel()
            raise
        return result

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more work; with `wait`, return once every thread that was not abandoned ends."""
        cancelled = []
        with self._lock:
            self._is_closed = True
            while cancel_futures and (item := self._queue.take()) is not None:
                cancelled.append(item[1].future)
            self._work_added.notify_all()
        for future in cancelled:
            future.cancel()
        with self._lock:
            while wait and self._threads:
                self._thread_ended.wait()

    def _start_thread(self) -> None:
        thread = Thread(target=self._run_thread, name=self.name, daemon=True)
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
            logger.exception("a thread for %s died and is replaced", self.name)
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
                    self._work_added.wait()
                    continue
                claim, work = item
                work.began = monotonic()
                self._running[me] = work
                if work.future.set_running_or_notify_cancel():
                    self._watch_changed.notify()
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
                self._watch_changed.wait(WATCH_EVERY if self._running else None)

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
        self._thread_ended.notify_all()
        self._watch_changed.notify_all()
