"""The way from the bot to a cluster: there while the cluster is, and made again when it is back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any
from uuid import uuid4

from distributed import Client, Future

from cluster.address import Address, places_by_worker, resource
from cluster.errand import PROBE, do
from cluster.outcome import Done, JobFailed, Lost, Overdue
from engine.core.jobs import Job, engine_digest
from engine.core.limits import Stop

logger = logging.getLogger(__name__)

LOOK_EVERY = 1.0
"""Seconds between two looks at who is there, and between two attempts to connect."""

PATIENCE = 2.0
"""Seconds that the scheduler may take for an answer before it counts as away."""

POLL = 0.1
"""Seconds between two looks at the stop flag of a job: a flag tells nobody that it is set."""

Changed = Callable[[int], None]
"""Told how many jobs the cluster takes at a time, whenever that has changed."""


class Link:
    """A cluster that does single jobs, for a process with an event loop."""

    def __init__(self, address: Address) -> None:
        """Know the address; nothing is connected before `start`."""
        self._address = address
        self.on_places: Changed = lambda places: None
        """Set by whoever shares the places out."""
        self._client: Client | None = None
        self._workers: tuple[str, ...] = ()
        """The addresses of the workers that do jobs; the one to be probed next comes first."""
        self._places: int | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def places(self) -> int:
        """How many jobs the cluster does at a time; 0 while there is none."""
        return self._places or 0

    def start(self) -> None:
        """Connect, and go on connecting, in the background."""
        quiet_logs()
        self._task = asyncio.get_running_loop().create_task(self._live())

    async def close(self) -> None:
        """Connect no more; what is under way is lost."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def answer(self, job: Job[Any], seconds: float, stop: Stop | None = None) -> Done[Any]:
        """Have a job done within so many seconds; raises Lost, or JobFailed if the job itself did.

        A stop that is set loses the job within a moment. A worker that dies is replaced by another
        one, as long as there is time.
        """
        return await self._submit(job, seconds, stop)

    async def probe(self, seconds: float) -> None:
        """Have a trivial job done within so many seconds, by the workers in turn; raises Lost."""
        first, *others = self._workers or (None,)
        self._workers = (*others, first) if first is not None else ()
        await self._submit(PROBE, seconds, worker=first)

    async def _submit(
        self, job: Job[Any], seconds: float, stop: Stop | None = None, worker: str | None = None
    ) -> Done[Any]:
        client = self._client
        if client is None or not self.places:
            raise Lost("there is no cluster")
        kind = type(job.task)
        key = f"{kind.__name__.lower()}-{uuid4().hex}"
        future = client.submit(
            do, job, engine_digest(), seconds, key,
            key=key, pure=False, priority=job.task.priority, resources={resource(): 1},
            workers=None if worker is None else [worker],
        )  # fmt: skip
        try:
            found: Done[Any] = await self._result(client, future, seconds, stop)
            return found
        finally:
            # Also cancels it, where it still runs.
            future.release()

    async def _result(
        self, client: Client, future: Future[Any], seconds: float, stop: Stop | None
    ) -> Any:
        until = monotonic() + seconds
        waiting = asyncio.ensure_future(future.result())
        try:
            while not waiting.done():
                left = until - monotonic()
                if left <= 0:
                    raise Overdue("its time is up")
                if stop is not None and stop.is_set:
                    raise Lost("it was stopped")
                if client is not self._client:
                    raise Lost("the scheduler is away")
                await asyncio.wait({waiting}, timeout=min(left, POLL))
            try:
                return waiting.result()
            except JobFailed:
                raise
            except (Exception, asyncio.CancelledError) as error:
                if client.status != "running":
                    self._note(0, "the connection broke")
                raise Lost(f"{type(error).__name__}: {error}") from error
        finally:
            waiting.cancel()
            with suppress(Exception, asyncio.CancelledError):
                await waiting

    async def _live(self) -> None:
        """Connect and look, for ever."""
        while True:
            client = Client(
                self._address.url,
                asynchronous=True,
                security=self._address.security(),
                timeout=PATIENCE,
                set_as_default=False,
                name="cuatro",
            )
            try:
                await asyncio.wait_for(client, 2 * PATIENCE)
                await self._watch(client)
            except Exception as error:  # noqa: BLE001  # whatever it is, it is tried again
                self._note(0, f"{type(error).__name__}: {error}")
            finally:
                self._client = None
                with suppress(Exception):
                    await client.close(timeout=PATIENCE)
            await asyncio.sleep(LOOK_EVERY)

    async def _watch(self, client: Client) -> None:
        """Keep count of the workers until the scheduler is gone."""
        while client.status == "running":
            assert client.scheduler is not None, "it is connected"
            identity = await asyncio.wait_for(client.scheduler.identity(), PATIENCE)
            self._client = client
            others = len(identity["workers"])
            reason = f"none of its {others} workers has this engine" if others else "no workers"
            places = places_by_worker(identity)
            kept = [worker for worker in self._workers if worker in places]
            self._workers = (*kept, *(worker for worker in places if worker not in kept))
            self._note(sum(places.values()), reason)
            await asyncio.sleep(LOOK_EVERY)
        raise OSError("the connection broke")

    def _note(self, places: int, reason: str) -> None:
        """Keep and tell how many places there are; log when that becomes nothing, or something."""
        if places == self._places:
            return
        if places and not self._places:
            logger.info("the cluster at %s takes jobs, %d at a time", self._address.url, places)
        elif not places:
            logger.warning(
                "the cluster at %s takes no jobs, they are done here: %s", self._address.url, reason
            )
        self._places = places
        self.on_places(places)


def quiet_logs() -> None:
    """Leave the log to those who say what it means: Dask sets up handlers of its own."""
    log = logging.getLogger("distributed")
    for name in ("distributed", *(f"distributed.{child}" for child in ("client", "scheduler"))):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
    log.setLevel(logging.CRITICAL)
