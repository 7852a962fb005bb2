"""Games shown at a pace that people can follow."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Hashable
from dataclasses import dataclass, field

logger = logging.getLogger(__name__)

A_WHILE = 5.0
"""Seconds after which the next steps of all else are taken without those that are not done yet."""


@dataclass(frozen=True, slots=True)
class _Played:
    steps: AsyncIterator[None]
    stepping: asyncio.Lock = field(default_factory=asyncio.Lock)


class Playback:
    """Everything being played back; each tick advances all of it by one step."""

    def __init__(self) -> None:
        self._running: dict[Hashable, _Played] = {}
        self._steps: set[asyncio.Task[None]] = set()

    @property
    def is_busy(self) -> bool:
        """Whether anything is being played back."""
        return bool(self._running)

    def has(self, name: Hashable) -> bool:
        """Whether something is being played back."""
        return name in self._running

    def begin(self, name: Hashable, steps: AsyncIterator[None]) -> None:
        """Take `steps` from the next tick on; ignored if that name is already being played."""
        self._running.setdefault(name, _Played(steps))

    async def end(self, name: Hashable) -> None:
        """Take no more steps of something; returns once a step under way has been taken."""
        played = self._running.pop(name, None)
        if played is not None:
            async with played.stepping:
                pass

    async def advance(self) -> None:
        """Take one step of everything, but of what is still taking its last one.

        Returns when all are taken, or after a while: one that hangs keeps no other waiting.
        """
        loop = asyncio.get_running_loop()
        for name, played in tuple(self._running.items()):
            if not played.stepping.locked():
                step = loop.create_task(self._step(name, played))
                self._steps.add(step)
                step.add_done_callback(self._steps.discard)
        if self._steps:
            await asyncio.wait(tuple(self._steps), timeout=A_WHILE)

    async def _step(self, name: Hashable, played: _Played) -> None:
        async with played.stepping:
            if self._running.get(name) is not played:
                return
            try:
                await anext(played.steps)
                return
            except StopAsyncIteration:
                pass
            except Exception:
                logger.exception("the playback of %s failed", name)
            self._running.pop(name, None)
