"""The league of a server's agents, and judging the games that rate nobody.

How the agents of a watched game played, and what people's own moves gave away in a game with hints,
is worked out one game at a time, in the thread in which people's games are judged, so that it never
holds up a move. What a killed process leaves undone stays due in the store.
"""

from __future__ import annotations

import logging

from bot.features.league.store import LeagueScope, LeagueTable, SideFigures, league_table
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.ratings.rated import unaided_moves
from bot.sessions.ownership import Ownership
from bot.sessions.settling import DueQueue
from bot.store.store import Store
from bot.telemetry import SILENT, Meter
from bot.workers.pool import Claim, Kind
from bot.workers.workers import NotPrepared, Workers
from engine.core.game import Player, UnknownVariant
from engine.core.registry import game_of
from engine.strength.judging import MOST_LOSS, JudgeGame, Judgement

JUDGED_WITHIN = 1.0
"""Seconds that the table waits for the judgement of the latest games."""

MOST_LATEST = 15
"""How many of the latest games can be opened."""


class League:
    """Adds watched games up; knows nothing of Discord."""

    def __init__(self, store: Store, queue: LeagueQueue) -> None:
        """Read games from `store`, once `queue` has judged them."""
        self._store = store
        self.judging = queue

    async def count(self, scope: LeagueScope) -> int:
        """How many watched games there are."""
        return sum(pair.games for pair in await self._store.league.pairs(scope))

    def require_variant(self, scope: LeagueScope) -> None:
        """Refuse a variant that there is not."""
        if scope.variant is not None:
            try:
                game_of(scope.family, scope.variant)
            except UnknownVariant as error:
                raise Refusal("not_a_variant", text=error.text, expected=error.expected) from error

    async def table(self, scope: LeagueScope) -> LeagueTable:
        """The table of a server's watched games."""
        await self.judging.settled(JUDGED_WITHIN)
        return league_table(
            await self._store.league.pairs(scope),
            await self._store.league.agents(scope),
            await self._store.league.latest(scope, MOST_LATEST),
        )


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
        self.queue = DueQueue("judgements", store.league, self._settle, ownership, meter=meter)

    async def settled(self, seconds: float) -> bool:
        """Wait up to `seconds` until all games are judged; whether they are."""
        if not await self._store.league.due(1):
            return True
        await self.queue.drained(seconds)
        return not await self._store.league.due(1)

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
