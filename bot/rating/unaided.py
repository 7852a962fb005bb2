"""What people's moves without a hint gave away in a finished game."""

from __future__ import annotations

from bot.store import UnaidedMoves
from bot.table.session import Session
from engine.core.game import Player
from engine.strength.judging import MOST_LOSS, Judgement
from engine.strength.ladder import size_class


def unaided_moves(session: Session, judgement: Judgement) -> tuple[UnaidedMoves, ...]:
    """For each person at the board, the moves that they made without a hint and could be judged.

    As for ratings, no single move counts more than MOST_LOSS. People without such moves are left
    out. Nobody may sit on both sides.
    """
    assert session.end is not None, "the game has ended"
    found = []
    for side in Player:
        user_id = session.seat(side).user_id
        losses = [
            min(loss, MOST_LOSS)
            for made, loss in zip(session.moves, judgement.losses, strict=True)
            if made.player == side and not made.hinted and loss is not None
        ]
        if user_id is not None and losses:
            ladder, at = size_class(session.game), session.end.at
            found.append(UnaidedMoves(user_id, ladder, at, len(losses), sum(losses)))
    return tuple(found)
