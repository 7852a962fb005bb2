"""The engine of a cluster, behind a circuit breaker; jobs that the cluster cannot do are done here.

The circuit breaker decides when a service that fails or is slow gets no more work. Its states are
values without the service or a clock: `RemoteEngine` reports the outcome of each job and probe.

    CLOSED      all work goes to the service; opens after `MAX_BAD` bad answers among the last few
    OPEN        no work goes there; after a backoff, probing begins
    HALF_OPEN   one probe at a time; enough good ones in a row close it, a bad one opens it again
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from enum import Enum
from time import monotonic
from typing import Protocol, TypeVar

from bot.telemetry import SILENT, Meter
from bot.workers.pool import Claim, FairQueue
from cluster.outcome import Done, JobFailed
from engine.core.jobs import Job
from engine.core.limits import Stop

A = TypeVar("A")

logger = logging.getLogger(__name__)

SECONDS = 4.0
"""Seconds that a job may take at the cluster, including transport: twice as long as the slowest.
After that it is done here, which bounds the delay by a cluster that hangs."""

ATTEMPTS = 2

SLOW = 0.4
"""Seconds that a job may take beyond its work at the worker before the cluster counts as slow: a
fifth of the longest move. Usual are 0.01 to 0.02."""

PROBE_SECONDS = 1.0
"""Seconds that a probe may take before it counts as lost."""

MAX_PROBES = 10
"""How many probes in a row are wanted at most: one for each worker of a small cluster."""

PROBES = 3
"""How many probes in a row have to be good, at least."""

WINDOW = 10
"""How many of the latest answers count while the circuit is closed."""

MAX_BAD = 3
"""How many bad answers among those open it."""

FIRST_BACKOFF, LONGEST_BACKOFF = 1.0, 30.0
"""Seconds from opening to the first probe, at first and at most; doubled each time a probe is bad
or the circuit opens again."""

PATIENCE = 1.0
"""Seconds after which a job that waits for a place may leave, to be done in this process."""

RECHECK = 0.25
"""Seconds between two checks from then on whether it can be done here."""


class Engine(Protocol):
    """Does jobs in other processes."""

    @property
    def places(self) -> int:
        """How many jobs it does at a time; 0 while it does none."""

    async def answer(self, job: Job[A], seconds: float, stop: Stop | None = None) -> Done[A]:
        """Do a job as `Job.run` does, within this time.

        Raises JobFailed if the job itself failed, and another exception if it could not be done,
        for example because `stop` is set.
        """

    async def probe(self, seconds: float) -> None:
        """Have a trivial job done within this time, each time by another worker.

        Raises any exception if that fails.
        """


@dataclass(frozen=True, slots=True)
class ClusterStatus:
    """The state of the cluster, for monitoring."""

    places: int
    """How many jobs it does at a time."""
    wanted: int
    """How many it should do at a time, at least."""
    state: State


class State(Enum):
    """The state of a circuit breaker, by the name that metrics use."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


@dataclass(frozen=True, slots=True)
class Circuit:
    """One state of a circuit breaker; each event returns the next state."""

    state: State = State.CLOSED
    recent: tuple[bool, ...] = ()
    """While closed: whether each of the latest answers was good, the oldest first."""
    backoff: float = FIRST_BACKOFF
    """Seconds to wait for a probe when it opens the next time."""
    probe_at: float = 0.0
    """While open: when probing begins."""
    good_probes: int = 0
    """While half-open: how many probes in a row were good."""

    @property
    def is_closed(self) -> bool:
        """Whether work goes to the service."""
        return self.state is State.CLOSED

    def answered(self, is_good: bool, now: float) -> Circuit:
        """The state after a job; one that was sent before the circuit opened changes nothing."""
        if not self.is_closed:
            return self
        recent = (*self.recent, is_good)[-WINDOW:]
        if recent.count(False) >= MAX_BAD:
            return self._opened(now)
        # A service that has been good for a while starts again with a short backoff. Until then one
        # that closes and opens in turns is probed less and less often.
        is_sound = len(recent) == WINDOW and all(recent)
        return replace(self, recent=recent, backoff=FIRST_BACKOFF if is_sound else self.backoff)

    def probing(self, now: float) -> Circuit:
        """The state in which a probe may be sent; raises ValueError before its time."""
        if self.is_closed or (self.state is State.OPEN and now < self.probe_at):
            raise ValueError("it is not time for a probe")
        return replace(self, state=State.HALF_OPEN)

    def probed(self, is_good: bool, now: float, wanted: int = PROBES) -> Circuit:
        """The state after a probe; `wanted` good ones in a row close it.

        Raises ValueError unless it is half-open.
        """
        if self.state is not State.HALF_OPEN:
            raise ValueError("no probe was sent")
        if not is_good:
            return self._opened(now)
        if self.good_probes + 1 < wanted:
            return replace(self, good_probes=self.good_probes + 1)
        # On trial: a single bad answer opens it again, until good ones take the place of these.
        return Circuit(recent=(False,) * (MAX_BAD - 1), backoff=self.backoff)

    def reachable_again(self, now: float) -> Circuit:
        """The state after the service was away and has come back: it is probed at once."""
        return replace(self, probe_at=now) if self.state is State.OPEN else self

    def _opened(self, now: float) -> Circuit:
        return Circuit(
            State.OPEN,
            backoff=min(2 * self.backoff, LONGEST_BACKOFF),
            probe_at=now + self.backoff,
        )


CLOSED = Circuit()
"""The first state."""


class FairSemaphore:
    """Places for jobs on the event loop, shared by `FairQueue`; none at first."""

    def __init__(self) -> None:
        self._places = 0
        self._taken = 0
        self._queue: FairQueue[asyncio.Future[bool]] = FairQueue()

    def resize(self, places: int) -> None:
        """Set the number of places; with none, all that wait are turned away."""
        self._places = places
        self._admit()

    @asynccontextmanager
    async def place(
        self, claim: Claim, may_leave: Callable[[], bool] = lambda: False
    ) -> AsyncIterator[bool]:
        """Wait for a place and hold it during the block; False where there is none.

        A job that has waited for `PATIENCE` leaves as soon as `may_leave` returns True.
        """
        if not self._places:
            yield False
            return
        admitted = asyncio.get_running_loop().create_future()
        self._queue.put(claim, admitted)
        self._admit()
        try:
            is_admitted = await _admission(admitted, may_leave)
        except asyncio.CancelledError:
            if admitted.done() and not admitted.cancelled() and admitted.result():
                self._leave(claim, 0.0)
            admitted.cancel()
            raise
        if not is_admitted:
            yield False
            return
        began = monotonic()
        try:
            yield True
        finally:
            self._leave(claim, monotonic() - began)

    def _leave(self, claim: Claim, seconds: float) -> None:
        self._taken -= 1
        self._queue.done(claim, seconds)
        self._admit()

    def _admit(self) -> None:
        """Admit the next jobs while there is room; turn all away if there are no places."""
        while self._taken < self._places or not self._places:
            item = self._queue.take()
            if item is None:
                return
            claim, admitted = item
            if admitted.done() or not self._places:  # it has left, or is turned away
                self._queue.done(claim, 0.0)
                if not admitted.done():
                    admitted.set_result(False)
                continue
            self._taken += 1
            admitted.set_result(True)


async def _admission(admitted: asyncio.Future[bool], may_leave: Callable[[], bool]) -> bool:
    """Wait until a job is admitted or turned away, or may leave."""
    timeout = PATIENCE
    while not admitted.done():
        await asyncio.wait({admitted}, timeout=timeout)
        timeout = RECHECK
        if not admitted.done() and may_leave():
            admitted.set_result(False)
    return admitted.result()


class RemoteEngine:
    """Has jobs done by a cluster, a limited number at a time and by fair shares.

    A circuit breaker keeps jobs in this process while the cluster fails or is slow. Probes are jobs
    of their own, whose answers are not needed.
    """

    def __init__(
        self,
        engine: Engine,
        most: int | None = None,
        meter: Meter = SILENT,
        *,
        wanted: int = 1,
        circuit: Circuit = CLOSED,
    ) -> None:
        """Use `engine` for up to `most` jobs at a time, or as many as it has places.

        `wanted` is how many places it should have at least, for monitoring; `circuit` is the first
        state of the circuit breaker.
        """
        self._engine = engine
        self._most = most
        self._wanted = wanted
        self._meter = meter
        self._semaphore = FairSemaphore()
        self._circuit = circuit
        self._probing: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        """Set when the number of places has changed, for a probe that waits."""
        self._had_places = False
        meter.cluster_places_wanted(wanted)

    @property
    def is_available(self) -> bool:
        """Whether the cluster can be given jobs now."""
        return self._circuit.is_closed and self._engine.places > 0

    @property
    def status(self) -> ClusterStatus:
        """The present state of the cluster."""
        return ClusterStatus(self._engine.places, self._wanted, self._circuit.state)

    def changed(self, places: int) -> None:
        """Handle a change of the number of the engine's places."""
        self._meter.cluster_places(places)
        if places and not self._had_places:
            self._circuit = self._circuit.reachable_again(monotonic())
        self._had_places = places > 0
        self._changed.set()
        self._resize()

    async def close(self) -> None:
        """Stop probing."""
        if self._probing is not None:
            self._probing.cancel()
            with suppress(asyncio.CancelledError):
                await self._probing

    async def answer(
        self,
        job: Job[A],
        *,
        stop: Stop | None = None,
        claim: Claim,
        begin: Callable[[], None],
        may_leave: Callable[[], bool] = lambda: False,
    ) -> A | None:
        """The result of a job; None if it has to be done here. `begin` is called before it starts.

        A job that is lost is tried once more, for as long as the engine is there. One that waits
        too long for a place is given up as soon as `may_leave` says that it can be done here.
        """
        async with self._semaphore.place(claim, may_leave) as has_place:
            if not has_place:
                return None
            begin()
            until = monotonic() + SECONDS
            for _ in range(ATTEMPTS):
                now = monotonic()
                if until - now <= 0 or not self.is_available:
                    break
                try:
                    done = await self._engine.answer(job, until - now, stop)
                except JobFailed as error:
                    # Here it fails as well, with a traceback. The cluster is not to blame, so a job
                    # that fails everywhere does not open the circuit for all others.
                    logger.debug("%s failed at the cluster: %s", job.task, error)
                    self._meter.worked("lost")
                    break
                except Exception as error:  # noqa: BLE001  # after any error the job is done here
                    if stop is not None and stop.is_set:
                        break  # the result is not needed any more, and here it ends at once
                    logger.debug("%s was lost: %s", job.task, error)
                    self._meter.worked("lost")
                    self._move_to(self._circuit.answered(False, monotonic()))
                else:
                    self._meter.worked("cluster")
                    ended = monotonic()
                    is_good = ended - now - done.seconds <= SLOW
                    self._move_to(self._circuit.answered(is_good, ended))
                    return done.found
        return None

    def _move_to(self, circuit: Circuit) -> None:
        """Set the state of the circuit breaker, and start or end probing."""
        before, self._circuit = self._circuit, circuit
        if before.state is circuit.state:
            return
        self._meter.cluster_circuit(circuit.state.value)
        if before.is_closed:
            logger.warning("the cluster loses jobs or is slow, they are done here; it is probed")
            self._resize()
            self._probing = asyncio.get_running_loop().create_task(self._probe_until_closed())
        elif circuit.is_closed:
            logger.info("the cluster answers quickly again and is given jobs")
            self._resize()

    def _resize(self) -> None:
        """Set the number of jobs that the engine may have now."""
        places = self._engine.places if self._circuit.is_closed else 0
        self._semaphore.resize(places if self._most is None else min(places, self._most))

    async def _probe_until_closed(self) -> None:
        """Probe, one job at a time, with a backoff after each that was bad."""
        while not self._circuit.is_closed:
            self._changed.clear()
            wait = self._circuit.probe_at - monotonic()
            is_away = not self._engine.places
            if is_away or wait > 0:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), None if is_away else wait)
                continue
            self._move_to(self._circuit.probing(monotonic()))
            began = monotonic()
            try:
                await self._engine.probe(PROBE_SECONDS)
                is_good = monotonic() - began <= SLOW
            except Exception as error:  # noqa: BLE001  # any failure of a probe is a bad answer
                logger.debug("a probe of the cluster was lost: %s", error)
                is_good = False
            wanted = min(max(PROBES, self._engine.places), MAX_PROBES)
            self._move_to(self._circuit.probed(is_good, monotonic(), wanted))
