"""How old interactions are: Discord takes no answer to one that is older than three seconds."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from discord import Interaction
from discord.utils import snowflake_time

from bot.discord.interactions import ACKNOWLEDGEMENT
from bot.table.anchored_clock import AnchoredClock, steady
from bot.table.clocks import Clock

REMEMBERED = 200
"""Interactions from which the usual delay is known."""
DRIFT = 1e-4
"""The share of the time by which this machine's and Discord's clock may drift apart."""
BELIEVED, PAUSE = 30.0, 10.0
"""Seconds after which interactions that all seem old are not, and the longest pause between two of
them for which that holds."""
PROMPT = 1.0
"""Seconds later than usual up to which an interaction tells the present time."""
DOUBTED = 60.0
"""Seconds after a suspension in which nothing is taken for prompt without a reason."""


class Arrivals:
    """Knows when interactions arrived, and how much later than usual.

    Their ids say when they were made, by Discord's clock. That and this machine's may differ, so
    the delay of an interaction is compared with the shortest of the latest ones. It is measured
    with a clock that nobody sets.
    """

    def __init__(
        self, clock: Clock, *, is_measured: bool, steady: Callable[[], float] = steady
    ) -> None:
        """Measure delays with `steady`.

        Args:
            clock: The present time, which is believed where nothing better is known.
            is_measured: Without it, as on an offline Discord without a clock, nothing is late.
            steady: A clock that does not jump.
        """
        self._clock = clock
        self._steady = steady
        self._is_measured = is_measured
        self._delays: deque[float] = deque(maxlen=REMEMBERED)
        """Those of the latest interactions, less the drift up to then."""
        self._late_since: float | None = None
        self._late_at = 0.0
        self._doubted_until = 0.0

    def suspended(self) -> None:
        """Note that this process was suspended: what arrives next may have waited for it."""
        self._late_since = None
        self._doubted_until = self._steady() + DOUBTED

    def is_stale(self, interaction_id: int) -> bool:
        """Whether an interaction that arrives now is too old to be acknowledged."""
        return self._is_measured and self._lateness(interaction_id) > ACKNOWLEDGEMENT

    def note(self, interaction: Interaction[Any]) -> None:
        """Note that an interaction has arrived, and correct the present time by it."""
        late = max(0.0, self._lateness(interaction.id))
        if self._is_measured and late < PROMPT and isinstance(self._clock, AnchoredClock):
            self._clock.check(interaction.created_at.timestamp())
        interaction.extras["arrived"] = self._steady() - late

    def is_late(self, interaction: Interaction[Any]) -> bool:
        """Whether it is too late by now to acknowledge an interaction."""
        arrived: float = interaction.extras["arrived"]
        if interaction.response.is_done():
            return False
        return self._is_measured and self._steady() - arrived > ACKNOWLEDGEMENT

    def _lateness(self, interaction_id: int) -> float:
        """How much later than usual an interaction arrives that does so now."""
        now, made = self._steady(), snowflake_time(interaction_id).timestamp()
        delay = now - made
        drift = DRIFT * now
        if self._delays:
            usual = min(self._delays) + drift
        else:
            usual = delay
            if now < self._doubted_until and self._clock() - made > ACKNOWLEDGEMENT:
                return self._clock() - made
        if delay - usual <= ACKNOWLEDGEMENT:
            self._late_since = None
        elif self._late_since is None or now - self._late_at > PAUSE:
            self._late_since = now
        elif now - self._late_since > BELIEVED:
            self._delays.clear()
            usual, self._late_since = delay, None
        self._late_at = now
        self._delays.append(delay - drift)
        return delay - usual
