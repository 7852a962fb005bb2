"""How a game's board comes to be due: a number for how the game stands, written with each change.

The number grows with every change: undos count most, as do votes and whatever else happens beside
the moves, then moves, then the end and its rating. So whatever has been shown is older than what is
stored exactly if its number is smaller.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, and_, case

from bot.store.models import GameRow

GRACE = 3.0
"""Seconds that whoever changes a game has to show it before it is shown without them."""
NOTHING = -1
"""Stands for a message that shows nothing yet."""
OVER, RATED = 1, 2
COUNTDOWN = 2
"""What a message of a running game that shows all but its present countdown is short of the game's
number. No state of a running game is so close to another one."""
PER_MOVE = 4
PER_UNDO = 1000 * PER_MOVE
"""No game has a thousand moves."""


def state_number(moves: int, undos: int, *, is_over: bool, is_rated: bool, asides: int = 0) -> int:
    """How a game stands, as a number that grows with every change."""
    return PER_UNDO * (undos + asides) + PER_MOVE * moves + OVER * is_over + RATED * is_rated


def moved(number: ColumnElement[int], at: ColumnElement[float]) -> dict[str, Any]:
    """The columns of a game after its move with this number."""
    return _changed(_running(number), at)


def has_moves(number: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether a running game has exactly so many moves, which its state tells."""
    return GameRow.state == _running(number)


def taken_back(remaining: int, at: float) -> dict[str, Any]:
    """The columns of a game after an undo that leaves so many moves."""
    return _changed(PER_UNDO * (GameRow.undos + 1 + GameRow.asides) + PER_MOVE * remaining, at)


def aside(at: float) -> dict[str, Any]:
    """The columns of a game in which something has happened that is no move, such as a vote.

    Its board is due at once: whatever happens until it is shown makes one edit.
    """
    state = GameRow.state + PER_UNDO
    return {"asides": GameRow.asides + 1, "state": state, "show_at": at}


def ended(at: ColumnElement[float]) -> dict[str, Any]:
    """The columns of a game that has ended."""
    return _changed(GameRow.state + OVER, at)


def rated() -> dict[str, Any]:
    """The columns of a game whose end has been rated."""
    return {"state": GameRow.state + RATED, "show_at": GameRow.finished_at + GRACE}


def unshown(at: float) -> dict[str, Any]:
    """The columns of a game that stands as before, and whose board is to be shown anew."""
    return {"shown": NOTHING, "show_at": at}


def countdown_moved(at: float) -> dict[str, Any]:
    """The columns of a running game whose countdown has changed, and nothing else.

    A board that differs in more than that keeps its turn.
    """
    was_right = GameRow.shown == GameRow.state
    return {
        "shown": case((was_right, GameRow.state - COUNTDOWN), else_=GameRow.shown),
        "show_at": case((was_right, at), else_=GameRow.show_at),
    }


def lacks_countdown() -> ColumnElement[bool]:
    """Whether a message differs from its game in nothing but the countdown."""
    return and_(GameRow.finished_at.is_(None), GameRow.shown == GameRow.state - COUNTDOWN)


def _running(moves: ColumnElement[int]) -> ColumnElement[int]:
    """How a running game stands after so many moves."""
    return PER_UNDO * (GameRow.undos + GameRow.asides) + PER_MOVE * moves


def _changed(state: ColumnElement[int], at: ColumnElement[float] | float) -> dict[str, Any]:
    return {"state": state, "show_at": at + GRACE}
