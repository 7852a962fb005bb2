"""Deleting what is stored about people and servers."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from contextlib import suppress

from bot.database.database import Database
from bot.database.errors import isolated
from bot.features.privacy.store import (
    UNREAD,
    Contributed,
    Departures,
    People,
    PersonRecord,
    StillPlays,
    read_part,
)
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import Translator
from bot.sessions.sessions import Sessions
from bot.sessions.settling import RatingQueue
from bot.shards import Shards
from bot.store.damaged_games import DamagedGames
from bot.telemetry import SILENT, Meter

logger = logging.getLogger(__name__)

RATED_WITHIN = 10.0
"""Seconds for which a deletion waits for the ratings of the person's last games, on which their
opponents' ratings depend. Games rated later count as games against a newcomer."""

KEPT_FOR = 30 * 86_400.0
"""Seconds for which a server's data are kept once it has removed the bot."""

NO_USER = 0
"""The user id that ends the games of a server that has removed the bot."""


class Erasure:
    """Looks up and deletes stored data; does not depend on Discord."""

    def __init__(
        self,
        database: Database,
        sessions: Sessions,
        ratings: RatingQueue,
        clock: Clock,
        contributed: Contributed,
        *,
        shards: Shards | None = None,
        meter: Meter = SILENT,
    ) -> None:
        """Delete from `database`, including the data that features have `contributed`.

        This process deletes the servers of `shards`, or all if None. Parts that cannot be read are
        counted in `meter`.
        """
        self._meter = meter
        self._sessions = sessions
        self._ratings = ratings
        self._clock = clock
        self._contributed = contributed
        self._shards = shards
        self._damaged_games = DamagedGames(database)
        self.departures = Departures(database, contributed)
        self.people = People(database, contributed, meter)

    async def record(self, user_id: int) -> PersonRecord:
        """What is stored about a person; refused if nothing is stored."""
        found = await self.people.record(user_id)
        if found is None:
            raise Refusal("nothing_stored", play=True)
        return found

    async def files(self, user_id: int) -> Mapping[str, str]:
        """The files that features add to a person's export."""
        texts: dict[str, str] = {}
        for one in self._contributed():
            if one.files is not None:
                texts |= await one.files(user_id)
        return texts

    async def described(self, user_id: int, say: Translator) -> list[str]:
        """The lines of the privacy page that features add about a person."""
        lines = []
        for one in self._contributed():
            if one.describe is not None:
                line = await read_part(one.order, one.describe(user_id, say), self._meter)
                lines.append(say(UNREAD) if line is None else line)
        return lines

    async def resign_all(self, user_id: int) -> list[Session]:
        """End a person's running games as if they had resigned, and return the ended games.

        Games that they have started and that no person plays are stopped.
        """
        await self._sessions.games.end_unreadable(user_id)
        ended = []
        for game in await self._sessions.games.running_of(user_id):
            # A game that has ended by itself in the meantime needs no action.
            with isolated("game to give up", game.id), suppress(Refusal):
                ended.append(await self._sessions.resign(game.channel_id, user_id, game_id=game.id))
        return ended

    async def leave(self, user_id: int) -> None:
        """Remove a person from everything that features have in progress."""
        for one in self._contributed():
            if one.leave is not None:
                await one.leave(user_id)

    async def forget(self, user_id: int) -> None:
        """Delete a person; refused, with nothing deleted, if they have started another game."""
        await self._ratings.settled(user_id, RATED_WITHIN)
        try:
            await self.people.forget(user_id)
        except StillPlays as error:
            raise Refusal("moved_on") from error

    async def purge(self, present: Collection[int]) -> None:
        """Delete data of servers that removed the bot long ago, and old copies of damaged games.

        Args:
            present: The servers that have the bot, of those of this process's shards: they may
                have come or gone while it was down.
        """
        now = self._clock()
        await self._damaged_games.forget(now - KEPT_FOR)
        await self.departures.reconcile(present, now, self._shards)
        for guild_id in await self.departures.due(now - KEPT_FOR, self._shards):
            for channel_id in await self.departures.channels_in_use(guild_id):
                # A game that another process has just ended needs no action.
                with isolated("game to end in channel", channel_id), suppress(Refusal):
                    await self._sessions.resign(channel_id, NO_USER, moderator=True)
            with isolated("server to delete", guild_id):
                await self.departures.forget(guild_id)
                logger.info("the data of server %s were deleted: it left 30 days ago", guild_id)
