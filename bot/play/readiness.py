"""Whether the compiled engine can be used already: on a new machine it takes a while to prepare."""

from __future__ import annotations

from collections.abc import Sequence


class NotPrepared(Exception):
    """The process ends before the engine was ready; whoever waited for it can stop waiting."""


class Readiness:
    """What searches and judgements wait for; here nothing, as in tests and for the demo.

    Parts are those of `engine.core.registry.parts`.
    """

    def load(self) -> None:
        """Begin to load what is compiled: nothing more urgent is left to do."""

    def is_ready(self, parts: Sequence[str]) -> bool:
        """Whether these parts can be used now."""
        return True

    def is_complete(self) -> bool:
        """Whether all parts are known to be ready, so that nobody need ask about some of them."""
        return False

    def seconds_left(self, parts: Sequence[str]) -> int | None:
        """About how long these parts still take; None if they can be used in a moment or now."""
        return None

    async def of(self, parts: Sequence[str]) -> None:
        """Wait until these parts can be used; raises NotPrepared where they never will be."""

    def close(self) -> None:
        """Prepare nothing more, and let nobody wait any longer."""
