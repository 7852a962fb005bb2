"""How strong the opponent of an agent is that is to move."""

from __future__ import annotations

import logging

from bot.store import Store
from bot.table.session import Session
from engine.strength.ladder import ladder_of, size_class
from engine.strength.roster import regards_opponent

logger = logging.getLogger(__name__)


async def rating_faced(store: Store, session: Session) -> float | None:
    """The rating of whoever plays against the agent that is to move, if it plays accordingly.

    None for anybody who has none yet, and where it cannot be read: no move waits for that.
    """
    agent = session.mover.agent_name
    if agent is None or not regards_opponent(session.game, agent):
        return None
    opponent = session.seat(session.position.to_move.other)
    if opponent.user_id is None:
        return ladder_of(session.game).elo_of(opponent.agent_name or "")
    try:
        known = await store.ratings.of(opponent.user_id, size_class(session.game))
    except Exception:
        logger.exception("game %s: the opponent's rating cannot be read", session.id)
        return None
    return None if known is None else known.rating.value
