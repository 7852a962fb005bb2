"""Other ways to do the engine's jobs, for tests of what happens around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.core.jobs import Job
from engine.core.limits import Stop

RUN = Job.run
"""How jobs are really done."""

Do = Callable[[Job[Any], Stop | None], Any]


def doing(do: Do, *tasks: type[Any]) -> Do:
    """Return a method that does jobs by calling `do`, to be set as `Job.run`.

    With `tasks`, only jobs with such a task; the others are really done.
    """

    def run(job: Job[Any], stop: Stop | None = None) -> Any:
        return do(job, stop) if not tasks or isinstance(job.task, tasks) else RUN(job, stop)

    return run
