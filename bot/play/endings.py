"""How games end other than by a move."""

from __future__ import annotations

from bot.rating.rated import LEAST_MOVES
from bot.store import EndRecord
from bot.table.refusal import Refusal
from bot.table.session import Session


def has_begun(session: Session) -> bool:
    """Whether enough of a game has been played for it to count when somebody leaves."""
    return len(session.moves) >= LEAST_MOVES


def given_up(session: Session, user_id: int, *, moderator: bool, at: float) -> EndRecord:
    """The end of a game that somebody resigns or stops.

    A player who gives up loses. A moderator who is not playing stops the game without a result, as
    does the person who started a game that no person plays; anybody else is refused. A game that
    has hardly begun is called off.
    """
    side = session.side_of(user_id)
    stops = moderator or (not session.people and session.started_by == user_id)
    if side is None and not stops:
        raise Refusal("not_your_game" if session.people else "stop_not_yours")
    if side is not None and has_begun(session):
        return EndRecord("resigned", int(side.other), session.not_before(at))
    return cut_short(session, at)


def run_out(session: Session, at: float) -> EndRecord:
    """The end of a game in which the side to move has run out of time.

    The other side wins, unless the game has hardly begun: then it is called off. So is a game that
    its channel has left alone; later, that is stopped.
    """
    if session.awaits_channel:
        return cut_short(session, at)
    if not has_begun(session):
        return EndRecord("aborted", None, session.not_before(at))
    return EndRecord("time", int(session.position.to_move.other), session.not_before(at))


def agreed(session: Session, at: float) -> EndRecord:
    """The end of a game whose players agree on a draw; called off if it has hardly begun."""
    return EndRecord("agreed" if has_begun(session) else "aborted", None, session.not_before(at))


def cut_short(session: Session, at: float) -> EndRecord:
    """The end, without a result, of a game that nobody can go on with."""
    return EndRecord("stopped" if has_begun(session) else "aborted", None, session.not_before(at))
