"""Jobs that replace the engine's work, for tests of the code around them."""

from __future__ import annotations

import asyncio
import pickle
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from cluster.outcome import Done
from engine.core.jobs import Job
from engine.core.limits import Stop
from engine.study.hints import GiveHint

RUN = Job.run
"""The original method that runs jobs."""

A = TypeVar("A")
Do = Callable[[Job[Any], Stop | None], Any]


def doing(do: Do, *tasks: type[Any]) -> Do:
    """A method that calls `do` for each job, to be set as `Job.run`.

    With `tasks` that concerns only jobs with such a task; others run as usual.
    """

    def run(job: Job[Any], stop: Stop | None = None) -> Any:
        return do(job, stop) if not tasks or isinstance(job.task, tasks) else RUN(job, stop)

    return run


class Calling(Job[A]):
    """A job that calls a function, even while `Job.run` is replaced."""

    _function: Callable[[], A]

    def __init__(self, function: Callable[[], A]) -> None:
        super().__init__("connect4", "6x7", (), GiveHint())  # type: ignore[arg-type]
        object.__setattr__(self, "_function", function)

    def run(self, stop: Stop | None = None) -> A:
        """Call the function, ignoring `stop`."""
        return self._function()

    def parts(self) -> tuple[str, ...]:
        """Return nothing, because no compiled code is needed."""
        return ()


class InAnotherProcess:
    """An engine in another process: jobs and answers are sent as bytes."""

    places = 1

    def __init__(self) -> None:
        self.done = list[Job]()

    async def answer(self, job: Job, seconds: float, stop: Any = None) -> Done[Any]:
        """Run a job."""
        sent = pickle.loads(pickle.dumps(job))  # noqa: S301  # its own bytes
        self.done.append(sent)
        return Done(pickle.loads(pickle.dumps(sent.run())), 0.0)  # noqa: S301

    async def probe(self, seconds: float) -> None:
        """Answer the health check."""


class Slow:
    """An engine whose jobs wait until the test releases or stops them."""

    def __init__(self) -> None:
        self.jobs: list[Job[Any]] = []
        self.stops: list[Stop] = []
        self.may = threading.Event()

    def __call__(self, job: Job[Any], stop: Stop | None = None) -> Any:
        """Wait, then do a job."""
        assert stop is not None
        self.jobs.append(job)
        self.stops.append(stop)
        while not self.may.wait(0.005) and not stop.is_set:
            pass
        return RUN(job, stop)

    async def asked(self, times: int) -> None:
        """Wait until this many jobs have begun."""
        async with asyncio.timeout(60):
            while len(self.jobs) < times:  # noqa: ASYNC110  # there is no event
                await asyncio.sleep(0.005)
