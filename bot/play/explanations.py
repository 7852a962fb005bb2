"""Why an agent made its last move: for games that are over, and for those that people watch."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import partial

from bot.play.fair_queue import Claim, Kind
from bot.play.sessions import Sessions
from bot.play.shared_answers import SharedAnswers
from bot.play.workers import Workers
from bot.store import MoveRecord
from bot.table.refusal import Refusal
from bot.table.session import Session
from engine.core.game import Player
from engine.study.explaining import Explain, Explained

logger = logging.getLogger(__name__)

PATIENCE = 20.0
"""Seconds that one explanation may take: ten times what the slowest does."""
KEPT = 64
"""Answers that are kept: many watch the same board, and all see the same on it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An agent's move, and the game as it stood before it."""

    before: Session
    move: MoveRecord

    @property
    def player(self) -> Player:
        """The side that moved."""
        return Player(self.move.player)

    @property
    def agent(self) -> str:
        """Who moved, by the name it is stored under."""
        name = self.before.seat(self.player).agent_name
        assert name is not None, "an agent has moved"
        return name


class Explanations:
    """Explains agents' moves; knows nothing of Discord."""

    def __init__(self, sessions: Sessions, workers: Workers) -> None:
        """Find games in `sessions`; work explanations out in `workers`."""
        self._sessions = sessions
        self._workers = workers
        self._shared = SharedAnswers[Explained](KEPT)

    async def last_choice(self, game_id: int) -> Choice:
        """The last move of an agent in a game; refused while people play it."""
        session = await self._sessions.find(game_id)
        if session is None:
            raise Refusal("game_is_gone")
        # It would be a hint, and to who does not play a way of giving one.
        if not session.is_watched and not session.is_over:
            raise Refusal("why_running")
        made = last_by_agent(session)
        if made is None:
            raise Refusal("why_no_agent")
        if session.moves[made].is_unsearched:
            raise Refusal("why_unsearched")
        return Choice(session.until(made), session.moves[made])

    async def of(self, choice: Choice, user_id: int) -> Explained:
        """What the agent saw, and the exact values; refused where that cannot be found out.

        Refused for whoever waits for another answer of the engine, too.
        """
        with self._workers.askers.asking(user_id):
            return await self._of(choice, user_id)

    async def _of(self, choice: Choice, user_id: int) -> Explained:
        before = choice.before
        job = before.job(Explain(choice.agent))
        claim = Claim(Kind.EXPLANATION, user_id, before.guild_id)
        try:
            return await self._shared.of(job, partial(self._workers.do, job, claim, PATIENCE))
        except Exception as error:
            logger.exception("a move of %s in game %s cannot be explained", choice.agent, before.id)
            raise Refusal("why_failed") from error


def last_by_agent(session: Session) -> int | None:
    """How many moves had been made before the last one of an agent; None if none has moved."""
    by_agents = [number for number, made in enumerate(session.moves) if made.user_id is None]
    return by_agents[-1] if by_agents else None
