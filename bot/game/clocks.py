"""Time controls, and the bot's clock, which does not follow jumps of the machine's clock.

A time control limits each move, or all of a side's moves in a game. The clock for a move starts at
the latest event of the game. Agents have no clock: their searches have separate limits.
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
"""The time controls suggested for a new game, in the players' notation; all are per move."""

SHORTEST, LONGEST = 10.0, 30 * 86_400.0
"""The shortest and the longest control, in seconds."""

WARNING = 0.25
"""The share of the time that is left when a person is warned."""

SILENCE = 120.0
"""Seconds without a move after which a person is pinged in a game against another person."""

SHORTEST_PINGED = 180.0
"""The shortest time control in seconds with which people are pinged before they are warned."""

BOARD_SHARE, BOARD_MAX = 0.02, 300.0
"""The share of a countdown, and the most seconds, by which the board's countdown may be too short:
smaller refunds do not cause an edit of the board."""

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}


class NotATimeControl(ValueError):
    """The text is not a time control, or the time is too short or too long."""


@dataclass(frozen=True, slots=True)
class Countdown:
    """The time that a person has for their next move."""

    began: float
    deadline: float

    @property
    def warning(self) -> float:
        """The time at which the person is warned."""
        return self.deadline - WARNING * (self.deadline - self.began)

    def on_board(self, paused: float) -> float:
        """The deadline shown on the board, given that `paused` seconds were refunded.

        Refunds are rounded down to noticeable steps, so that short absences change no board.
        The result is never later than the deadline itself.
        """
        step = min(BOARD_MAX, BOARD_SHARE * (self.deadline - self.began))
        return self.deadline - (paused % step if step else 0.0)


def countdown(control: TimeControl, began: float, used: float) -> Countdown:
    """The countdown for a move.

    Args:
        control: The game's time control.
        began: The time of the latest event of the game.
        used: Seconds that the side to move has spent on its earlier moves.
    """
    left = control.seconds - (used if control.per == PER_GAME else 0.0)
    return Countdown(began, began + max(0.0, left))


def parse_control(text: str) -> TimeControl:
    """Parse a time control per move, such as `30s`, `5m`, `1h` or `7d`; raises NotATimeControl."""
    found = re.fullmatch(r"([0-9]{1,7})\s*([smhd])", text.strip().lower())
    if found is None:
        raise NotATimeControl(text)
    seconds = int(found[1]) * _UNITS[found[2]]
    if not SHORTEST <= seconds <= LONGEST:
        raise NotATimeControl(text)
    return TimeControl(seconds, PER_MOVE)


logger = logging.getLogger(__name__)

JUMP = 5.0
"""Seconds from which a difference of the machine's clock counts as a jump, not as drift."""

SLEW = 0.01
"""The correction of drift per second that passes."""

AGREEMENT = 3.0
"""Seconds by which two clocks that agree may differ, because the reference may be delayed."""


def steady() -> float:
    """A monotonic time in seconds that includes time in which the machine sleeps, if supported."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class AnchoredClock:
    """A clock that adds monotonic time to the machine's time at an anchor.

    It follows drift of the machine's clock gradually and never goes backwards. It follows a jump of
    the machine's clock only if another clock confirms it (`check`).
    """

    def __init__(
        self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = steady
    ) -> None:
        """Anchor the clock at the present time of `wall`, and measure time with `steady`."""
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
        """Set the clock to a time that is known to be right."""
        self._present, self._at = present, self._steady()

    def check(self, reference: float) -> bool:
        """Compare with another clock, which may be slightly late; returns whether this one changed.

        If the other clock agrees with the machine's clock and not with this one, the machine's
        clock is right, and this one is set to it.
        """
        present, wall = self(), self._wall()
        is_wrong = abs(present - reference) > AGREEMENT and abs(wall - present) > JUMP
        if not is_wrong or abs(wall - reference) > AGREEMENT:
            return False
        logger.warning("the time was wrong by %.0f s and is right now", present - wall)
        self.anchor(wall)
        self._has_jumped = False
        return True

    def _note_jump(self, apart: float) -> None:
        if self._has_jumped == (abs(apart) > JUMP):
            return
        self._has_jumped = not self._has_jumped
        if self._has_jumped:
            logger.warning(
                "this machine's clock has jumped by %.0f s, which is not followed until another "
                "clock confirms it", apart,
            )  # fmt: skip
        else:
            logger.warning("this machine's clock is back where it was")
