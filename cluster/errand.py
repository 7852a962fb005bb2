"""The names under which jobs travel between bots and workers of this version and the last one.

Functions and exceptions are pickled by module and name. The last version has these here and not in
`cluster.worker`, and during a rolling restart bots and workers of both versions share a scheduler.
The next version deletes this module, sends the functions of `cluster.worker`, and raises `PROTOCOL`
(cluster/address.py), so that its bots and workers exchange no jobs with those of this version.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from cluster import worker
from cluster.outcome import AnotherEngine, Done, TooLate
from engine.core.jobs import Job

P = TypeVar("P")
R = TypeVar("R")
A = TypeVar("A")

AnotherEngine.__module__ = TooLate.__module__ = __name__


def do(job: Job[A], digest: str, seconds: float, key: str) -> Done[A]:
    """Do what `cluster.worker.do` does."""
    return worker.do(job, digest, seconds, key)


def do_piece(work: Callable[[P], R], piece: P, digest: str) -> R:
    """Do what `cluster.worker.do_piece` does."""
    return worker.do_piece(work, piece, digest)
