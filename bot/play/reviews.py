"""Reviews of finished games: what each move did, and where the game turned."""

from __future__ import annotations

import logging
from functools import partial

from bot.play.fair_queue import Claim, Kind
from bot.play.sessions import Sessions
from bot.play.shared_answers import SharedAnswers
from bot.play.workers import Workers
from bot.table.refusal import Refusal
from bot.table.session import Session
from engine.study.review import Review, ReviewGame

logger = logging.getLogger(__name__)

PATIENCE = 30.0
"""Seconds that one review may take: many times what it does on an idle core."""
KEPT = 64
"""Reviews that are kept: after a game both players ask for the same one."""


class Reviews:
    """Reviews games; knows nothing of Discord."""

    def __init__(self, sessions: Sessions, workers: Workers) -> None:
        """Find games in `sessions`; review them in `workers`."""
        self._sessions = sessions
        self._workers = workers
        self._shared = SharedAnswers[Review](KEPT)

    async def game(self, game_id: int) -> Session:
        """A game that can be reviewed; refused while it runs, and where nobody has moved."""
        session = await self._sessions.find(game_id)
        # While it runs, a review would be a hint for every move.
        if session is None or not session.is_over or not session.moves:
            raise Refusal("nothing_to_review")
        return session

    async def of(self, session: Session, user_id: int) -> Review:
        """The review of a game, on somebody's account; refused where it cannot be worked out.

        With the pie rule it says nothing of the first turn: who opens well there leaves both sides
        equal chances.
        Refused for whoever waits for another answer of the engine, too.
        """
        with self._workers.askers.asking(user_id):
            job = session.job(ReviewGame())
            claim = Claim(Kind.EXPLANATION, user_id, session.guild_id)
            try:
                review = await self._shared.of(job, partial(self._workers.do, job, claim, PATIENCE))
                return review.without_opening(session.opening_moves) if session.pie else review
            except Exception as error:
                logger.exception("game %s cannot be reviewed", session.id)
                raise Refusal("review_failed") from error
