"""A cluster worker: prepares the engine before it joins, then does jobs.

Loaded with `dask worker ADDRESS --nworkers N --nthreads 1 --preload cluster.worker`.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from threading import Lock
from time import monotonic
from typing import Any, TypeVar

from distributed import Worker, WorkerPlugin, secede

from cluster.address import RESOURCE_AMOUNT, resource
from cluster.outcome import AnotherEngine, Done, JobFailed, TooLate
from engine.core.compiled import compile_all
from engine.core.jobs import Job, engine_digest
from engine.core.limits import Limit, Stop, time_limit
from engine.core.registry import compiled_modules, games
from engine.strength.roster import ChooseMove

P = TypeVar("P")
R = TypeVar("R")
A = TypeVar("A")

MAX_NODES = 1_000_000_000
"""The limit of a search whose job sets none: minutes of work, which no correct search needs."""

WARM_UP_LIMIT = Limit(seconds=0.05)
"""The limit of each search that only loads what first moves need."""

NICENESS = 10
"""The niceness of batch work, which yields to moves on the same core; Linux has it per thread."""


class Stops:
    """The stop flags of the searches in this worker, by task key, set by its event loop."""

    def __init__(self) -> None:
        """Create an empty collection."""
        self._stops: dict[str, Stop] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        """Return how many flags are kept."""
        return len(self._stops)

    def of(self, key: str) -> Stop:
        """Return the flag of a task; it is already set if the task was cancelled before."""
        with self._lock:
            return self._stops.setdefault(key, Stop())

    def forget(self, key: str) -> None:
        """Drop a flag."""
        with self._lock:
            self._stops.pop(key, None)


STOPS = Stops()


class EnginePlugin(WorkerPlugin):
    """Prepares the engine before the worker takes jobs, and stops searches that were cancelled."""

    name = "cuatro"

    async def setup(self, worker: Worker) -> None:
        """Prepare the engine, then offer it as a resource."""
        await asyncio.to_thread(warm_up)
        worker.state.total_resources[resource()] = RESOURCE_AMOUNT
        worker.state.available_resources[resource()] = RESOURCE_AMOUNT

    def transition(self, key: Any, start: str, finish: str, **_more: Any) -> None:
        """Stop a search whose task was cancelled; Dask itself only forgets a task that runs."""
        if start in ("executing", "long-running") and finish == "released":
            STOPS.of(str(key)).set()
        elif finish == "forgotten":
            STOPS.forget(str(key))


async def dask_setup(worker: Any) -> None:
    """Add the plugin; Dask calls this before the worker joins its scheduler."""
    if isinstance(worker, Worker):  # not its nanny
        await worker.plugin_add(plugin=EnginePlugin(), catch_errors=False)


def warm_up() -> None:
    """Load the kernels, compiling those that are missing, and all data that first moves read."""
    compile_all(compiled_modules())
    for family in games().values():
        for agent in ("medium", "perfect"):
            Job(family.key, family.usual, (), ChooseMove(agent), limit=WARM_UP_LIMIT).run()


def do(job: Job[A], digest: str, seconds: float, key: str) -> Done[A]:
    """Do a job within `seconds` from now, unless the task with the key is cancelled.

    The time is a duration because clocks differ between machines. Raises AnotherEngine, TooLate,
    and JobFailed for any exception of `Job.run`.
    """
    check_engine(digest)
    stop, began = STOPS.of(key), monotonic()
    try:
        with time_limit(stop.set, seconds):
            found = bounded(job).run(stop)
    except Exception as error:
        if stop.is_set:
            raise TooLate(key) from error
        raise JobFailed(f"{type(error).__name__}: {error}") from error
    finally:
        STOPS.forget(key)
    if stop.is_set:
        raise TooLate(key)
    return Done(found, monotonic() - began)


def do_piece(work: Callable[[P], R], piece: P, digest: str) -> R:
    """Do a piece of batch work, yielding to other tasks; raises AnotherEngine."""
    check_engine(digest)
    secede()
    if sys.platform == "linux":
        # After `secede` the thread belongs to this task alone, and ends with it.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
    return work(piece)


def bounded(job: Job[A]) -> Job[A]:
    """Return the job with a limit in nodes, if its task takes limits."""
    if not job.task.takes_limit or (job.limit is not None and job.limit.nodes is not None):
        return job
    return replace(job, limit=replace(job.limit or Limit(), nodes=MAX_NODES))


def check_engine(digest: str) -> None:
    """Raise AnotherEngine unless this engine has the digest."""
    if digest != engine_digest():
        raise AnotherEngine(f"this worker has the engine {engine_digest()}, not {digest}")
