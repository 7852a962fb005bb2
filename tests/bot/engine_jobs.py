"""Other ways to do the engine's jobs, for tests of what happens around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.core.jobs import Job
from engine.core.limits import Stop

RUN = Job.run
"""How jobs are really done."""

Do = Callable[[Job[Any], Stop | None], Any]


def doing(do: Do) -> Do:
    """Return a method that does jobs by calling `do`, to be set as `Job.run`."""

    def run(job: Job[Any], stop: Stop | None = None) -> Any:
        return do(job, stop)

    return run
