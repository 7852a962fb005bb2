"""The present time from a clock that does not jump when somebody sets the machine's clock."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

logger = logging.getLogger(__name__)

STEP = 5.0
"""Seconds by which the machine's clock must differ for that to be a jump rather than drift."""
SLEW = 0.01
"""The share of the time that passes by which drift is made up for."""
AGREEMENT = 3.0
"""Seconds by which two clocks that agree may differ: the reference may be that late."""


def steady() -> float:
    """Seconds since some moment; they pass evenly, also while the machine sleeps if it can tell."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class AnchoredClock:
    """The machine's time when it was anchored, and as much more as has passed since.

    It follows the machine's clock where that drifts, by a little at a time and never backwards. A
    jump of the machine's clock is not followed unless another clock confirms it (`check`).
    """

    def __init__(
        self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = steady
    ) -> None:
        """Begin with the present time of `wall`, and measure time with `steady`."""
        self._wall = wall
        self._steady = steady
        self._has_jumped = False
        self._present, self._at = wall(), steady()

    def __call__(self) -> float:
        """The present time: seconds since 1970, UTC."""
        at = self._steady()
        passed = max(0.0, at - self._at)
        apart = self._wall() - (self._present + passed)
        self._note_jump(apart)
        most = SLEW * passed
        drift = 0.0 if self._has_jumped else min(most, max(-most, apart))
        self._present, self._at = self._present + passed + drift, at
        return self._present

    def anchor(self, present: float) -> None:
        """Go on from this time, which is known to be right."""
        self._present, self._at = present, self._steady()

    def check(self, reference: float) -> bool:
        """Compare with another clock, which may be a little late; returns whether that changed it.

        Where the other clock agrees with the machine's and not with this one, the machine's is
        right, and this one goes on from there.
        """
        present, wall = self(), self._wall()
        is_wrong = abs(present - reference) > AGREEMENT and abs(wall - present) > STEP
        if not is_wrong or abs(wall - reference) > AGREEMENT:
            return False
        logger.warning("the time was wrong by %.0f s and is right now", present - wall)
        self.anchor(wall)
        self._has_jumped = False
        return True

    def _note_jump(self, apart: float) -> None:
        if self._has_jumped == (abs(apart) > STEP):
            return
        self._has_jumped = not self._has_jumped
        if self._has_jumped:
            logger.warning(
                "this machine's clock has jumped by %.0f s, which is not followed until another "
                "clock confirms it", apart,
            )  # fmt: skip
        else:
            logger.warning("this machine's clock is back where it was")
