"""Threads for what must not hold up the event loop: searches and pictures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Workers:
    """Bounded thread pools: as many searches as there are cores, and one thread for pictures.

    Pictures take a few milliseconds and have a thread of their own, so that a drawing never waits
    behind searches that take all cores for a second. Both kinds of work let go of Python's lock
    for most of their time.
    """

    def __init__(self, searches: int) -> None:
        self._searches = ThreadPoolExecutor(searches, thread_name_prefix="search")
        self._pictures = ThreadPoolExecutor(1, thread_name_prefix="picture")

    async def search(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work` in a search thread."""
        return await self._run(self._searches, partial(work, *args, **kwargs))

    async def draw(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work` in the picture thread."""
        return await self._run(self._pictures, partial(work, *args, **kwargs))

    @staticmethod
    async def _run(pool: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(pool, work)

    def close(self) -> None:
        """Let running work end and start no more."""
        self._searches.shutdown(wait=True, cancel_futures=True)
        self._pictures.shutdown(wait=True, cancel_futures=True)
