"""Games shown at a pace that people can follow: watched games and replays."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Hashable

logger = logging.getLogger(__name__)


class Playback:
    """Everything being played back; each tick advances all of it by one step."""

    def __init__(self) -> None:
        self._running: dict[Hashable, AsyncIterator[None]] = {}

    @property
    def is_busy(self) -> bool:
        """Whether anything is being played back."""
        return bool(self._running)

    def begin(self, name: Hashable, steps: AsyncIterator[None]) -> None:
        """Take `steps` from the next tick on; ignored if that name is already being played."""
        self._running.setdefault(name, steps)

    async def advance(self) -> None:
        """Take one step of everything."""
        await asyncio.gather(*(self._step(name) for name in tuple(self._running)))

    async def _step(self, name: Hashable) -> None:
        try:
            await anext(self._running[name])
        except StopAsyncIteration:
            del self._running[name]
        except Exception:
            logger.exception("the playback of %s failed", name)
            del self._running[name]
