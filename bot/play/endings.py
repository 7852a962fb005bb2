"""How games end other than by a move."""

from __future__ import annotations

from bot.rating.rated import LEAST_MOVES
from bot.store import EndRecord
from bot.table.refusal import Refusal
from bot.table.session import Session


def given_up(session: Session, user_id: int, *, moderator: bool, at: float) -> EndRecord:
    """The end of a game that somebody resigns or stops.

    A player who gives up loses. A moderator who is not playing stops the game without a result, as
    does the person who started a game between agents; anybody else is refused.
    """
    side = session.side_of(user_id)
    if side is not None:
        return EndRecord("resigned", int(side.other), at)
    if moderator or (not session.people and session.started_by == user_id):
        return EndRecord("stopped", None, at)
    raise Refusal("not_your_game")


def run_out(session: Session, at: float) -> EndRecord:
    """The end of a game in which the side to move has run out of time.

    The other side wins, unless the game has hardly begun: then it is stopped without a result.
    """
    if len(session.moves) < LEAST_MOVES:
        return EndRecord("stopped", None, at)
    return EndRecord("time", int(session.position.to_move.other), at)
