"""What became of a job that a cluster was given. Importing this does not load Dask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Done(Generic[A]):
    """A job that was done."""

    found: A
    seconds: float
    """How long it ran, by the worker's clock; waiting and the way there and back are not in it."""


class Lost(Exception):
    """The cluster has not done a job; the text says why. Another process can do it."""


class Overdue(Lost, TimeoutError):
    """The cluster has not done a job in time."""


class JobFailed(Exception):
    """The job itself raised an exception, as it would in any process; the cluster is well."""
