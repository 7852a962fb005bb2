"""The league of a server's agents, and judging the games that change no rating.

Agents' moves in watched games, and people's own moves in games with hints, are judged one game at a
time, in the thread that judges people's games, so that moves are never delayed. If a process is
killed, its games stay due in the store.
"""

from __future__ import annotations

from bot.features.league.store import (
    LeagueGames,
    LeagueScope,
    LeagueTable,
    SideFigures,
    WatchedGame,
    league_table,
)
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.ratings.rated import unaided_moves
from bot.sessions.ownership import Ownership
from bot.sessions.settling import PATIENCE, DueQueue, judge
from bot.store.games import Games
from bot.telemetry import SILENT, Meter
from bot.workers.workers import Workers
from engine.core.game import Player, UnknownVariant
from engine.core.registry import game_of
from engine.strength.judging import Judgement, summed

JUDGED_WITHIN = 1.0
"""Seconds for which the table waits for the judgement of the latest games."""

MAX_LATEST = 15
"""The number of latest games that can be opened."""


class League:
    """Sums up watched games; does not depend on Discord."""

    def __init__(self, games: LeagueGames, judging: LeagueQueue) -> None:
        """Read games from `games`, once `judging` has judged them."""
        self._games = games
        self._judging = judging

    async def count(self, scope: LeagueScope) -> int:
        """The number of watched games."""
        return sum(pair.games for pair in await self._games.pairs(scope))

    async def latest(self, scope: LeagueScope) -> tuple[WatchedGame, ...]:
        """The latest games, newest first, including the channel's."""
        return await self._games.latest(scope, MAX_LATEST)

    def require_variant(self, scope: LeagueScope) -> None:
        """Refuse a variant that does not exist."""
        if scope.variant is not None:
            try:
                game_of(scope.family, scope.variant)
            except UnknownVariant as error:
                raise Refusal("not_a_variant", text=error.text, expected=error.expected) from error

    async def table(self, scope: LeagueScope) -> LeagueTable:
        """The table of a server's watched games."""
        await self._judging.settled(JUDGED_WITHIN)
        return league_table(
            await self._games.pairs(scope),
            await self._games.agents(scope),
            await self.latest(scope),
        )


class LeagueQueue:
    """Judges the games that are due; does not depend on Discord."""

    def __init__(
        self,
        due: LeagueGames,
        games: Games,
        ownership: Ownership,
        workers: Workers,
        patience: float = PATIENCE,
        meter: Meter = SILENT,
    ) -> None:
        """Read the games of `ownership` that are `due` from `games`; judge moves in `workers`.

        `meter` counts failed attempts.
        """
        self._due = due
        self._games = games
        self._workers = workers
        self._patience = patience
        self.queue = DueQueue("judgements", due, self._settle, ownership, meter=meter)

    async def settled(self, seconds: float) -> bool:
        """Wait up to `seconds` until all games are judged; returns whether they are."""
        if not await self._due.due(1):
            return True
        await self.queue.drained(seconds)
        return not await self._due.due(1)

    async def _settle(self, game_id: int) -> None:
        record = await self._games.find(game_id)
        if record is None:
            # Deleted since it was read, with the data of a player or the server.
            return
        session = Session.from_record(record)
        sides = [side for side in Player if not session.people or session.seat(side).user_id]
        judgement = await judge(self._workers, session, sides, self._patience)
        if session.people:
            unaided = unaided_moves(session, judgement) if judgement else ()
            await self._due.settle(game_id, unaided=unaided)
            return
        figures = [side_figures(session, side, judgement) for side in Player]
        await self._due.settle(game_id, figures)


def side_figures(session: Session, side: Player, judgement: Judgement | None) -> SideFigures:
    """The figures of one side of a watched game, from the moves that a search found.

    Moves made without a search do not count for the agent: those of a random opening, and those
    made because the engine had failed.
    """
    made = {
        ply: move
        for ply, move in enumerate(session.moves)
        if move.player == side and not move.is_unsearched
    }
    errors = judgement.errors if judgement is not None else ()
    judged = [error for ply, error in enumerate(errors) if ply in made and error is not None]
    count, loss, proven, proven_loss = summed(judged)
    return SideFigures(
        side=int(side),
        moves=len(made),
        nodes=sum(move.nodes or 0 for move in made.values()),
        seconds=sum(move.seconds for move in made.values()),
        judged=count,
        loss=loss,
        proven=proven,
        proven_loss=proven_loss,
    )
