"""Games shown at a pace that people can follow: watched games and replays."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Hashable
from dataclasses import dataclass, field

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Played:
    steps: AsyncIterator[None]
    stepping: asyncio.Lock = field(default_factory=asyncio.Lock)


class Playback:
    """Everything being played back; each tick advances all of it by one step."""

    def __init__(self) -> None:
        self._running: dict[Hashable, _Played] = {}

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
        """Take one step of everything."""
        await asyncio.gather(*(self._step(*item) for item in tuple(self._running.items())))

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
