"""The bot's connection to a cluster, which reconnects by itself after a failure."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any
from uuid import uuid4

from distributed import Client, Future

from cluster.address import Address, capacity_by_worker, quiet_logs, resource
from cluster.outcome import Done, JobFailed, Lost, Overdue
from cluster.worker import do
from engine.core.jobs import Job, engine_digest
from engine.core.limits import Stop
from engine.strength.roster import ChooseMove

logger = logging.getLogger(__name__)

PROBE = Job("connect4", "5x4", (), ChooseMove("easy"))
"""A job of about a millisecond, which shows whether a worker answers."""

CHECK_INTERVAL = 1.0
"""Seconds between two checks of the workers, and between two attempts to connect."""

TIMEOUT = 2.0
"""Seconds within which the scheduler must respond."""

POLL_INTERVAL = 0.1
"""Seconds between two checks of a job's stop flag, which cannot be awaited."""


class Link:
    """A cluster that does single jobs, for a process with an event loop."""

    def __init__(self, address: Address) -> None:
        """Keep the address; `start` connects."""
        self._address = address
        self._on_places: Callable[[int], None] | None = None
        self._client: Client | None = None
        self._workers: tuple[str, ...] = ()
        """The addresses of the workers with this engine; the next one to be probed comes first."""
        self._places: int | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def places(self) -> int:
        """How many jobs the cluster does at a time; 0 while there is none."""
        return self._places or 0

    def start(self, on_places: Callable[[int], None] | None = None) -> None:
        """Connect in the background, and again whenever the connection breaks.

        `on_places` is called with each new number of jobs that the cluster does at a time.
        """
        quiet_logs()
        self._on_places = on_places
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        """Disconnect; jobs under way are lost."""
        while self._task is not None and not self._task.done():
            # Dask loses a cancellation that comes while its client disconnects.
            self._task.cancel()
            await asyncio.wait({self._task}, timeout=TIMEOUT)

    async def probe(self, seconds: float) -> None:
        """Have the next worker do a trivial job; raises Lost unless it is done in `seconds`."""
        first = self._workers[:1]
        self._workers = self._workers[1:] + first
        await self.answer(PROBE, seconds, workers=first)

    async def answer(
        self,
        job: Job[Any],
        seconds: float,
        stop: Stop | None = None,
        *,
        workers: Sequence[str] = (),
    ) -> Done[Any]:
        """Have a job done within `seconds`; raises Lost, or JobFailed if the job itself fails.

        When `stop` is set, the job is lost within a moment. If a worker dies, another one does the
        job as long as there is time. Any worker may do it unless some `workers` are named.
        """
        client = self._client
        if client is None or not self.places:
            raise Lost("there is no cluster")
        kind = type(job.task)
        key = f"{kind.__name__.lower()}-{uuid4().hex}"
        future = client.submit(
            do, job, engine_digest(), seconds, key,
            key=key, pure=False, priority=job.task.priority, resources={resource(): 1},
            workers=list(workers) or None,
        )  # fmt: skip
        try:
            return await self._result(client, future, seconds, stop)
        finally:
            future.release()  # cancels the job if it is still running

    async def _result(
        self, client: Client, future: Future[Any], seconds: float, stop: Stop | None
    ) -> Done[Any]:
        until = monotonic() + seconds
        waiting: asyncio.Future[Done[Any]] = asyncio.ensure_future(future.result())
        try:
            while not waiting.done():
                left = until - monotonic()
                if left <= 0:
                    raise Overdue("the time limit was reached")
                if stop is not None and stop.is_set:
                    raise Lost("it was stopped")
                if client is not self._client:
                    raise Lost("the connection to the scheduler broke")
                await asyncio.wait({waiting}, timeout=min(left, POLL_INTERVAL))
            try:
                return waiting.result()
            except JobFailed:
                raise
            except (Exception, asyncio.CancelledError) as error:
                if client.status != "running":
                    self._set_places(0, "the connection broke")
                raise Lost(f"{type(error).__name__}: {error}") from error
        finally:
            waiting.cancel()
            with suppress(Exception, asyncio.CancelledError):
                await waiting

    async def _run(self) -> None:
        """Connect and watch the cluster, until this is cancelled."""
        while True:
            client = Client(
                self._address.url,
                asynchronous=True,
                security=self._address.security(),
                timeout=TIMEOUT,
                set_as_default=False,
                name="cuatro",
            )
            try:
                await asyncio.wait_for(client, 2 * TIMEOUT)
                await self._watch(client)
            except Exception as error:  # noqa: BLE001  # reconnect after any error
                self._set_places(0, f"{type(error).__name__}: {error}")
            finally:
                self._client = None
                with suppress(Exception):
                    await client.close(timeout=TIMEOUT)
            await asyncio.sleep(CHECK_INTERVAL)

    async def _watch(self, client: Client) -> None:
        """Keep the number of places current until the connection breaks."""
        while client.status == "running":
            assert client.scheduler is not None, "it is connected"
            identity = await asyncio.wait_for(client.scheduler.identity(), TIMEOUT)
            self._client = client
            others = len(identity["workers"])
            reason = f"none of its {others} workers has this engine" if others else "no workers"
            capacity = capacity_by_worker(identity)
            kept = [worker for worker in self._workers if worker in capacity]
            self._workers = (*kept, *(worker for worker in capacity if worker not in kept))
            self._set_places(sum(capacity.values()), reason)
            await asyncio.sleep(CHECK_INTERVAL)
        raise OSError("the connection broke")

    def _set_places(self, places: int, reason: str) -> None:
        """Keep the number of places and report a change; log when the cluster comes or goes."""
        if places == self._places:
            return
        if places and not self._places:
            logger.info("the cluster at %s takes jobs, %d at a time", self._address.url, places)
        elif not places:
            logger.warning(
                "the cluster at %s takes no jobs, they are done here: %s", self._address.url, reason
            )
        self._places = places
        if self._on_places is not None:
            self._on_places(places)
