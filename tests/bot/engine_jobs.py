"""Jobs that do something else than the engine would, for tests of what happens around them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from engine.core.jobs import Job
from engine.core.limits import Stop
from engine.study.hints import GiveHint

RUN = Job.run
"""How jobs are really done."""

A = TypeVar("A")
Do = Callable[[Job[Any], Stop | None], Any]


def doing(do: Do, *tasks: type[Any]) -> Do:
    """Return a method that does jobs by calling `do`, to be set as `Job.run`.

    With `tasks`, only jobs with such a task; the others are really done.
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
        """Call the function, which takes no notice of `stop`."""
        return self._function()

    def parts(self) -> tuple[str, ...]:
        """Return nothing: it needs no compiled code."""
        return ()


class Slow:
    """An engine that does its jobs when it may, or when it is stopped."""

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
            while len(self.jobs) < times:  # noqa: ASYNC110  # a thread tells nobody
                await asyncio.sleep(0.005)
