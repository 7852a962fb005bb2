"""The stop flags of the searches that run in this worker, by the keys of their tasks.

What a worker loads: `dask worker ADDRESS --nworkers N --nthreads 1 --preload cluster.worker`.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from threading import Lock
from typing import Any

from distributed import Worker, WorkerPlugin, secede

from cluster.address import PLENTY, resource
from engine.core.compiled import compile_all
from engine.core.jobs import Job
from engine.core.limits import Limit, Stop
from engine.core.registry import compiled_modules, games
from engine.strength.roster import ChooseMove


class Stops:
    """Lets the worker's event loop stop what its threads do."""

    def __init__(self) -> None:
        """Begin with none."""
        self._stops: dict[str, Stop] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        """How many are kept."""
        return len(self._stops)

    def of(self, key: str) -> Stop:
        """The flag of a task; set already if the task was stopped before it began."""
        with self._lock:
            return self._stops.setdefault(key, Stop())

    def forget(self, key: str) -> None:
        """Drop a flag."""
        with self._lock:
            self._stops.pop(key, None)


STOPS = Stops()

SHORT = Limit(seconds=0.05)
"""What each search may take that only warms."""

NICENESS = 10
"""By how much batch work stands back behind moves on the same core; Linux has it for threads."""


class EnginePlugin(WorkerPlugin):
    """Warms the engine before a worker takes work, and stops searches that nobody waits for."""

    name = "cuatro"

    async def setup(self, worker: Worker) -> None:
        """Get the engine ready, then offer it."""
        await asyncio.to_thread(warm)
        worker.state.total_resources[resource()] = PLENTY
        worker.state.available_resources[resource()] = PLENTY

    def transition(self, key: Any, start: str, finish: str, **_more: Any) -> None:
        """Stop a search whose task was cancelled.

        Dask itself only forgets a task that runs. That is how a stop gets here: no message of ours.
        """
        if start in ("executing", "long-running") and finish == "released":
            STOPS.of(str(key)).set()
        elif finish == "forgotten":
            STOPS.forget(str(key))


async def dask_setup(worker: Any) -> None:
    """Called by Dask before the worker joins its scheduler."""
    if isinstance(worker, Worker):  # not its nanny
        await worker.plugin_add(plugin=EnginePlugin(), catch_errors=False)


def warm() -> None:
    """Load the kernels, compiling those that are not there, and all that first moves read."""
    compile_all(compiled_modules())
    for family in games().values():
        for agent in ("medium", "perfect"):
            Job(family.key, family.usual, (), ChooseMove(agent), limit=SHORT).run()


def stand_back() -> None:
    """Leave the calling task's place to others, and the processor to whoever wants it more."""
    secede()
    if sys.platform == "linux":
        # The thread belongs to this task alone from here on, and ends with it.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
