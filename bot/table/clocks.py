"""Time controls: how long a person has, until when, and when they are warned.

A control gives so many seconds for each move or for all of one's moves in a game together. The
time for a move runs from the last thing that happened in the game. Agents have no clock: their
searches have limits of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bot.store import TimeControl

Clock = Callable[[], float]
"""Says the present time: seconds since 1970, UTC."""

PER_MOVE, PER_GAME = "move", "game"
OFFERED = ("30s", "5m", "1h", "1d", "7d")
"""The controls that are offered for a new game, each for one move, as players write them."""
SHORTEST, LONGEST = 10.0, 30 * 86_400.0
"""Seconds; no control is shorter or longer."""
WARNING = 0.25
"""Whoever has no more than this share of their time left is warned."""

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}


class NotATimeControl(ValueError):
    """A text that names no time control, or one that is too short or too long."""


@dataclass(frozen=True, slots=True)
class Countdown:
    """The time that one person has for the move they are to make."""

    began: float
    deadline: float

    @property
    def warning(self) -> float:
        """When they are warned."""
        return self.deadline - WARNING * (self.deadline - self.began)


def countdown(control: TimeControl, began: float, used: float) -> Countdown:
    """The time for a move.

    Args:
        control: The game's time control.
        began: When the last thing happened in the game.
        used: Seconds that the person has used for their moves in this game so far.
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


def written(control: TimeControl) -> str:
    """A control's time as players write it, in the largest unit that gives a whole number."""
    for unit, size in reversed(_UNITS.items()):
        if control.seconds >= size and control.seconds % size == 0:
            return f"{control.seconds / size:.0f}{unit}"
    return f"{control.seconds:.0f}s"
