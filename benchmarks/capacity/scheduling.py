"""CPU time of the cluster's scheduler and worker for trivial jobs."""

from __future__ import annotations

import asyncio
from itertools import count

from benchmarks.capacity.figures import Scheduling
from benchmarks.cluster import QUICK, connected_cluster, cpu_seconds, job_after, wait_for_workers
from cluster.link import Link

AT_ONCE = 32
"""Concurrent jobs in the second part, as of several bot processes."""
SECONDS = 60.0
"""Time limit of a job."""
WARM = 100
"""Jobs before the measurement."""


async def measure(jobs: int) -> Scheduling:
    """CPU time of jobs, one at a time and many at once."""
    async with connected_cluster(1) as (dask, link):
        link.start()
        await wait_for_workers(link, 1)
        scheduler, (worker,) = dask.scheduler, dask.workers
        await _do(link, WARM, AT_ONCE)
        before = [cpu_seconds(scheduler), cpu_seconds(worker)]
        await _do(link, jobs, 1)
        alone = cpu_seconds(scheduler) - before[0], cpu_seconds(worker) - before[1]
        start = cpu_seconds(scheduler)
        await _do(link, jobs, AT_ONCE)
        many = cpu_seconds(scheduler) - start
        return Scheduling(alone[0] / jobs, many / jobs, alone[1] / jobs)


async def _do(link: Link, jobs: int, at_once: int) -> None:
    numbers = count()

    async def work() -> None:
        while next(numbers) < jobs:
            await link.answer(job_after("5x4", 1, QUICK), SECONDS)

    await asyncio.gather(*(work() for _ in range(at_once)))
