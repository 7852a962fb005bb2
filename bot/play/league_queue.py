"""Judging games that rate nobody: like ratings, a second step after their end has been stored.

How the agents of a watched game played, and what people's own moves gave away in a game with hints,
is worked out one game at a time, in the thread in which people's games are judged, so that it never
holds up a move. What a killed process leaves undone stays due in the store.
"""

from __future__ import annotations

import logging

from bot.play.due_queue import DueGames, DueQueue
from bot.play.fair_queue import Claim, Kind
from bot.play.ownership import Ownership
from bot.play.readiness import NotPrepared
from bot.play.workers import Workers
from bot.rating.unaided import unaided_moves
from bot.store import SideFigures, Store
from bot.table.session import Session
from bot.telemetry import SILENT, Meter
from engine.core.game import Player
from engine.strength.judging import MOST_LOSS, JudgeGame, Judgement

logger = logging.getLogger(__name__)

PATIENCE = 120.0
"""Seconds that judging one game may take, as for ratings."""


class LeagueQueue:
    """Judges the games that are due; knows nothing of Discord."""

    def __init__(
        self,
        store: Store,
        ownership: Ownership,
        workers: Workers,
        patience: float = PATIENCE,
        meter: Meter = SILENT,
    ) -> None:
        """Take games of `ownership` from `store`; judge their moves in `workers`.

        `meter` counts the attempts that fail.
        """
        self._store = store
        self._workers = workers
        self._patience = patience
        self._ownership = ownership
        games = DueGames(self._due, self._settle, store.league.put_off, self._next_attempt)
        self._queue = DueQueue("judgements", games, meter=meter)

    def wake(self) -> None:
        """Judge what is due, soon."""
        self._queue.wake()

    async def settled(self, seconds: float) -> bool:
        """Wait up to `seconds` until all games are judged; whether they are."""
        if not await self._store.league.due(1):
            return True
        await self._queue.drained(seconds)
        return not await self._store.league.due(1)

    async def close(self) -> None:
        """Finish judging the current game, then judge no more."""
        await self._queue.close()

    async def _due(self, limit: int) -> list[int]:
        return await self._store.league.claim(limit, self._ownership.owner)

    async def _next_attempt(self) -> float | None:
        return await self._store.league.next_attempt(self._ownership.owner)

    async def _settle(self, game_id: int) -> None:
        record = await self._store.games.find(game_id)
        if record is None:
            # Deleted since it was read, with whoever played in it or where.
            return
        session = Session.from_record(record)
        judgement = await self._judgement(session)
        if session.people:
            unaided = unaided_moves(session, judgement) if judgement else ()
            await self._store.league.settle(game_id, unaided=unaided)
            return
        sides = [side_figures(session, side, judgement) for side in Player]
        await self._store.league.settle(game_id, sides)

    async def _judgement(self, session: Session) -> Judgement | None:
        """The judgement of a game; None if it cannot be judged."""
        sides = [side for side in Player if not session.people or session.seat(side).user_id]
        job = session.job(JudgeGame(tuple(int(side) for side in sides)))
        try:
            return await self._workers.do(job, Claim(Kind.JUDGEMENT), self._patience)
        except NotPrepared:
            raise  # it stays due
        except Exception:
            logger.exception("game %s cannot be judged: its moves count nowhere", session.id)
            return None


def side_figures(session: Session, side: Player, judgement: Judgement | None) -> SideFigures:
    """How one side of a watched game played, in the moves that a search found.

    Moves that were made without one, because the engine had failed, say nothing about the agent.
    """
    made = {
        ply: move
        for ply, move in enumerate(session.moves)
        if move.player == side and not move.is_unsearched
    }
    losses = judgement.losses if judgement is not None else ()
    judged = [
        min(loss, MOST_LOSS) for ply, loss in enumerate(losses) if ply in made and loss is not None
    ]
    return SideFigures(
        side=int(side),
        moves=len(made),
        nodes=sum(move.nodes or 0 for move in made.values()),
        seconds=sum(move.seconds for move in made.values()),
        judged=len(judged),
        loss=sum(judged),
    )
