"""Rating finished games: a second step, after their end has been stored.

The end of a game is stored and shown at once, together with a note that its rating is due. Each
person's games are rated one by one, in the order in which their ends were stored, so a rating
depends on the games alone: not on which judgement was ready first, nor on how busy the machine is.
A game is rated by the process whose game it was, after the earlier ones of its people. What a
killed process leaves unrated stays due in the store, and the next process rates it. A game that
cannot be rated is retried (`bot.store.due_claims`); later games of its people wait for it only
until it is parked.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from bot.play.due_queue import DueGames, DueQueue
from bot.play.fair_queue import Claim, Kind
from bot.play.ownership import Ownership
from bot.play.pool import WorkHangs
from bot.play.readiness import NotPrepared
from bot.play.workers import Workers
from bot.rating.evidence import evidence_of
from bot.rating.rated import rated_end
from bot.rating.unaided import unaided_moves
from bot.store import RatedEnd, Store
from bot.table.session import Session
from bot.telemetry import SILENT, Meter
from engine.core.game import Player
from engine.strength.judging import JudgeGame, Judgement

logger = logging.getLogger(__name__)

PATIENCE = 120.0
"""Seconds that judging one game may take, a hundred times what it does take. Judgements are limited
by nodes, not by time; this limit is reached only if something is broken."""

Rated = Callable[[Session], None]
"""Called with a game that has just been rated; must not block."""


class RatingQueue:
    """Rates the games whose rating is due; knows nothing of Discord."""

    def __init__(
        self,
        store: Store,
        ownership: Ownership,
        workers: Workers,
        patience: float = PATIENCE,
        then: Callable[[], None] = lambda: None,
        meter: Meter = SILENT,
    ) -> None:
        """Take games of `ownership` from `store`; judge their moves in `workers`.

        `then` is called whenever nothing can be rated any more: what judges other games comes
        second. `meter` counts the attempts that fail.
        """
        self._store = store
        self._workers = workers
        self._patience = patience
        self._ownership = ownership
        is_left = self._is_left if store.database.is_shared else None
        games = DueGames(self._due, self._rate, store.ratings.put_off, self._next_attempt)
        self._queue = DueQueue("ratings", games, then, is_left, meter)
        self.on_rated: Rated | None = None
        """Called after each rated game; set by the code that shows games."""

    def wake(self) -> None:
        """Rate what is due, soon; to be called whenever a game has ended, and once at start-up."""
        self._queue.wake()

    async def settled(self, user_id: int, seconds: float) -> bool:
        """Wait up to `seconds` until all of a person's games are rated; whether they are."""
        if not await self._store.ratings.is_due(user_id):
            return True
        await self._queue.drained(seconds)
        return not await self._store.ratings.is_due(user_id)

    async def close(self) -> None:
        """Finish rating the current game, then rate no more."""
        await self._queue.close()

    async def _due(self, limit: int) -> list[int]:
        return await self._store.ratings.claim(limit, self._ownership.owner)

    async def _is_left(self) -> bool:
        return await self._store.ratings.is_left(self._ownership.owner)

    async def _next_attempt(self) -> float | None:
        return await self._store.ratings.next_attempt(self._ownership.owner)

    async def _rate(self, game_id: int) -> None:
        record = await self._store.games.find(game_id)
        if record is None:
            # Deleted since it was read, with whoever played in it or where.
            return
        session = Session.from_record(record)
        rated = await self._rated(session)
        changes = await self._store.ratings.rate(game_id, rated)
        if self.on_rated is not None and changes:
            self.on_rated(replace(session, changes=changes, rating_due=False, rating_failed=False))

    async def _rated(self, session: Session) -> RatedEnd | None:
        """How a game changes ratings; by its result alone if it cannot be judged."""
        judgement = await self._judgement(session)
        if judgement is None:
            return rated_end(session, {})
        sides = tuple(side for side in Player if session.seat(side).user_id is not None)
        rated = rated_end(session, evidence_of(session.game, judgement, sides, session.winner))
        if rated is None:
            return None
        return replace(rated, unaided=unaided_moves(session, judgement))

    async def _judgement(self, session: Session) -> Judgement | None:
        """The judgement of people's moves; None if the game cannot be judged."""
        sides = tuple(side for side in Player if session.seat(side).user_id is not None)
        job = session.job(JudgeGame(tuple(int(side) for side in sides)))
        try:
            return await self._workers.do(job, Claim(Kind.JUDGEMENT), self._patience)
        except WorkHangs:
            logger.error("the judgement of game %s hangs: only its result counts", session.id)
        except NotPrepared:
            raise  # it stays due
        except Exception:
            logger.exception("game %s cannot be judged: only its result counts", session.id)
        return None
