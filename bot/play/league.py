"""The league of agents on a server: who beat whom in its watched games, and how they played."""

from __future__ import annotations

from bot.play.league_queue import LeagueQueue
from bot.store import LeagueScope, LeagueTable, Store, league_table
from bot.table.refusal import Refusal
from engine.core.game import UnknownVariant
from engine.core.registry import game_of

JUDGED_WITHIN = 1.0
"""Seconds that the table waits for the judgement of the latest games."""
MOST_LATEST = 15
"""How many of the latest games can be opened."""


class League:
    """Adds watched games up; knows nothing of Discord."""

    def __init__(self, store: Store, queue: LeagueQueue) -> None:
        """Read games from `store`, once `queue` has judged them."""
        self._store = store
        self._queue = queue

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
        await self._queue.settled(JUDGED_WITHIN)
        return league_table(
            await self._store.league.pairs(scope),
            await self._store.league.agents(scope),
            await self._store.league.latest(scope, MOST_LATEST),
        )
