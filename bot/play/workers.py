"""Threads for what must not hold up the event loop: searches, judgements and pictures."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from bot.play.pool import Pool
from bot.play.readiness import Readiness
from engine.jobs import SearchJob, parts_of

P = ParamSpec("P")
T = TypeVar("T")
AT_ONCE = Readiness()


class Workers:
    """Bounded pools of threads, one for each kind of work, so that no kind waits for another.

    Searches may take all cores for seconds, the judgement of a finished game a tenth of one, a
    report with its charts as long; the picture of a board takes milliseconds. All of them release
    Python's lock for most of their time.
    """

    def __init__(self, searches: int, readiness: Readiness = AT_ONCE) -> None:
        """Start this many threads for searches, and one for each other kind of work.

        `readiness` says when the engine can be used.
        """
        self._readiness = readiness
        self._searches = Pool(searches, "search")
        self._judgements = Pool(1, "judge")
        self._boards = Pool(1, "board")
        self._reports = Pool(1, "report")

    async def prepared(self, job: SearchJob) -> None:
        """Wait until the engine can do a job, which counts for nobody's patience.

        Raises NotPrepared where it never will be.
        """
        await self._readiness.of(parts_of(job))

    def seconds_until_prepared(self, job: SearchJob) -> int | None:
        """About how long that takes; None if the engine can do the job now."""
        return self._readiness.seconds_left(parts_of(job))

    async def search(self, work: Callable[[], T], patience: float | None = None) -> T:
        """Run a search; raises WorkHangs if it runs for more than `patience` seconds."""
        return await self._searches.run(work, patience)

    async def judge(self, work: Callable[[], T], patience: float | None = None) -> T:
        """Judge a finished game; raises WorkHangs likewise."""
        return await self._judgements.run(work, patience)

    async def draw(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Draw a board."""
        return await self._boards.run(partial(work, *args, **kwargs))

    async def draw_report(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Draw a card or a report, which boards never wait for."""
        return await self._reports.run(partial(work, *args, **kwargs))

    def close(self) -> None:
        """Let running work end and start no more."""
        for pool in (self._searches, self._judgements, self._boards, self._reports):
            pool.shutdown(wait=True, cancel_futures=True)
