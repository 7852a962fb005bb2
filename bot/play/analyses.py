"""Analyses of positions, for whoever does not play them just now."""

from __future__ import annotations

import logging
from functools import partial

from bot.play.fair_queue import Claim, Kind
from bot.play.sessions import Sessions
from bot.play.shared_answers import SharedAnswers
from bot.play.workers import Workers
from bot.store import Store
from bot.table.refusal import Refusal
from bot.table.session import Session
from bot.table.trail import Trail
from engine.core.game import Position
from engine.core.jobs import Job
from engine.core.position_code import code_of
from engine.core.registry import package_of
from engine.study.analysis import Analysed, AnalysePosition

logger = logging.getLogger(__name__)

PATIENCE = 30.0
"""Seconds that one analysis may take: many times what it does on an idle core."""
KEPT = 256
"""Analyses that are kept: people go back and forth."""


class Analyses:
    """Analyses positions; knows nothing of Discord."""

    def __init__(self, sessions: Sessions, store: Store, workers: Workers) -> None:
        """Find running games in `sessions`, and votes in `store`; analyse in `workers`."""
        self._sessions = sessions
        self._store = store
        self._workers = workers
        self._shared = SharedAnswers[Analysed](KEPT)

    async def running(self, channel_id: int, family: str) -> Trail | None:
        """The game of a channel as far as it has come; None if it has none of this family."""
        session = await self._sessions.current(channel_id)
        if session is None or session.game.key != family:
            return None
        moves = (session.game.parse(made.move) for made in session.moves)
        return Trail(session.game.start()).on(*moves)

    async def require_free(self, position: Position, user_id: int, channel_id: int) -> None:
        """Refuse what belongs to a game that this person is playing: it would be help.

        That is every position that may have led to theirs, or may come of it, in a mirror as well.
        A channel's game is played by all who ask there, and by all who have voted in it.
        """
        for session in await self._played(user_id, channel_id):
            if _is_of(session, position):
                raise Refusal("analysis_yours", link=session.place)

    async def require_shareable(self, position: Position, channel_id: int) -> None:
        """Refuse to tell a whole channel about the game that people are playing there."""
        session = await self._sessions.current(channel_id)
        if session is not None and not session.is_watched and _is_of(session, position):
            raise Refusal("analysis_running")

    async def of(self, position: Position, user_id: int, guild_id: int | None) -> Analysed | None:
        """What is known of a position, on somebody's account; None for a game that is over.

        Refused where it cannot be worked out, and for whoever waits for another answer of the
        engine.
        """
        if position.outcome is not None:
            return None
        game = position.game
        task = AnalysePosition(code_of(position))
        job = Job(game.key, game.variant, (), task)
        claim = Claim(Kind.EXPLANATION, user_id, guild_id)
        with self._workers.askers.asking(user_id):
            try:
                return await self._shared.of(job, partial(self._workers.do, job, claim, PATIENCE))
            except Exception as error:
                logger.exception("the position %s cannot be analysed", task.code)
                raise Refusal("analysis_failed") from error

    async def _played(self, user_id: int, channel_id: int) -> list[Session]:
        """The running games in which somebody has a part."""
        own = [
            session
            for session in await self._sessions.running_of(user_id)
            if session.side_of(user_id) is not None
        ]
        here = await self._sessions.current(channel_id)
        voted = [
            await self._sessions.find_readable(game_id)
            for game_id in await self._store.votes.running_of(user_id)
        ]
        channels = [one for one in (here, *voted) if one is not None and one.is_channels]
        return own + channels


def _is_of(session: Session, position: Position) -> bool:
    """Whether a position may belong to a game."""
    if session.game.key != position.game.key:
        return False
    return package_of(session.game).related(session.position, position)
