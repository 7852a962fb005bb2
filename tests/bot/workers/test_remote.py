"""The fair semaphore of the cluster's places, and jobs that are lost or wait there."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.telemetry import Meter
from bot.workers import remote
from bot.workers.pool import NO_ACCOUNT, Claim, Kind
from bot.workers.remote import Circuit, FairSemaphore, RemoteEngine, State
from bot.workers.workers import Workers
from cluster.outcome import Done, JobFailed
from engine.core.jobs import Job
from engine.core.limits import Stop
from engine.strength.roster import ChooseMove
from tests.bot.engine_jobs import Calling
from tests.builders import until

JOB = Job("connect4", "6x7", (), ChooseMove("easy"))


async def hold(
    semaphore: FairSemaphore, claim: Claim, release: asyncio.Event, seen: list[Any]
) -> None:
    """Take a place and keep it until the test releases it."""
    async with semaphore.place(claim) as has_place:
        seen.append((claim.user_id, has_place))
        await release.wait()


async def started(semaphore: FairSemaphore, claims: list[Claim], release: asyncio.Event) -> Any:
    """Start one task per request; returns the tasks, and the list of admitted ones."""
    seen: list[Any] = []
    tasks = [asyncio.create_task(hold(semaphore, claim, release, seen)) for claim in claims]
    await asyncio.sleep(0.01)
    return tasks, seen


async def test_places_are_limited_and_shared_fairly() -> None:
    """A person gets a second place only after the others have one; moves come before hints."""
    semaphore, release = FairSemaphore(), asyncio.Event()
    semaphore.resize(1)
    claims = [Claim(user_id=1, guild_id=9), Claim(user_id=1, guild_id=9),
              Claim(Kind.HINT, 2, 9), Claim(user_id=3, guild_id=9)]  # fmt: skip
    tasks, seen = await started(semaphore, claims, release)
    assert seen == [(1, True)]
    release.set()
    await asyncio.gather(*tasks)
    assert seen == [(1, True), (3, True), (1, True), (2, True)]


async def test_more_places_let_more_pass() -> None:
    """When places are added, waiting requests are admitted at once."""
    semaphore, release = FairSemaphore(), asyncio.Event()
    semaphore.resize(1)
    tasks, seen = await started(semaphore, [NO_ACCOUNT] * 3, release)
    assert len(seen) == 1
    semaphore.resize(3)
    await asyncio.sleep(0.01)
    assert len(seen) == 3
    release.set()
    await asyncio.gather(*tasks)


async def test_without_places_jobs_do_not_wait() -> None:
    """Without any places both new and waiting requests are refused."""
    semaphore, release = FairSemaphore(), asyncio.Event()
    semaphore.resize(1)
    tasks, seen = await started(semaphore, [NO_ACCOUNT] * 3, release)
    semaphore.resize(0)
    await asyncio.sleep(0.01)
    assert [has_place for _, has_place in seen] == [True, False, False]
    async with semaphore.place(NO_ACCOUNT) as has_place:
        assert not has_place
    release.set()
    await asyncio.gather(*tasks)


async def test_a_cancelled_request_keeps_no_place() -> None:
    """A request that is cancelled while it waits or is being admitted leaves its place free."""
    semaphore, release = FairSemaphore(), asyncio.Event()
    semaphore.resize(1)
    tasks, seen = await started(semaphore, [NO_ACCOUNT] * 3, release)
    tasks[1].cancel()
    tasks[0].cancel()
    await asyncio.sleep(0.01)
    assert len(seen) == 2
    tasks[2].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    async with semaphore.place(NO_ACCOUNT) as has_place:
        assert has_place


class FakeRemoteEngine:
    """An engine in another process, as the bot uses it."""

    def __init__(self, do: Callable[[float], Any]) -> None:
        self.places = 2
        self.asked: list[float] = []
        self._do = do

    async def answer(self, job: Job, seconds: float, stop: Stop | None = None) -> Done[Any]:
        """Do a job."""
        self.asked.append(seconds)
        return Done(await self._do(seconds), 0.0)

    async def probe(self, seconds: float) -> None:
        """Do a trivial one."""
        await self._do(seconds)


class Counts(Meter):
    """A metrics sink that notes who did each job and the states of the circuit breaker."""

    def __init__(self) -> None:
        self.worked_at: list[str] = []
        self.states: list[str] = []

    def cluster_circuit(self, state: str) -> None:
        """Note a state."""
        self.states.append(state)

    def worked(self, where: str) -> None:
        """Count a job."""
        self.worked_at.append(where)


async def asked(far: FakeRemoteEngine, stop: Stop | None = None) -> tuple[Any, list[str]]:
    """The results of a remote engine, and the counted jobs."""
    meter = Counts()
    remote_engine = RemoteEngine(far, 1, meter)
    remote_engine.changed(far.places)
    found = await remote_engine.answer(JOB, stop=stop, claim=NO_ACCOUNT, begin=lambda: None)
    return found, meter.worked_at


async def test_a_lost_job_is_tried_once_more() -> None:
    """A lost job is sent once more and then done locally.

    A stopped one is neither retried nor counted.
    """
    results = [OSError(), "found"]

    async def flaky(_seconds: float) -> Any:
        result = results.pop(0)
        if isinstance(result, Exception):
            raise result
        return result

    assert await asked(FakeRemoteEngine(flaky)) == ("found", ["lost", "cluster"])
    results[:] = [OSError(), OSError(), "too late"]
    assert await asked(FakeRemoteEngine(flaky)) == (None, ["lost", "lost"])
    stop = Stop()
    stop.set()
    results[:] = [OSError(), "not wanted"]
    assert await asked(FakeRemoteEngine(flaky), stop) == (None, [])


async def test_both_attempts_share_one_span(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both attempts of a job share one time limit, so a hanging cluster is waited for only once."""
    monkeypatch.setattr(remote, "SECONDS", 0.05)

    async def hang(seconds: float) -> Any:
        await asyncio.sleep(seconds)
        raise TimeoutError

    far = FakeRemoteEngine(hang)
    assert await asked(far) == (None, ["lost"])
    assert len(far.asked) == 1


@asynccontextmanager
async def reached(
    far: FakeRemoteEngine, meter: Counts, backoff: float = 0.01
) -> AsyncIterator[RemoteEngine]:
    """A remote engine that is in use during the block."""
    found = RemoteEngine(far, meter=meter, circuit=Circuit(backoff=backoff))
    found.changed(far.places)
    yield found
    await found.close()


async def ask(found: RemoteEngine) -> Any:
    """Have a job done."""
    return await found.answer(JOB, claim=NO_ACCOUNT, begin=lambda: None)


class RecoveringEngine:
    """Jobs that are lost until the remote engine has recovered."""

    def __init__(self) -> None:
        self.is_well = False

    async def __call__(self, _seconds: float) -> Any:
        """Do it."""
        if not self.is_well:
            raise OSError("lost")
        return "found"


async def test_a_cluster_that_fails_is_given_no_jobs_until_probes_come_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """While a cluster fails, jobs are done locally until probes succeed.

    Each change is logged once.
    """
    caplog.set_level(logging.INFO, "bot.workers.remote")
    work, meter = RecoveringEngine(), Counts()
    far = FakeRemoteEngine(work)
    async with reached(far, meter) as found:
        assert [await ask(found), await ask(found)] == [None, None]
        assert found.status.state is not State.CLOSED
        assert not found.is_available
        sent = len(far.asked)
        assert await ask(found) is None
        assert len(far.asked) == sent
        await until(lambda: len(meter.states) >= 4)
        work.is_well = True
        await until(lambda: found.is_available)
        assert await ask(found) == "found"
    assert meter.states[:4] == ["open", "half_open", "open", "half_open"]
    assert meter.states[-2:] == ["half_open", "closed"]
    assert meter.worked_at == ["lost"] * 3 + ["cluster"]
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


async def test_a_cluster_that_is_slow_is_given_no_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster with a high overhead beyond the work itself gets no jobs while probes are slow."""
    monkeypatch.setattr(remote, "SLOW", 0.02)
    meter = Counts()

    async def dawdle(_seconds: float) -> Any:
        await asyncio.sleep(0.03)
        return "late"

    async with reached(FakeRemoteEngine(dawdle), meter) as found:
        for _ in range(remote.MAX_BAD):
            assert found.is_available
            assert await ask(found) == "late"
        assert await ask(found) is None
        await until(lambda: meter.states.count("open") > 2)
        assert not found.is_available


async def test_a_job_that_fails_by_itself_does_not_open_the_circuit() -> None:
    """A job that fails by itself does not open the circuit; it fails locally as well."""

    async def fail(_seconds: float) -> Any:
        raise JobFailed

    far, meter = FakeRemoteEngine(fail), Counts()
    async with reached(far, meter) as found:
        for _ in range(remote.WINDOW):
            assert await ask(found) is None
        assert found.is_available
    assert len(far.asked) == remote.WINDOW
    assert not meter.states


async def test_a_cluster_that_was_away_is_probed_as_soon_as_it_is_back() -> None:
    """A disconnected cluster is not probed, and is probed at once when it reconnects."""
    work, meter = RecoveringEngine(), Counts()
    far = FakeRemoteEngine(work)
    async with reached(far, meter, backoff=3600.0) as found:
        assert [await ask(found), await ask(found)] == [None, None]
        far.places, work.is_well = 0, True
        found.changed(0)
        await asyncio.sleep(0.02)
        assert meter.states == ["open"]
        far.places = 2
        found.changed(2)
        await until(lambda: found.is_available)
        assert await ask(found) == "found"


async def test_a_job_that_waits_too_long_for_a_place_may_leave(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A job that waits too long for a place is done locally as soon as a thread is idle."""
    monkeypatch.setattr(remote, "PATIENCE", 0.02)
    monkeypatch.setattr(remote, "RECHECK", 0.005)
    semaphore, release, can_leave = FairSemaphore(), asyncio.Event(), False
    semaphore.resize(1)
    (holder,), seen = await started(semaphore, [NO_ACCOUNT], release)

    async def wait() -> bool:
        async with semaphore.place(NO_ACCOUNT, lambda: can_leave) as has_place:
            return has_place

    waiter = asyncio.create_task(wait())
    (next_one,), _ = await started(semaphore, [NO_ACCOUNT], release)
    await asyncio.wait({waiter}, timeout=0.05)
    assert not waiter.done()
    can_leave = True
    assert await waiter is False
    assert not next_one.done()
    release.set()
    await asyncio.gather(holder, next_one)
    assert seen == [(None, True)]


async def test_only_as_many_jobs_leave_as_there_are_idle_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No more jobs leave the queue for a hanging cluster than there are idle local threads."""
    monkeypatch.setattr(remote, "PATIENCE", 0.02)
    monkeypatch.setattr(remote, "RECHECK", 0.005)
    goes_on, hangs, begun = threading.Event(), asyncio.Event(), 0

    async def hang(_seconds: float) -> Any:
        await hangs.wait()
        return "there"

    def work() -> str:
        nonlocal begun
        begun += 1
        goes_on.wait(20)
        return "here"

    async with reached(FakeRemoteEngine(hang), Counts()) as found:
        workers = Workers(2, remote=found)
        jobs = [asyncio.create_task(workers.do(Calling(work))) for _ in range(8)]
        await until(lambda: begun == 2)
        await asyncio.sleep(0.05)
        assert begun == 2
        hangs.set()
        await asyncio.wait(jobs, timeout=5, return_when=asyncio.FIRST_COMPLETED)
        goes_on.set()
        done = await asyncio.gather(*jobs)
        workers.close()
    assert done.count("there") >= 2
    assert done.count("here") >= 2
