"""Waiting for the engine on the offline Discord, without holding up the page."""

from __future__ import annotations

from collections.abc import Sequence

import simcord

from bot.play.readiness import Readiness


class OfflineReadiness(Readiness):
    """Hands everything on, and lets the page go on meanwhile.

    The offline Discord calls an action done once the bot has nothing left to do. A move that waits
    for the engine would keep the page from showing anything, so that wait is declared as one.
    """

    def __init__(self, inner: Readiness) -> None:
        """Ask `inner`; `env` is set once there is an offline Discord."""
        self._inner = inner
        self.env: simcord.Env | None = None
        self.went_on = False
        """Whether somebody has stopped waiting since this was last set to False."""

    def load(self) -> None:
        """Begin to load what is compiled."""
        self._inner.load()

    def is_ready(self, parts: Sequence[str]) -> bool:
        """Whether these parts can be used now."""
        return self._inner.is_ready(parts)

    def seconds_left(self, parts: Sequence[str]) -> int | None:
        """About how long these parts still take; None if they can be used in a moment or now."""
        return self._inner.seconds_left(parts)

    async def of(self, parts: Sequence[str]) -> None:
        """Wait until these parts can be used; raises NotPrepared where they never will be."""
        if self._inner.is_ready(parts):
            return
        try:
            await self._wait(parts)
        finally:
            self.went_on = True

    async def _wait(self, parts: Sequence[str]) -> None:
        if self.env is not None:
            try:
                await self.env.external_wait(self._inner.of(parts), reason="the engine")
            except simcord.SetupError:
                # Nothing that the page waits for asks: then there is nothing to declare.
                pass
            else:
                return
        await self._inner.of(parts)

    def close(self) -> None:
        """Prepare nothing more, and let nobody wait any longer."""
        self._inner.close()
