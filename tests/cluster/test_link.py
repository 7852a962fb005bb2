"""Single jobs on a cluster of two worker processes, also when processes die."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import fields, is_dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from distributed import Client

import cluster.address
import cluster.link
from bot.settings import Settings
from bot.store.records import GameSetup, SeatRecord
from bot.telemetry import Meter
from bot.workers import remote
from bot.workers.pool import NO_ACCOUNT
from bot.workers.remote import MAX_BAD, Circuit, RemoteEngine, State
from cluster.address import Address, resource
from cluster.link import Link
from cluster.outcome import AnotherEngine, Done, JobFailed, Lost, Overdue
from cluster.worker import MAX_NODES, bounded, do, do_piece
from engine.core.jobs import Job, engine_digest
from engine.core.limits import Limit, Stop
from engine.core.registry import game_called
from engine.strength.judging import JudgeGame
from engine.strength.roster import ChooseMove
from engine.study.explaining import Explain
from engine.study.hints import GiveHint
from tests.bot.databases import address_of
from tests.bot.running import run_services
from tests.builders import until
from tests.cluster.local_cluster import PATIENCE, LocalCluster, running, stops_kept, wait_for

MIDDLE = ("4", "4", "3", "5", "2", "6")
QUICK = Job("connect4", "6x7", MIDDLE, ChooseMove("medium"), 5)
TIMEOUT = 5 * PATIENCE
"""Seconds that a search takes unless it is stopped: longer than any test waits."""
PROBE = 3.0
"""Seconds for a probe: enough for a worker of a busy machine."""
TRIES = 5
"""How often a lost job is sent again."""
ENDLESS = Job("connect4", "8x8", (), Explain("medium", TIMEOUT))
HINT = Job("connect4", "8x8", (), GiveHint(), 5)
"""A job that takes its two seconds."""


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scheduler of a busy machine may take long to respond."""
    monkeypatch.setattr(cluster.link, "TIMEOUT", 20.0)


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    """A cluster for all tests of this file; each test leaves it as it was."""
    with running(tmp_path_factory.mktemp("cluster"), 2) as started:
        yield started


@asynccontextmanager
async def linked(local: LocalCluster) -> AsyncIterator[Link]:
    """A link to the cluster, once both workers are connected."""
    link = Link(Address(local.url))
    link.start()
    try:
        await until(lambda: link.places == 2)
        yield link
    finally:
        await link.close()


@asynccontextmanager
async def connected(local: LocalCluster) -> AsyncIterator[Client]:
    """Dask's own client."""
    async with Client(local.url, asynchronous=True, set_as_default=False) as client:
        yield client


def without_duration(found: Any) -> Any:
    """The answer of a job, without its duration."""
    if is_dataclass(found):
        pairs = {field.name: getattr(found, field.name) for field in fields(found)}
        return {name: without_duration(one) for name, one in pairs.items() if name != "seconds"}
    return [without_duration(one) for one in found] if isinstance(found, tuple) else found


JOBS = [
    *(replace(QUICK, task=ChooseMove(name), seed=seed) for name in ("easy", "hard", "rung-3")
      for seed in (1, 2)),
    *(Job(family, variant, (), ChooseMove(name), 3)
      for family, variant, name in (("gato", "4x4", "window-2"), ("boom", "7x7", "medium"))),
    Job("connect4", "5x4", ("1", "2"), GiveHint(), 7),
    Job("connect4", "5x4", ("1", "2", "1", "2", "1", "2", "1"), JudgeGame()),
    Job("gato", "4x4", (), Explain("window-2")),
]  # fmt: skip


async def answered(link: Link, job: Job[Any]) -> Done[Any]:
    """The answer to a job, which is lost and sent again if the machine stalls for seconds."""
    for _ in range(TRIES):
        with suppress(Lost):
            return await link.answer(job, PATIENCE)
        await until(lambda: link.places == 2)
    return await link.answer(job, PATIENCE)


async def test_the_cluster_gives_the_same_answers(local: LocalCluster) -> None:
    """Moves, hints, judgements and explanations are the same as here for the same seed."""
    async with linked(local) as link:
        found = await asyncio.gather(*(answered(link, job) for job in JOBS))
    assert all(0 <= one.seconds < PATIENCE for one in found)
    assert [without_duration(one.found) for one in found] == [
        without_duration(job.run()) for job in JOBS
    ]


@pytest.mark.parametrize("turns", [0, 1, 20])
async def test_a_link_ends_while_it_disconnects(
    local: LocalCluster, monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    """A link can be closed at any moment after its scheduler has stopped to respond."""
    monkeypatch.setattr(cluster.link, "TIMEOUT", 2.0)
    async with linked(local) as link:
        local.signal_scheduler(signal.SIGSTOP)
        try:
            await until(lambda: link.places == 0)
            for _ in range(turns):
                await asyncio.sleep(0)
            async with asyncio.timeout(PATIENCE):
                await link.close()
        finally:
            local.signal_scheduler(signal.SIGCONT)


async def test_a_stopped_search_frees_its_worker(local: LocalCluster) -> None:
    """When a job is stopped, its caller returns at once, and the worker takes other jobs."""
    async with linked(local) as link, connected(local) as client:
        stop = Stop()
        searches = [asyncio.create_task(link.answer(ENDLESS, TIMEOUT, stop)) for _ in range(2)]
        await executing(client, 2)
        stop.set()
        for search in searches:
            with pytest.raises(Lost, match="stopped"):
                await search
        assert await link.answer(QUICK, PATIENCE)
        await none_kept(client)


async def test_a_job_carries_its_deadline(local: LocalCluster) -> None:
    """A job has a duration instead of a time, so clocks of bots and workers may differ."""
    async with linked(local) as link, connected(local) as client:
        with pytest.raises(Overdue):
            await link.answer(ENDLESS, 0.3)
        with pytest.raises(Exception, match="late"):
            await client.submit(do, ENDLESS, engine_digest(), 0.3, "late", key="late").result()
        await none_kept(client)


def test_a_job_carries_a_limit_in_nodes() -> None:
    """A job has its own limit of nodes, or one far beyond its work."""
    own = replace(QUICK, limit=Limit(nodes=500))
    judgement = replace(QUICK, task=JudgeGame())
    assert bounded(own) is own
    assert bounded(QUICK).limit == Limit(nodes=MAX_NODES)
    assert bounded(replace(HINT, limit=Limit(seconds=1.0))).limit == Limit(None, 1.0, MAX_NODES)
    assert bounded(judgement) is judgement


async def test_urgent_jobs_start_first(local: LocalCluster) -> None:
    """Of jobs that wait for a worker, the more urgent one is started first."""
    done = []

    async def ask(name: str, job: Job) -> None:
        await link.answer(job, PATIENCE)
        done.append(name)

    explain = Job("connect4", "8x8", (), Explain("medium", 1.0))
    async with linked(local) as link, connected(local) as client:
        searches = [asyncio.create_task(link.answer(ENDLESS, PATIENCE)) for _ in range(2)]
        await executing(client, 2)
        jobs = [asyncio.create_task(ask("explanation", explain)) for _ in range(4)]
        await known(client, 6)
        jobs.append(asyncio.create_task(ask("move", QUICK)))
        await known(client, 7)
        for search in searches:
            search.cancel()
        await asyncio.gather(*jobs)
        await none_kept(client)
    # The other worker may have finished an explanation meanwhile.
    assert done.index("move") <= 1


async def test_batch_work_holds_up_no_move(local: LocalCluster, tmp_path: Path) -> None:
    """A running piece of batch work lets moves run beside it."""
    file = tmp_path / "go-on"
    async with linked(local) as link, connected(local) as client:
        pieces = [
            client.submit(do_piece, wait_for, file, engine_digest(), pure=False, workers=[worker])
            for worker in (await client.scheduler.identity())["workers"]
        ]
        await executing(client, 2)
        await link.answer(QUICK, PATIENCE / 2)
        assert [piece.status for piece in pieces] == ["pending", "pending"]
        file.touch()
        await asyncio.gather(*(piece.result() for piece in pieces))


async def test_workers_of_another_engine_get_no_jobs(
    local: LocalCluster, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Workers of another engine get no jobs, and would refuse one."""
    async with linked(local), connected(local) as client:
        sent = client.submit(do, QUICK, "another", 5.0, "sent", key="sent")
        with pytest.raises(AnotherEngine):
            await sent.result()
        monkeypatch.setattr(cluster.address, "engine_digest", lambda: "another")
        link = Link(Address(local.url))
        link.start()
        await until(lambda: "none of its 2 workers has this engine" in caplog.text)
        with pytest.raises(Lost):
            await link.answer(QUICK, 5.0)
        await link.close()


async def test_a_failing_job_is_not_lost(local: LocalCluster) -> None:
    """A job that raises an exception fails with it instead of being lost."""
    async with linked(local) as link:
        with pytest.raises(JobFailed, match="KeyError"):
            await link.answer(replace(QUICK, family="checkers"), PATIENCE)


async def test_a_probe_goes_to_one_worker_after_the_other(local: LocalCluster) -> None:
    """Probes go to one worker after the other, so that a stuck one is found."""
    async with linked(local) as link, connected(local) as client:
        process = next(iter((await client.run(os.getpid)).values()))
        os.kill(process, signal.SIGSTOP)
        found = []
        try:
            for _ in range(4):
                try:
                    await link.probe(PROBE)
                    found.append("well")
                except Lost:
                    found.append("lost")
        finally:
            os.kill(process, signal.SIGCONT)
        assert sorted(found[:2]) == ["lost", "well"]
        assert found[2:] == found[:2]
        await none_kept(client)


async def test_suspended_workers_get_no_jobs_until_they_continue(
    local: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While workers are suspended, jobs are done here; once they continue, on the cluster again."""
    monkeypatch.setattr(remote, "SECONDS", 3.0)
    monkeypatch.setattr(remote, "PROBE_SECONDS", 3.0)
    meter = Counts()
    async with linked(local) as link:
        found = RemoteEngine(link, meter=meter, circuit=Circuit(backoff=0.1))
        found.changed(link.places)
        ask = partial(found.answer, QUICK, claim=NO_ACCOUNT, begin=lambda: None)
        assert await ask()
        local.signal_workers(signal.SIGSTOP)
        try:
            assert [await ask() for _ in range(MAX_BAD)] == [None] * MAX_BAD
            assert meter.worked_at == ["cluster"] + ["lost"] * MAX_BAD
            assert await ask() is None
            assert meter.worked_at == ["cluster"] + ["lost"] * MAX_BAD
            await until(lambda: found.status.state is State.HALF_OPEN)
        finally:
            local.signal_workers(signal.SIGCONT)
        await until(lambda: found.is_available)
        assert await ask()
        await found.close()
    async with connected(local) as client:
        await none_kept(client)


async def test_a_worker_that_dies_is_replaced_in_mid_search(local: LocalCluster) -> None:
    """If a worker dies, another one does its job."""
    async with linked(local) as link, connected(local) as client:
        hint = replace(HINT, limit=Limit(seconds=1.5))
        search = asyncio.create_task(link.answer(hint, PATIENCE))
        worker = await executing(client, 1)
        process = (await client.run(os.getpid, workers=worker))[worker[0]]
        os.kill(process, signal.SIGKILL)
        assert (await search).found.depth > 0
        await until(lambda: link.places == 1)


class Counts(Meter):
    """A metrics sink that counts where jobs were done."""

    def __init__(self) -> None:
        self.worked_at: list[str] = []

    def worked(self, where: str) -> None:
        """Count a job."""
        self.worked_at.append(where)


async def test_a_scheduler_that_dies_delays_a_move_and_no_more(
    local: LocalCluster, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Without a scheduler the bot searches itself, logs that once, and reconnects later."""
    caplog.set_level(logging.INFO, "cluster.link")
    url = address_of(tmp_path / "games.db")
    settings = replace(Settings(), database_url=url, workers=1, cluster=local.url)
    meter = Counts()
    async with (
        run_services(settings, Random(7), meter=meter) as services,
        connected(local) as client,
    ):
        play = partial(reply, services)
        await until(lambda: caplog.text.count("takes jobs, ") == 1)
        assert await play(1, "medium") == 1
        assert meter.worked_at == ["cluster"]
        search = asyncio.create_task(play(2, "perfect"))
        await executing(client, 1)
        local.kill_scheduler()
        assert await search == 1
        assert meter.worked_at[1:] == ["lost", "local"]
        assert await play(3, "medium") == 1
        assert meter.worked_at[3:] == ["local"]
        local.start(workers=1)
        await until(lambda: caplog.text.count("takes jobs, ") == 2)
        assert await play(4, "medium") == 1
        assert meter.worked_at[4:] == ["cluster"]
        assert caplog.text.count("they are done here") == 1


async def reply(services: Any, channel: int, agent: str) -> int:
    """Let an agent begin a game on 8x8; returns the number of its moves."""
    seats = SeatRecord(None, agent), SeatRecord(channel, None)
    game = game_called("8x8")
    await services.sessions.start(
        GameSetup(game.key, game.variant, channel, None, "en", *seats, channel)
    )
    session = await services.sessions.reply(channel)
    return 0 if session is None else len(session.moves)


async def executing(client: Client, number: int) -> list[str]:
    """Wait until `number` workers work; returns their addresses."""
    async with asyncio.timeout(PATIENCE):
        while True:
            workers = await client.processing()
            busy = [worker for worker, keys in workers.items() if keys]
            if len(busy) >= number:
                return busy
            await asyncio.sleep(0.02)


async def known(client: Client, number: int) -> None:
    """Wait until the scheduler knows `number` jobs."""

    def count(dask_scheduler: Any) -> int:
        return len(dask_scheduler.tasks)

    async with asyncio.timeout(PATIENCE):
        while await client.run_on_scheduler(count) < number:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def none_kept(client: Client) -> None:
    """Wait until no worker has a stop flag."""
    async with asyncio.timeout(PATIENCE):
        while any((await client.run(stops_kept)).values()):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def test_the_resource_names_the_engine() -> None:
    """The resource is named after the engine's digest, so that versions never share it."""
    assert resource().endswith(engine_digest())
