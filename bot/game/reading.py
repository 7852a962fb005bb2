"""Reading stored games that may be damaged, such as by a bad disk or another version."""

from __future__ import annotations

from math import isfinite
from typing import Any

from bot.game.session import Session
from bot.store.records import Ending, GameRecord, SeatRecord
from engine.core.game import Player
from engine.core.registry import games


class UnreadableGame(Exception):
    """The stored rows of a game are not a game that this version can show or continue.

    The text gives the reason, without people's names or ids.
    """

    def __init__(self, reason: str, *, is_unknown: bool = False) -> None:
        super().__init__(reason)
        self.is_unknown = is_unknown
        """Set the reason; `is_unknown` says whether another version may know this kind of game."""


def read_game(record: GameRecord) -> Session:
    """A game from its record; raises UnreadableGame if it is damaged."""
    if record.end is not None and record.end.ending is Ending.UNREADABLE:
        raise UnreadableGame("it was ended because it could not be read")
    if record.setup.family not in games():
        raise UnreadableGame(f"there is no game {record.setup.family!r}", is_unknown=True)
    try:
        games()[record.setup.family].from_variant(record.setup.variant)
    except Exception as error:
        reason = f"there is no variant {record.setup.variant!r}"
        raise UnreadableGame(reason, is_unknown=True) from error
    try:
        _require_possible(record)
        session = Session.from_record(record)
    except UnreadableGame:
        raise
    except Exception as error:
        raise UnreadableGame(f"{type(error).__name__}: {error}") from error
    if not session.is_over and session.position.outcome is not None:
        raise UnreadableGame("it is running although its moves end it")
    return session


def damage_of(record: GameRecord) -> str | None:
    """Why a game cannot be read; None if it can."""
    try:
        read_game(record)
    except UnreadableGame as error:
        return str(error)
    return None


def _require_possible(record: GameRecord) -> None:
    """Raise UnreadableGame for impossible values; SQLite stores any value in any column."""
    setup, end = record.setup, record.end
    if record.lacks_moves:
        raise UnreadableGame("some of its moves are missing")
    for number, seat in enumerate(setup.seats, 1):
        _require_seat(number, seat)
    _require_number("started_at", record.started_at)
    _require_number("paused", record.paused)
    times = ("undone_at", "reminded_at", "pinged_at", "vote_until", "swapped_at", "held_at")
    for name in times:
        _require_number(name, getattr(record, name), optional=True)
    for name, value in (("undos", record.undos), ("asides", record.asides)):
        if not isinstance(value, int) or value < 0:
            raise UnreadableGame(f"{name} is {value!r}")
    _require_number("vote_seconds", setup.vote_seconds, optional=True)
    if setup.clock is not None:
        _require_number("clock_seconds", setup.clock.seconds)
        if setup.clock.per not in ("move", "game"):
            raise UnreadableGame(f"clock_per is {setup.clock.per!r}")
    for number, move in enumerate(record.moves, 1):
        _require_number(f"the time of move {number}", move.at)
        _require_number(f"the duration of move {number}", move.seconds)
    if end is not None:
        _require_number("finished_at", end.at)
        if not isinstance(end.ending, Ending):
            raise UnreadableGame(f"there is no ending {end.ending!r}")
        if end.winner not in (None, *Player):
            raise UnreadableGame(f"its winner is {end.winner!r}")


def _require_seat(number: int, seat: SeatRecord) -> None:
    if (seat.user_id is None) == (seat.agent is None):
        holds = "neither a person nor" if seat.agent is None else "both a person and"
        raise UnreadableGame(f"seat {number} holds {holds} an agent")
    if seat.user_id is not None and not isinstance(seat.user_id, int):
        raise UnreadableGame(f"seat {number} holds no user id")


def _require_number(name: str, value: Any, *, optional: bool = False) -> None:
    if value is None and optional:
        return
    if not isinstance(value, int | float) or not isfinite(value):
        raise UnreadableGame(f"{name} is {value!r}")
