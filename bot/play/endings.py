"""How games end other than by a move, and what an end does to ratings."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence

from bot.play.workers import Workers
from bot.rating.rated import LEAST_MOVES, rated_end, unrated_because
from bot.rating.ratings import Evidence
from bot.store import EndRecord, RatedEnd
from bot.table.refusal import Refusal
from bot.table.session import Session
from engine.game import Player

logger = logging.getLogger(__name__)

EvidenceOf = Callable[[Session, Sequence[Player]], Mapping[Player, Evidence]]
"""Looks at sides' moves in a game that has ended; takes its time, in a worker thread."""

EVIDENCE_SECONDS = 1.0
"""How long an end waits for evidence: Discord wants the answer to a move within three seconds."""


def given_up(session: Session, user_id: int, *, moderator: bool, at: float) -> EndRecord:
    """The end of a game that somebody gives up.

    The other side of a player wins. A moderator who does not play stops it instead, and so does
    whoever asked for a game between agents; anybody else is refused.
    """
    side = session.side_of(user_id)
    if side is not None:
        return EndRecord("resigned", int(side.other), at)
    if moderator or (not session.people and session.started_by == user_id):
        return EndRecord("stopped", None, at)
    raise Refusal("not_your_game")


def run_out(session: Session, at: float) -> EndRecord:
    """The end of a game whose mover has been silent for too long.

    The other side wins; a game that had hardly begun is stopped without a result.
    """
    if len(session.moves) < LEAST_MOVES:
        return EndRecord("stopped", None, at)
    return EndRecord("time", int(session.position.to_move.other), at)


class Judge:
    """Says what the end of a game changes in ratings."""

    def __init__(self, workers: Workers, evidence: EvidenceOf | None = None) -> None:
        """Look at moves with `evidence` in `workers`; without it only results count."""
        self._workers = workers
        self._evidence = evidence

    async def rated(self, session: Session) -> RatedEnd | None:
        """What the store needs to rate a game; None where it goes on or does not count."""
        if not session.is_over or unrated_because(session) is not None:
            return None
        sides = [side for side in Player if session.seat(side).user_id is not None]
        return rated_end(session, await self._look_at(session, sides))

    async def _look_at(
        self, session: Session, sides: Sequence[Player]
    ) -> Mapping[Player, Evidence]:
        """The evidence of sides' moves; nothing where there is none in time."""
        if self._evidence is None:
            return {}
        look = self._workers.search(self._evidence, session, sides)
        try:
            return await asyncio.wait_for(look, EVIDENCE_SECONDS)
        except TimeoutError:
            logger.warning("game %s is rated by its result: its moves take too long", session.id)
        except Exception:
            # The result must be stored whatever becomes of the evidence.
            logger.exception("game %s is rated by its result alone", session.id)
        return {}
