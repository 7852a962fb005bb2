"""The engine in other processes, where there is one; what it does not do is done here."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic
from typing import Any, Protocol

from bot.play.fair_queue import Claim
from bot.play.gate import Gate
from bot.telemetry import SILENT, Meter
from engine.jobs import SearchJob
from engine.search import Stop

logger = logging.getLogger(__name__)

SECONDS = 4.0
"""What a job may take elsewhere, with the way there and back: twice what the slowest does. After
that it is done here, so nobody waits for longer because of a cluster that hangs."""
ATTEMPTS = 2


class Engine(Protocol):
    """Does jobs in other processes."""

    @property
    def places(self) -> int:
        """How many jobs it does at a time; 0 while it does none."""

    async def answer(self, job: SearchJob, seconds: float, stop: Stop | None = None) -> Any:
        """Do a job as `engine.jobs.answer` does, within so many seconds.

        Raises an exception of any kind if that did not work; a stop that is set is one reason.
        """


class Elsewhere:
    """Has jobs done by another engine, so many at a time and by fair shares."""

    def __init__(self, engine: Engine, most: int | None = None, meter: Meter = SILENT) -> None:
        """Use `engine` for up to `most` jobs at a time, or as many as it has places."""
        self._engine = engine
        self._most = most
        self._meter = meter
        self._gate = Gate()

    @property
    def is_there(self) -> bool:
        """Whether jobs can be done elsewhere now."""
        return self._engine.places > 0

    def changed(self, places: int) -> None:
        """Take note that the engine has another number of places."""
        self._meter.cluster_places(places)
        self._gate.resize(places if self._most is None else min(places, self._most))

    async def answer(
        self,
        job: SearchJob,
        *,
        stop: Stop | None = None,
        claim: Claim,
        begin: Callable[[], None],
    ) -> Any | None:
        """What a job finds; None if it has to be done here. `begin` is called when its turn comes.

        A job that is lost is tried once more, for as long as the engine is there.
        """
        async with self._gate.place(claim) as has_place:
            if not has_place:
                return None
            begin()
            until = monotonic() + SECONDS
            for _ in range(ATTEMPTS):
                left = until - monotonic()
                if left <= 0 or not self.is_there:
                    break
                try:
                    found = await self._engine.answer(job, left, stop)
                except Exception as error:  # noqa: BLE001  # whatever it is, the job is done here
                    if stop is not None and stop.is_set:
                        break  # nobody wants it, and here it ends at once
                    logger.debug("%s was lost: %s", job.task, error)
                    self._meter.worked("lost")
                else:
                    self._meter.worked("cluster")
                    return found
        return None
