"""What goes on by itself at a pace that people can follow: games to watch, replays."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Hashable

from bot.discord.regularly import Regularly

logger = logging.getLogger(__name__)


class Pace:
    """Takes one step of everything that is being shown, once a beat."""

    def __init__(self, seconds: float) -> None:
        """Beat every so many seconds once started."""
        self._shows: dict[Hashable, AsyncIterator[None]] = {}
        self._beats = Regularly(self._beat, seconds)

    @property
    def is_busy(self) -> bool:
        """Whether anything goes on."""
        return bool(self._shows)

    def start(self) -> None:
        """Begin to beat."""
        self._beats.start()

    async def stop(self) -> None:
        """Beat no more; returns when what was being done has ended."""
        await self._beats.stop()

    def begin(self, name: Hashable, steps: AsyncIterator[None]) -> None:
        """Go through `steps` from the next beat on; left out where one of that name goes on."""
        self._shows.setdefault(name, steps)

    async def _beat(self) -> None:
        await asyncio.gather(*(self._step(name) for name in tuple(self._shows)))

    async def _step(self, name: Hashable) -> None:
        try:
            await anext(self._shows[name])
        except StopAsyncIteration:
            del self._shows[name]
        except Exception:
            logger.exception("%s could not go on", name)
            del self._shows[name]
