"""How old interactions are: Discord takes no answer to one that is older than three seconds."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

from discord import Interaction

from bot.discord.interactions import ACKNOWLEDGEMENT

REMEMBERED = 200
"""Interactions from which the usual delay is known."""
BELIEVED = 30.0
"""Seconds after which interactions that all seem old are not: this machine's clock was set."""


class Arrivals:
    """Knows when interactions arrived, and how much later than usual.

    Their ids say when they were made, by Discord's clock. That and this machine's may differ, so
    the delay of an interaction is compared with the shortest of the latest ones.
    """

    def __init__(self, *, is_measured: bool) -> None:
        """Without `is_measured`, as on an offline Discord without a clock, nothing is late."""
        self._is_measured = is_measured
        self._delays: deque[float] = deque(maxlen=REMEMBERED)
        self._late_since: float | None = None

    def note(self, interaction: Interaction[Any]) -> None:
        """Note that an interaction has just arrived."""
        now, delay = time.monotonic(), time.time() - interaction.created_at.timestamp()
        usual = min(self._delays, default=delay)
        if delay - usual <= ACKNOWLEDGEMENT:
            self._late_since = None
        elif self._late_since is None:
            self._late_since = now
        elif now - self._late_since > BELIEVED:
            self._delays.clear()
            usual, self._late_since = delay, None
        self._delays.append(delay)
        interaction.extras["arrived"] = now - max(0.0, delay - usual)

    def is_late(self, interaction: Interaction[Any]) -> bool:
        """Whether it is too late by now to acknowledge an interaction."""
        arrived: float = interaction.extras["arrived"]
        if interaction.response.is_done():
            return False
        return self._is_measured and time.monotonic() - arrived > ACKNOWLEDGEMENT
