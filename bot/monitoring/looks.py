"""Looking at something that may take its time, without waiting for it for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

T = TypeVar("T")

WITHIN = 5.0
"""Seconds that somebody who asks waits for a look."""


class Looks(Generic[T]):
    """Looks at several things side by side, and at each thing only once at a time.

    A look is never cut short: a cancelled query would leave its connection to the database open.
    One that takes too long goes on, and the next one waits for it.
    """

    def __init__(self) -> None:
        """Look at nothing yet."""
        self._under_way: dict[str, asyncio.Task[T]] = {}

    async def at(self, name: str, look: Callable[[], Coroutine[Any, Any, T]]) -> T | None:
        """What a look at the thing with this name finds; None if that takes too long."""
        under_way = self._under_way.get(name)
        if under_way is None:
            under_way = asyncio.get_running_loop().create_task(look())
            self._under_way[name] = under_way
            under_way.add_done_callback(lambda _: self._under_way.pop(name, None))
        await asyncio.wait({under_way}, timeout=WITHIN)
        return under_way.result() if under_way.done() else None

    async def close(self) -> None:
        """Let the looks under way finish."""
        if self._under_way:
            await asyncio.wait(self._under_way.values())
