"""Answers of the engine that many may want at once: each is worked out once, and kept a while."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

from engine.core.jobs import Job

A = TypeVar("A")


class SharedAnswers(Generic[A]):
    """Answers by their jobs, in memory only; one that failed is forgotten."""

    def __init__(self, kept: int) -> None:
        """Keep at most this many answers, those that are being worked out among them."""
        self._kept = kept
        self._known: dict[Job[A], asyncio.Task[A]] = {}

    async def of(self, job: Job[A], work: Callable[[], Coroutine[Any, Any, A]]) -> A:
        """The answer to a job, by `work` unless somebody has asked for it before.

        Whoever stops waiting does not take it from the others. Raises what `work` raises.
        """
        return await asyncio.shield(self._known.get(job) or self._begin(job, work()))

    def _begin(self, job: Job[A], work: Coroutine[Any, Any, A]) -> asyncio.Task[A]:
        """Work an answer out, and keep it with others; the oldest is forgotten."""
        task = asyncio.get_running_loop().create_task(work)
        self._known[job] = task
        if len(self._known) > self._kept:
            del self._known[next(iter(self._known))]

        def end(_: object) -> None:
            if (task.cancelled() or task.exception()) and self._known.get(job) is task:
                del self._known[job]

        task.add_done_callback(end)
        return task
