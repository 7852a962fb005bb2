"""Who does what must not hold up the event loop: searches, judgements and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, ParamSpec, TypeVar, cast

from bot.play.askers import Askers
from bot.play.elsewhere import ClusterStatus, Elsewhere
from bot.play.fair_queue import NOBODY, Claim
from bot.play.pool import Pool
from bot.play.readiness import Readiness
from bot.telemetry import SILENT, Meter
from engine.core.jobs import Job
from engine.core.limits import Stop

P = ParamSpec("P")
T = TypeVar("T")
AT_ONCE = Readiness()


class Workers:
    """A pool of threads for each kind of work, so that no kind waits for another.

    Searches may keep all cores busy for seconds. Judging a finished game takes about a tenth of a
    second, as does a report with its charts; the picture of a board takes milliseconds. All of them
    release the GIL for most of that time.

    Where there is an engine elsewhere, the threads have the engine's work only while it is away,
    fails or is slow, and jobs that have waited too long for a place there.
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
        """For each pool, how many of its jobs had waited too long for a place elsewhere."""

    async def prepared(self, job: Job[Any]) -> None:
        """Wait until the engine can do a job, which counts for nobody's patience.

        Raises NotPrepared where it never will be.
        """
        if not self._is_elsewhere:
            await self._readiness.of(job.parts())

    def seconds_until_prepared(self, job: Job[Any]) -> int | None:
        """About how long that takes; None if the engine can do the job now."""
        return None if self._is_elsewhere else self._readiness.seconds_left(job.parts())

    async def search(
        self,
        work: Callable[[], T],
        patience: float | None = None,
        *,
        stop: Stop | None = None,
        claim: Claim = NOBODY,
        job: Job[T] | None = None,
        begin: Callable[[], None] = lambda: None,
    ) -> T:
        """Run a search when it is the turn of whoever it is for; see `Pool.run`.

        With the same work as a `job` it is done elsewhere where that can be; `begin` is called then
        when its turn comes. Raises NotPrepared as well.
        """
        return await self._do(self._searches, work, patience, stop, claim, job, begin)

    async def judge(
        self,
        work: Callable[[], T],
        patience: float | None = None,
        *,
        stop: Stop | None = None,
        claim: Claim = NOBODY,
        job: Job[T] | None = None,
    ) -> T:
        """Judge or review a finished game, or explain a move; see `search`."""
        return await self._do(self._judgements, work, patience, stop, claim, job)

    async def study(self, job: Job[T], claim: Claim, patience: float) -> T:
        """Do a job that somebody has asked for beside a game, once the engine is prepared.

        It is done among the judgements: no move of a running game waits for it. What takes longer
        than `patience`, in seconds, is stopped; see `Pool.run`.
        """
        await self.prepared(job)
        stop = Stop()
        return await self.judge(partial(job.run, stop), patience, stop=stop, claim=claim, job=job)

    async def draw(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Draw a board."""
        return await self._boards.run(partial(work, *args, **kwargs))

    async def draw_report(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Draw a card or a report, in another thread than boards."""
        return await self._reports.run(partial(work, *args, **kwargs))

    async def _do(
        self,
        pool: Pool,
        work: Callable[[], T],
        patience: float | None,
        stop: Stop | None,
        claim: Claim,
        job: Job[T] | None,
        begin: Callable[[], None] = lambda: None,
    ) -> T:
        """Have work done elsewhere where it is a job and that can be, and by a thread otherwise."""
        has_left = False

        def may_leave() -> bool:
            """Whether a job that waits for a place elsewhere can be done here at once."""
            nonlocal has_left
            assert job is not None, "only jobs wait for a place"
            # Jobs that have just left are not in the pool yet, and many may ask at one time.
            has_left = (
                pool.has_idle_thread
                and self._left[pool] < pool.size
                and self._readiness.seconds_left(job.parts()) is None
            )
            self._left[pool] += has_left
            return has_left

        try:
            if job is not None and self._elsewhere is not None:
                found = await self._elsewhere.answer(
                    job, stop=stop, claim=claim, begin=begin, may_leave=may_leave
                )
                if found is not None:
                    return cast("T", found)
                await self._readiness.of(job.parts())
            self._meter.worked("local")
            return await pool.run(work, patience, stop=stop, claim=claim)
        finally:
            self._left[pool] -= has_left

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
