"""What the cluster's scheduler and worker take for a job: trivial ones, as fast as possible."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from benchmarks.capacity.figures import Scheduling
from benchmarks.cluster import QUICK, job_after, started
from cluster.address import Address
from cluster.link import Link

AT_ONCE = 32
"""Jobs under way in the second part, as many as some processes of the bot have together."""
SECONDS = 60.0
"""That a job may take."""
WARM = 100
"""Jobs before anything counts."""


async def measure(jobs: int) -> Scheduling:
    """What jobs take, one at a time and many at once."""
    with TemporaryDirectory() as folder:
        file, processes = Path(folder) / "scheduler.json", started(Path(folder), 1)
        try:
            while not file.exists() or not file.read_text("utf-8").strip().endswith("}"):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
            link = Link(Address(json.loads(file.read_text("utf-8"))["address"]))
            link.start()
            while not link.places:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
            scheduler, worker = (psutil.Process(process.pid) for process in processes)
            await _do(link, WARM, AT_ONCE)
            spent = [_seconds(scheduler), _seconds(worker)]
            await _do(link, jobs, 1)
            alone = _seconds(scheduler) - spent[0], _seconds(worker) - spent[1]
            spent = [_seconds(scheduler)]
            await _do(link, jobs, AT_ONCE)
            many = _seconds(scheduler) - spent[0]
            await link.close()
            return Scheduling(alone[0] / jobs, many / jobs, alone[1] / jobs)
        finally:
            for process in processes:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


async def _do(link: Link, jobs: int, at_once: int) -> None:
    numbers = count()

    async def work() -> None:
        while next(numbers) < jobs:
            await link.answer(job_after("5x4", 1, QUICK), SECONDS)

    await asyncio.gather(*(work() for _ in range(at_once)))


def _seconds(parent: psutil.Process) -> float:
    """CPU seconds of a process and those that it has started."""
    found = [one.cpu_times() for one in (parent, *parent.children(recursive=True))]
    return sum(times.user + times.system for times in found)
