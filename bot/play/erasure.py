"""Deleting what is stored about people and servers."""

from __future__ import annotations

import logging
from collections.abc import Collection
from contextlib import suppress

from bot.play.isolation import isolated
from bot.play.rating_queue import RatingQueue
from bot.play.sessions import Sessions
from bot.play.voting import Voting
from bot.shards import Shards
from bot.store import PersonRecord, StillPlays, Store
from bot.table.clocks import Clock
from bot.table.refusal import Refusal
from bot.table.session import Session

logger = logging.getLogger(__name__)

RATED_WITHIN = 10.0
"""Seconds that a deletion waits for the ratings of the person's last games: their opponents' are
worked out from both. What takes longer is rated as a game against a newcomer."""
KEPT_FOR = 30 * 86_400.0
"""Seconds for which a server's data are kept once it has removed the bot."""
NOBODY = 0
"""Who ends the games of a server that has left."""


class Erasure:
    """Looks up and deletes what is stored; knows nothing of Discord."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        ratings: RatingQueue,
        voting: Voting,
        clock: Clock,
        *,
        shards: Shards | None = None,
    ) -> None:
        """Delete from `store`, by `clock`, once the games in `sessions` have ended.

        What people vote for in `voting` counts no more.

        Servers of `shards` are this process's to delete, or with None all.
        """
        self._shards = shards
        self._store = store
        self._sessions = sessions
        self._ratings = ratings
        self._voting = voting
        self._clock = clock

    async def record(self, user_id: int) -> PersonRecord:
        """What is stored about a person; refused where that is nothing."""
        found = await self._store.erasure.record(user_id)
        if found is None:
            raise Refusal("nothing_stored")
        return found

    async def give_up(self, user_id: int) -> list[Session]:
        """End a person's running games as if they had resigned each, and return how they ended.

        Games that they have begun and that no person plays are stopped, and their votes in others
        are withdrawn.
        """
        await self._sessions.end_unreadable(user_id)
        ended = []
        for game in await self._sessions.running_of(user_id):
            # One that has ended by itself meanwhile needs nothing more.
            with isolated("game to give up", game.id), suppress(Refusal):
                end = await self._sessions.resign(game.channel_id, user_id, game_id=game.id)
                ended.append(end)
        await self._voting.withdraw_all(user_id)
        return ended

    async def forget(self, user_id: int) -> None:
        """Delete a person; refused, with nothing deleted, if they have begun another game."""
        await self._ratings.settled(user_id, RATED_WITHIN)
        try:
            await self._store.erasure.forget(user_id)
        except StillPlays as error:
            raise Refusal("moved_on") from error

    async def note_departure(self, guild_id: int) -> None:
        """Note that a server has removed the bot."""
        await self._store.departures.note(guild_id, self._clock())

    async def note_return(self, guild_id: int) -> None:
        """Note that a server has the bot again: nothing of it is deleted."""
        await self._store.departures.cancel(guild_id)

    async def purge(self, present: Collection[int]) -> None:
        """Delete the data of servers that left long ago, and old copies of damaged games.

        Args:
            present: The servers that have the bot, of those that this process is told of: they may
                have come or gone while it was down.
        """
        await self._sessions.forget_copies()
        now = self._clock()
        await self._store.departures.reconcile(present, now, self._shards)
        for guild_id in await self._store.departures.due(now - KEPT_FOR, self._shards):
            for channel_id in await self._store.departures.channels_in_use(guild_id):
                # One that another process has just ended needs nothing more.
                with isolated("game to end in channel", channel_id), suppress(Refusal):
                    await self._sessions.resign(channel_id, NOBODY, moderator=True)
            with isolated("server to delete", guild_id):
                await self._store.departures.forget(guild_id)
                logger.info("the data of server %s were deleted: it left 30 days ago", guild_id)
