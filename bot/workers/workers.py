"""Who waits for an answer of the engine: everybody for one at a time.

Whether the compiled engine can be used already: on a new machine it takes a while to prepare.

Answers of the engine that many may want at once: each is worked out once, and kept a while.

Threads for what would block the event loop: jobs for the engine, and pictures.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Generic, ParamSpec, TypeVar

from bot.game.refusal import Refusal
from bot.telemetry import SILENT, Meter
from bot.workers.fair_queue import NOBODY, Claim, Kind
from bot.workers.pool import Pool
from bot.workers.remote import ClusterStatus, Elsewhere
from engine.core.jobs import Job
from engine.core.limits import Stop


class Askers:
    """The people who have asked for a hint or an explanation that is not there yet.

    What they ask beyond that is refused, so nobody fills the queue in which all others wait.
    """

    def __init__(self) -> None:
        """Begin with nobody."""
        self._waiting: set[int] = set()

    def begin(self, user_id: int) -> None:
        """Somebody asks; refused if they wait for an answer already."""
        if user_id in self._waiting:
            raise Refusal("one_at_a_time")
        self._waiting.add(user_id)

    def end(self, user_id: int) -> None:
        """Somebody has their answer, or will not get one."""
        self._waiting.discard(user_id)

    @contextmanager
    def asking(self, user_id: int) -> Iterator[None]:
        """Somebody waits for an answer during the block; refused if they wait for one already."""
        self.begin(user_id)
        try:
            yield
        finally:
            self.end(user_id)


class NotPrepared(Exception):
    """The process ends before the engine was ready; whoever waited for it can stop waiting."""


class Readiness:
    """What searches and judgements wait for; here nothing, as in tests and for the demo.

    Parts are those of `engine.core.registry.parts`.
    """

    def load(self) -> None:
        """Begin to load what is compiled: nothing more urgent is left to do."""

    def is_ready(self, parts: Sequence[str]) -> bool:
        """Whether these parts can be used now."""
        return True

    def is_complete(self) -> bool:
        """Whether all parts are known to be ready, so that nobody need ask about some of them."""
        return False

    def seconds_left(self, parts: Sequence[str]) -> int | None:
        """About how long these parts still take; None if they can be used in a moment or now."""
        return None

    async def of(self, parts: Sequence[str]) -> None:
        """Wait until these parts can be used; raises NotPrepared where they never will be."""

    def close(self) -> None:
        """Prepare nothing more, and let nobody wait any longer."""


A = TypeVar("A")


class SharedAnswers(Generic[A]):
    """Answers by their jobs, in memory only; one that failed is forgotten."""

    def __init__(self, kept: int) -> None:
        """Keep at most this many answers, those that are being worked out among them."""
        self._kept = kept
        self._known: dict[Job[A], asyncio.Task[A]] = {}

    async def of(self, job: Job[A], work: Callable[[], Coroutine[Any, Any, A]]) -> A:
        """The answer to a job, by `work` unless somebody has asked for it before.

        Whoever stops waiting does not take it from the others. Raises what `work` raises.
        """
        return await asyncio.shield(self._known.get(job) or self._begin(job, work()))

    def _begin(self, job: Job[A], work: Coroutine[Any, Any, A]) -> asyncio.Task[A]:
        """Work an answer out, and keep it with others; the oldest is forgotten."""
        task = asyncio.get_running_loop().create_task(work)
        self._known[job] = task
        if len(self._known) > self._kept:
            del self._known[next(iter(self._known))]

        def end(_: object) -> None:
            if (task.cancelled() or task.exception()) and self._known.get(job) is task:
                del self._known[job]

        task.add_done_callback(end)
        return task


P = ParamSpec("P")

T = TypeVar("T")

AT_ONCE = Readiness()
"""An engine that needs no preparation."""

SEARCHES = (Kind.MOVE, Kind.HINT)
"""What the threads for searches do; those for judgements do the rest."""


class Workers:
    """A pool of threads for each kind of work, so that no kind waits for another.

    Searches may keep all cores busy for seconds. Judging a finished game takes about a tenth of a
    second, as does a report with its charts; the picture of a board takes milliseconds. All of them
    release the GIL for most of that time.

    Where there is a cluster, the threads do the engine's jobs only while it is away, fails or is
    slow, and those that have waited too long for a place there.
    """

    def __init__(
        self,
        searches: int,
        readiness: Readiness = AT_ONCE,
        elsewhere: Elsewhere | None = None,
        meter: Meter = SILENT,
    ) -> None:
        """Start this many threads for searches, and one for every other kind of work.

        `readiness` says when the engine can be used.
        """
        self._elsewhere = elsewhere
        self._meter = meter
        self.askers = Askers()
        self._readiness = readiness
        self._searches = Pool(searches, "search")
        self._judgements = Pool(1, "judge")
        self._boards = Pool(1, "board")
        self._reports = Pool(1, "report")
        self._left: Counter[Pool] = Counter()
        """For each pool, how many of its jobs had waited too long for a place in the cluster."""

    async def prepared(self, job: Job[Any]) -> None:
        """Wait until the engine can do a job, which counts for nobody's patience.

        Raises NotPrepared where it never will be.
        """
        if not self._is_elsewhere:
            await self._readiness.of(job.parts())

    @property
    def is_prepared(self) -> bool:
        """Whether the engine is known to be able to do any job now."""
        return self._readiness.is_complete()

    def seconds_until_prepared(self, job: Job[Any]) -> int | None:
        """About how long that takes; None if the engine can do the job now."""
        return None if self._is_elsewhere else self._readiness.seconds_left(job.parts())

    async def do(
        self,
        job: Job[A],
        claim: Claim = NOBODY,
        patience: float | None = None,
        *,
        stop: Stop | None = None,
        begin: Callable[[], None] = lambda: None,
    ) -> A:
        """Return the answer to a job, found by the cluster or in a thread of this process.

        Args:
            job: What to do; it waits until the engine is prepared for it.
            claim: What it is for, and on whose account. Moves and hints have threads of their own,
                so that no move of a running game waits for other work.
            patience: Seconds that it may run before it is stopped; see `Pool.run`.
            stop: A flag that ends it early.
            begin: Called when it stops waiting for its turn, from whichever thread; once more if
                the cluster loses the job.

        Raises:
            NotPrepared: The engine will never be prepared in this process.
            WorkHangs: The job took too long.
            WorkerLost: The thread that did the job has died.
        """
        await self.prepared(job)
        stop = stop or Stop()
        pool = self._searches if claim.kind in SEARCHES else self._judgements
        has_left = False

        def may_leave() -> bool:
            """Whether a job that waits for a place in the cluster can begin here at once."""
            nonlocal has_left
            # Jobs that have just left are not in the pool yet, and many may ask at one time.
            has_left = (
                pool.has_idle_thread
                and self._left[pool] < pool.size
                and self._readiness.seconds_left(job.parts()) is None
            )
            self._left[pool] += has_left
            return has_left

        try:
            if self._elsewhere is not None:
                found = await self._elsewhere.answer(
                    job, stop=stop, claim=claim, begin=begin, may_leave=may_leave
                )
                if found is not None:
                    return found
                await self._readiness.of(job.parts())
            self._meter.worked("local")
            return await pool.run(partial(_run, job, stop, begin), patience, stop=stop, claim=claim)
        finally:
            self._left[pool] -= has_left

    async def draw(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Draw a board."""
        return await self._boards.run(partial(work, *args, **kwargs))

    async def draw_report(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Draw a card or a report, in another thread than boards."""
        return await self._reports.run(partial(work, *args, **kwargs))

    @property
    def cluster(self) -> ClusterStatus | None:
        """How the cluster is; None where no cluster is set."""
        return None if self._elsewhere is None else self._elsewhere.status

    @property
    def _is_elsewhere(self) -> bool:
        return self._elsewhere is not None and self._elsewhere.is_there

    def close(self) -> None:
        """Wait for running work and cancel the rest."""
        for pool in (self._searches, self._judgements, self._boards, self._reports):
            pool.shutdown(wait=True, cancel_futures=True)


def _run(job: Job[A], stop: Stop, begin: Callable[[], None]) -> A:
    """Do a job in this thread."""
    begin()
    return job.run(stop)
