"""Jobs for the engine that the cluster cannot do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from bot.workers.pool import Claim, Kind
from bot.workers.remote import RemoteEngine
from bot.workers.workers import NotPrepared, Readiness, Workers
from cluster.address import Address
from cluster.link import Link
from engine.core.jobs import Job, Task
from engine.strength.judging import JudgeGame
from engine.study.hints import GiveHint

DISCONNECTED = Link(Address("tcp://127.0.0.1:1"))
"""A cluster that is not connected."""


class Ending(Readiness):
    """The process ends before the local engine is ready."""

    async def wait_for(self, parts: Sequence[str]) -> None:
        """Raise the error of a closing process."""
        raise NotPrepared


@pytest.fixture
def workers() -> Iterator[Workers]:
    """Workers whose cluster is not connected."""
    workers = Workers(1, Ending(), RemoteEngine(DISCONNECTED))
    yield workers
    workers.close()


@pytest.mark.parametrize(("task", "kind"), [(GiveHint(), Kind.HINT), (JudgeGame(), Kind.JUDGEMENT)])
async def test_local_work_waits_for_the_engine(
    workers: Workers, task: Task[Any], kind: Kind
) -> None:
    """Local work of any kind is not begun before the kernels are compiled."""
    job = Job("gato", "4x4", ("a1",), task)
    with pytest.raises(NotPrepared):
        await workers.do(job, Claim(kind), 20.0)
