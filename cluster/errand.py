"""What a worker does with a job. It runs there, in a thread of the worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import TypeVar

from cluster.outcome import Done, JobFailed
from cluster.worker import STOPS, stand_back
from engine.core.jobs import Job, engine_digest
from engine.core.limits import Limit, time_limit
from engine.strength.roster import ChooseMove

P = TypeVar("P")

R = TypeVar("R")

A = TypeVar("A")

MOST_NODES = 1_000_000_000
"""What a search may visit at most where its job says nothing: minutes of work, which nothing that
is well ever takes."""

BATCH = -10
"""The priority of batch work, below that of every task: Dask does what has a higher one first."""

PROBE = Job("connect4", "5x4", (), ChooseMove("easy"))
"""A job that takes a millisecond, to find out whether a worker answers."""


class AnotherEngine(Exception):
    """The worker's engine is not the one that the work is for."""


class TooLate(Exception):
    """The time for the job was over, or nobody wants the answer any more."""


def do(job: Job[A], digest: str, seconds: float, key: str) -> Done[A]:
    """Do a job within `seconds` from now, unless its key is cancelled.

    The time is a span because clocks differ between machines. Raises AnotherEngine, TooLate, and
    JobFailed for whatever `Job.run` raises.
    """
    refuse_others(digest)
    stop, began = STOPS.of(key), monotonic()
    try:
        with time_limit(stop.set, seconds):
            found = bounded(job).run(stop)
    except Exception as error:
        if stop.is_set:
            raise TooLate(key) from error
        raise JobFailed(f"{type(error).__name__}: {error}") from error
    finally:
        STOPS.forget(key)
    if stop.is_set:
        raise TooLate(key)
    return Done(found, monotonic() - began)


def do_piece(work: Callable[[P], R], piece: P, digest: str) -> R:
    """Do a piece of batch work, beside whatever comes meanwhile; raises AnotherEngine."""
    refuse_others(digest)
    stand_back()
    return work(piece)


def bounded(job: Job[A]) -> Job[A]:
    """The job with a limit in nodes, if it is one that takes limits."""
    if not job.task.takes_limit or (job.limit is not None and job.limit.nodes is not None):
        return job
    return replace(job, limit=replace(job.limit or Limit(), nodes=MOST_NODES))


def refuse_others(digest: str) -> None:
    """Raise AnotherEngine unless this engine has the digest."""
    if digest != engine_digest():
        raise AnotherEngine(f"this worker has the engine {engine_digest()}, not {digest}")
