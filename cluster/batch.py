"""Batch work on a cluster, for the engine's commands."""

from __future__ import annotations

import logging
import os
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any, TypeVar

from distributed import Client, Future, KilledWorker, wait

from cluster.address import Address, capacity_by_worker, quiet_logs, resource
from cluster.outcome import AnotherEngine
from cluster.worker import do_piece
from engine.core.jobs import engine_digest
from engine.core.parallel import ParallelMap, in_processes

P = TypeVar("P")
R = TypeVar("R")

logger = logging.getLogger(__name__)

PRIORITY = -10
"""Below that of every task of the engine: Dask does what has a higher priority first."""

TIMEOUT = 20.0
"""Seconds that a cluster may be unreachable, or without a worker that has this engine. Then a batch
that has not begun is refused; the rest of one that has begun is done on this machine."""

CHECK_TIMEOUT, CHECK_INTERVAL = 5.0, 1.0
"""Seconds that a check of the workers may take, and between two of them."""


class NoCluster(OSError):
    """No cluster can be used; the text says why."""


@contextmanager
def cluster_map(url: str, tls: Sequence[Path] | None = None) -> Iterator[ParallelMap]:
    """Provide a map that does the work on the cluster at an address; raises NoCluster."""
    quiet_logs()
    address = Address(url, *(tls or ()))
    try:
        client = Client(url, security=address.security(), timeout=TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise NoCluster(f"the cluster at {url} cannot be reached: {error}") from error
    try:
        until = monotonic() + TIMEOUT
        while not _capacity(client):
            if monotonic() > until:
                raise NoCluster(
                    f"the cluster at {url} has no worker with this version of the engine"
                )
            sleep(CHECK_INTERVAL / 5)

        def parallel_map(
            work: Callable[[P], R], pieces: Sequence[P], /
        ) -> Generator[R, None, None]:
            return _Batch(client, work, pieces).results()

        yield parallel_map
    finally:
        client.close(timeout=TIMEOUT)


def _capacity(client: Client) -> dict[str, int]:
    assert client.scheduler is not None, "it has been connected"
    identity = client.sync(client.scheduler.identity, callback_timeout=CHECK_TIMEOUT)
    return capacity_by_worker(identity)


class _Batch:
    """Pieces of one kind of work; each worker has as many at a time as it has threads.

    The others wait here, so that new workers are used, and little is lost when workers die.
    """

    def __init__(self, client: Client, work: Callable[[Any], Any], pieces: Sequence[Any]) -> None:
        self._client = client
        self._work = work
        self._waiting = deque(pieces)
        self._running: dict[Future[Any], tuple[Any, str]] = {}
        self._capacity: dict[str, int] = {}
        self._seen = monotonic()
        """When the cluster last had a worker."""
        self._checked = self._seen - CHECK_INTERVAL

    def results(self) -> Generator[Any, None, None]:
        """Yield each result as soon as it is available."""
        try:
            while self._waiting or self._running:
                self._check_workers()
                if monotonic() - self._seen > TIMEOUT:
                    rest = [*self._waiting, *(piece for piece, _ in self._running.values())]
                    logger.warning(
                        "the cluster is unavailable: %d pieces are done on this machine", len(rest)
                    )
                    yield from in_processes(os.cpu_count() or 1)(self._work, rest)
                    return
                self._send()
                yield from self._finished()
        finally:
            for future in self._running:
                future.release()

    def _check_workers(self) -> None:
        """Update the workers, unless that was done a moment ago."""
        if monotonic() - self._checked < CHECK_INTERVAL:
            return
        try:
            self._capacity = _capacity(self._client)
        except Exception:  # noqa: BLE001  # Dask raises errors of the network, and others
            self._capacity = {}
        self._checked = monotonic()
        if self._capacity:
            self._seen = self._checked

    def _send(self) -> None:
        """Give every worker as many pieces as it has threads."""
        busy = Counter(worker for _, worker in self._running.values())
        for worker, threads in self._capacity.items():
            while self._waiting and busy[worker] < threads:
                piece = self._waiting.popleft()
                busy[worker] += 1
                try:
                    future = self._client.submit(
                        do_piece, self._work, piece, engine_digest(),
                        workers=[worker], allow_other_workers=True, pure=False,
                        priority=PRIORITY, resources={resource(): 1},
                    )  # fmt: skip
                except Exception:  # noqa: BLE001  # as above; the piece is sent again later
                    self._waiting.append(piece)
                    self._capacity = {}
                    return
                self._running[future] = piece, worker

    def _finished(self) -> Generator[Any, None, None]:
        """Wait a moment for results and yield them; lost pieces are sent again."""
        if not self._running:
            sleep(CHECK_INTERVAL / 5)
            return
        with suppress(TimeoutError, CancelledError), self._client.as_current():
            wait(tuple(self._running), timeout=CHECK_INTERVAL, return_when="FIRST_COMPLETED")
        for future in [future for future in self._running if future.done()]:
            piece, _ = self._running.pop(future)
            try:
                found = future.result(timeout=TIMEOUT)
            except (CancelledError, KilledWorker, AnotherEngine, OSError, TimeoutError):
                self._waiting.append(piece)
                self._checked = 0.0
            else:
                yield found
            finally:
                future.release()
