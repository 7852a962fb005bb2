"""Long work in pieces on a cluster, for the engine's commands."""

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

from cluster.address import Address, places_by_worker, resource
from cluster.errand import BATCH, AnotherEngine, do_piece
from engine.core.jobs import engine_digest
from engine.core.parallel import ParallelMap, in_processes

P = TypeVar("P")

R = TypeVar("R")

logger = logging.getLogger(__name__)

PATIENCE = 20.0
"""Seconds that a cluster may be away, or without a worker that has this engine: at the start it is
refused then, later the rest of the work is done here."""

LOOK, LOOK_EVERY = 5.0, 1.0
"""Seconds that a look at who is there may take, and between two looks."""


class NoCluster(OSError):
    """There is no cluster to work with; the text says why."""


@contextmanager
def cluster_map(url: str, tls: Sequence[Path] | None = None) -> Iterator[ParallelMap]:
    """Have the cluster at an address do pieces; raises NoCluster if it cannot."""
    client = _connected(Address(url, *(tls or ())))
    try:
        _wait_for_workers(client, url)

        def parallel_map(
            work: Callable[[P], R], pieces: Sequence[P], /
        ) -> Generator[R, None, None]:
            return _Batch(client, work, pieces).results()

        yield parallel_map
    finally:
        client.close(timeout=PATIENCE)


def _connected(address: Address) -> Client:
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        return Client(
            address.url, security=address.security(), timeout=PATIENCE, set_as_default=False
        )
    except (OSError, ValueError) as error:
        raise NoCluster(f"the cluster at {address.url} cannot be reached: {error}") from error


def _wait_for_workers(client: Client, url: str) -> None:
    until = monotonic() + PATIENCE
    while not places_by_worker(_identity(client)):
        if monotonic() > until:
            raise NoCluster(f"the cluster at {url} has no worker with this very engine")
        sleep(LOOK_EVERY / 5)


def _identity(client: Client) -> dict[str, Any]:
    assert client.scheduler is not None, "it has been connected"
    found: dict[str, Any] = client.sync(client.scheduler.identity, callback_timeout=LOOK)
    return found


class _Batch:
    """Pieces of one kind, of which each worker has as many at a time as it has threads.

    What waits stays here, so that a cluster that grows is used, and one that dies loses little.
    """

    def __init__(self, client: Client, work: Callable[[Any], Any], pieces: Sequence[Any]) -> None:
        self._client = client
        self._work = work
        self._todo = deque(pieces)
        self._running: dict[Future[Any], tuple[Any, str]] = {}
        self._places: dict[str, int] = {}
        self._looked = self._seen = monotonic()
        self._looked -= LOOK_EVERY

    def results(self) -> Generator[Any, None, None]:
        """The results, each when it is there."""
        try:
            while self._todo or self._running:
                self._look()
                if monotonic() - self._seen > PATIENCE:
                    yield from self._here()
                    return
                self._send()
                yield from self._done()
        finally:
            for future in self._running:
                future.release()

    def _here(self) -> Generator[Any, None, None]:
        """Do the rest in processes of this machine."""
        rest = [*self._todo, *(piece for piece, _ in self._running.values())]
        logger.warning("the cluster is away: %d pieces are done here", len(rest))
        yield from in_processes(os.cpu_count() or 1)(self._work, rest)

    def _look(self) -> None:
        """See who is there, once in a while."""
        if monotonic() - self._looked < LOOK_EVERY:
            return
        try:
            self._places = places_by_worker(_identity(self._client))
        except Exception:  # noqa: BLE001  # Dask raises what the network does, and more
            self._places = {}
        self._looked = monotonic()
        if self._places:
            self._seen = self._looked

    def _send(self) -> None:
        """Give every worker what it has room for."""
        busy = Counter(worker for _, worker in self._running.values())
        for worker, places in self._places.items():
            while self._todo and busy[worker] < places:
                piece = self._todo.popleft()
                busy[worker] += 1
                with self._kept(piece):
                    future = self._client.submit(
                        do_piece, self._work, piece, engine_digest(),
                        workers=[worker], allow_other_workers=True, pure=False,
                        priority=BATCH, resources={resource(): 1},
                    )  # fmt: skip
                    self._running[future] = piece, worker

    @contextmanager
    def _kept(self, piece: Any) -> Iterator[None]:
        """Do not lose a piece that cannot be sent."""
        try:
            yield
        except Exception:  # noqa: BLE001  # as above
            self._todo.append(piece)
            self._places = {}

    def _done(self) -> Generator[Any, None, None]:
        """What has been done, after a moment; what was lost is sent again."""
        if not self._running:
            sleep(LOOK_EVERY / 5)
            return
        with suppress(TimeoutError, CancelledError), self._client.as_current():
            wait(tuple(self._running), timeout=LOOK_EVERY, return_when="FIRST_COMPLETED")
        for future in [future for future in self._running if future.done()]:
            piece, _ = self._running.pop(future)
            try:
                found = future.result(timeout=PATIENCE)
            except (CancelledError, KilledWorker, AnotherEngine, OSError, TimeoutError):
                self._todo.append(piece)
                self._looked = 0.0
            else:
                yield found
            finally:
                future.release()
