"""How games end without a last move: whom leaving, time or a deleted channel costs the game."""

from __future__ import annotations

from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.ratings.rated import MIN_MOVES
from bot.sessions.running import NotYourGame
from bot.store.records import Ending, EndRecord
from engine.core.game import Player


def has_begun(session: Session) -> bool:
    """Whether a game has enough moves of its own to count if a player leaves."""
    return len(session.moves) - session.setup.opening >= MIN_MOVES


def is_lost_by_leaving(session: Session) -> bool:
    """Whether a player who leaves a game loses it.

    In a match that holds from the start: otherwise the leader could cancel what is left.
    """
    return has_begun(session) or session.setup.match > 0


def resignation(session: Session, user_id: int, *, moderator: bool, at: float) -> EndRecord:
    """The end of a game that a person resigns or stops.

    A player who resigns loses. A moderator who is not playing stops the game without a result, as
    does the person who started a game without people; others are refused. A game that has hardly
    begun is aborted, or halted if a moderator stops people's game.
    """
    side = session.side_of(user_id)
    stops = moderator or (not session.people and session.setup.started_by == user_id)
    if side is None and not stops:
        if session.people:
            raise NotYourGame(session)
        raise Refusal("stop_not_yours")
    if side is not None:
        return end_of(session, at, Ending.RESIGNED, side.other)
    if session.people and not has_begun(session):
        return EndRecord(Ending.HALTED, None, session.not_before(at))
    return end_of(session, at)


def loss_on_time(session: Session, at: float) -> EndRecord:
    """The end of a game in which the side to move has run out of time: the other side wins.

    A game is stopped if the side to move is a channel.
    """
    if session.awaits_channel:
        return end_of(session, at)
    return end_of(session, at, Ending.TIME, session.position.to_move.other)


def end_without_channel(session: Session, at: float) -> EndRecord:
    """The end of a game whose channel no longer exists.

    The only person in a game against an agent loses, as by running out of time: otherwise deleting
    the channel would save them from a loss. Other games have no result, because the person who
    deleted it is unknown.
    """
    sides = [side for side in Player if session.seat(side).user_id is not None]
    if len(sides) != 1 or session.is_channel_game:
        return end_of(session, at)
    return end_of(session, at, Ending.RESIGNED, sides[0].other)


def end_of(
    session: Session, at: float, ending: Ending = Ending.STOPPED, winner: Player | None = None
) -> EndRecord:
    """The end of a game; one that has hardly begun is aborted instead, unless leaving loses it."""
    if not (has_begun(session) or (ending.is_by_leaving and is_lost_by_leaving(session))):
        return EndRecord(Ending.ABORTED, None, session.not_before(at))
    return EndRecord(ending, winner and int(winner), session.not_before(at))
