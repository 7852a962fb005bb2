"""Time controls, and the bot's clock, which does not jump when the machine's clock is set.

A control gives a number of seconds for each move, or for all of a side's moves in a game. The clock
for a move starts with the latest event of the game. Agents have no clock: their searches have
limits of their own.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from bot.store.records import TimeControl

Clock = Callable[[], float]
"""Returns the current time: seconds since 1970, UTC."""

PER_MOVE, PER_GAME = "move", "game"

OFFERED = ("30s", "5m", "1h", "1d", "7d")
"""The controls suggested for a new game, as players write them; each is per move."""

SHORTEST, LONGEST = 10.0, 30 * 86_400.0
"""The shortest and the longest control, in seconds."""

WARNING = 0.25
"""The share of their time that a person has left when they are warned."""

BOARD_SHARE, BOARD_MOST = 0.02, 300.0
"""The share of a countdown, and the most seconds, that a board's countdown may be short of it: for
less time that is given back, no board is edited."""

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}


class NotATimeControl(ValueError):
    """A text that is no time control, or one that is too short or too long."""


@dataclass(frozen=True, slots=True)
class Countdown:
    """The time that a person has for the move they are about to make."""

    began: float
    deadline: float

    @property
    def warning(self) -> float:
        """When the person is warned."""
        return self.deadline - WARNING * (self.deadline - self.began)

    def on_board(self, paused: float) -> float:
        """The deadline shown on the board, of which `paused` seconds have been given back.

        These count in steps that people notice, so that short absences do not change a board. It is
        never later than the deadline itself.
        """
        step = min(BOARD_MOST, BOARD_SHARE * (self.deadline - self.began))
        return self.deadline - (paused % step if step else 0.0)


def countdown(control: TimeControl, began: float, used: float) -> Countdown:
    """The time for a move.

    Args:
        control: The game's time control.
        began: When the latest event of the game happened.
        used: Seconds that the side to move has spent on its moves so far.
    """
    left = control.seconds - (used if control.per == PER_GAME else 0.0)
    return Countdown(began, began + max(0.0, left))


def parse_control(text: str) -> TimeControl:
    """Read a control for each move, such as `30s`, `5m`, `1h` or `7d`; raises NotATimeControl."""
    found = re.fullmatch(r"([0-9]{1,7})\s*([smhd])", text.strip().lower())
    if found is None:
        raise NotATimeControl(text)
    seconds = int(found[1]) * _UNITS[found[2]]
    if not SHORTEST <= seconds <= LONGEST:
        raise NotATimeControl(text)
    return TimeControl(seconds, PER_MOVE)


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
