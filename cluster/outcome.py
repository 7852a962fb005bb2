"""The outcomes of jobs on a cluster. Importing this does not load Dask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Done(Generic[A]):
    """The result of a job."""

    found: A
    seconds: float
    """How long it ran by the worker's clock, without waiting and transport."""


class Lost(Exception):
    """The cluster did not do the job; the text says why. Another process can do it."""


class Overdue(Lost, TimeoutError):
    """The cluster did not do the job in time."""


class JobFailed(Exception):
    """The job itself raised an exception, as it would in any process; the cluster works."""


class AnotherEngine(Exception):
    """The worker has another engine than the one that the job is for."""


class TooLate(Exception):
    """The worker's time for the job was over, or the job was cancelled."""
