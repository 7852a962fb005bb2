"""Where servers want their puzzle of the day, and the messages that show it.

Whoever posts or edits a message has claimed it before: of several processes one does it, and if
that one is killed, another after LEASE seconds.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, delete, exists, func, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.database import Database
from bot.database.errors import again
from bot.database.statements import add_missing, change, put
from bot.features.puzzles import store
from bot.features.puzzles.store import (
    DailyChannel,
    DailyChannelRow,
    DailyKey,
    DailyPost,
    DailyPostRow,
    Today,
)
from bot.shards import Shards
from bot.store.owners import in_shards

LEASE = 30.0
"""Seconds for which a claimed message is one process's: more than posting or editing may take."""

NOBODY_KNOWS = 0
"""In place of a message that nobody can reach."""

KEPT = 8
"""Days for which it is kept what was posted."""


class DailyPosts:
    """One message a server and day."""

    def __init__(self, database: Database) -> None:
        """Keep messages in `database`."""
        self._database = database

    async def channel(self, guild_id: int) -> DailyChannel | None:
        """Where a server wants its puzzle of the day; None if it wants none."""
        found = await self._database.fetch(_channel_query(guild_id))
        return DailyChannel(**found[0]._mapping) if found else None

    @again
    async def subscribe(self, channel: DailyChannel) -> None:
        """Post a server's puzzle of the day in a channel from now on.

        If today's has been posted elsewhere, it stays there.
        """
        values = {name: getattr(channel, name) for name in _COLUMNS}
        async with self._database.writing() as connection:
            key = {"guild_id": values.pop("guild_id")}
            await put(connection, DailyChannelRow, key, values)
            await _forget_unsent(connection, channel.guild_id)

    @again
    async def unsubscribe(self, guild_id: int, channel_id: int | None = None) -> bool:
        """Post nothing more on a server, or in one channel; False if nothing was wanted there."""
        theirs = delete(DailyChannelRow).where(DailyChannelRow.guild_id == guild_id)
        if channel_id is not None:
            theirs = theirs.where(DailyChannelRow.channel_id == channel_id)
        async with self._database.writing() as connection:
            if not await change(connection, theirs):
                return False
            await _forget_unsent(connection, guild_id)
            return True

    async def is_begun(self, guild_id: int, day: int) -> bool:
        """Whether a server's message of a day is posted, or about to be."""
        posts = select(DailyPostRow.day).where(DailyPostRow.guild_id == guild_id)
        return bool(await self._database.fetch(posts.where(DailyPostRow.day == day)))

    async def puzzle(self, guild_id: int, key: DailyKey) -> str | None:
        """The puzzle that a server was shown on a day; None if it was shown none."""
        posted = select(DailyPostRow.puzzle).where(
            DailyPostRow.guild_id == guild_id,
            DailyPostRow.day == key.day,
            DailyPostRow.family == key.family,
        )
        found = await self._database.fetch(posted)
        return found[0].puzzle if found else None

    async def is_due(self, today: Today, shards: Shards | None = None) -> bool:
        """Whether anything is to be posted or edited; to be asked again and again."""
        queries = (
            _missing_query(today, shards).limit(1),
            self._unsent_query(today, shards).limit(1),
            self._outdated_query(today, shards).limit(1),
        )
        for query in queries:
            if await self._database.fetch(query):
                return True
        return False

    @again
    async def claim_unsent(
        self, today: Today, limit: int, shards: Shards | None = None
    ) -> list[DailyPost]:
        """The messages of this day that a process is to post now; nobody else gets them."""
        async with self._database.writing() as connection:
            for row in await connection.execute(_missing_query(today, shards).limit(limit)):
                await add_missing(connection, DailyPostRow, _post_values(row, today))
            found = await self._claimed(connection, self._unsent_query(today, shards), limit)
            # What had been sent before may have arrived: when that was is kept.
            sent = update(DailyPostRow).where(DailyPostRow.sent_at.is_(None), _among(found))
            await connection.execute(sent.values(sent_at=today.at))
            return found

    @again
    async def claim_outdated(
        self, today: Today, limit: int, shards: Shards | None = None
    ) -> list[DailyPost]:
        """The messages that a process is to edit now; nobody else gets them."""
        async with self._database.writing() as connection:
            return await self._claimed(connection, self._outdated_query(today, shards), limit)

    @again
    async def posted(self, post: DailyPost, message_id: int, look_at: float) -> None:
        """Note the message that shows a puzzle, as it stood at `post.state`."""
        async with self._database.writing() as connection:
            values = {"message_id": message_id, "sent_at": None, "shown": post.state}
            await connection.execute(_released(post, look_at).values(values))
            here = DailyChannelRow.guild_id == post.guild_id
            await connection.execute(update(DailyChannelRow).where(here).values(closed_at=None))

    async def shown(self, post: DailyPost, look_at: float) -> None:
        """Note that a message shows what was stored at `post.state`."""
        await self._database.change(_released(post, look_at).values(shown=post.state))

    async def put_off(self, post: DailyPost, look_at: float, *, arrived: bool | None) -> None:
        """Leave a message for later, which has or has not arrived, or with None may have."""
        change = _released(post, look_at)
        if arrived is False:
            change = change.values(sent_at=None)
        await self._database.change(change)

    async def lose(self, post: DailyPost) -> None:
        """Note that nobody can reach a message: it is neither posted nor edited any more."""
        await self._database.change(_released(post, 0.0).values(message_id=NOBODY_KNOWS))

    @again
    async def close(self, guild_id: int, at: float) -> DailyChannel | None:
        """Note that the bot may not post where a server wants it, and return since when."""
        async with self._database.writing() as connection:
            here = DailyChannelRow.guild_id == guild_id
            closed = func.coalesce(DailyChannelRow.closed_at, at)
            await connection.execute(update(DailyChannelRow).where(here).values(closed_at=closed))
            found = (await connection.execute(_channel_query(guild_id))).one_or_none()
            return None if found is None else DailyChannel(**found._mapping)

    async def clear(self, today: Today) -> None:
        """Forget what was posted long ago."""
        old = DailyPostRow.day < today.day - KEPT
        await self._database.change(delete(DailyPostRow).where(old))

    async def _claimed(
        self, connection: AsyncConnection, query: Select[Any], limit: int
    ) -> list[DailyPost]:
        # What another process is just claiming is that one's.
        locked = query.limit(limit).with_for_update(of=DailyPostRow, skip_locked=True)
        found = [store.post_of(row) for row in await connection.execute(locked)]
        busy = update(DailyPostRow).where(_among(found))
        await connection.execute(busy.values(busy_until=self._database.now + LEASE))
        return found

    def _unsent_query(self, today: Today, shards: Shards | None) -> Select[Any]:
        """The messages of a day that are to be posted; those of servers that still want one."""
        due = and_(DailyPostRow.day == today.day, DailyPostRow.message_id.is_(None))
        wanted = DailyChannelRow.guild_id == DailyPostRow.guild_id
        return self._free(today, shards).join(DailyChannelRow, wanted).where(due)

    def _outdated_query(self, today: Today, shards: Shards | None) -> Select[Any]:
        """The messages of a day and of the one before it that do not show what is stored."""
        lately = DailyPostRow.day.in_((today.day - 1, today.day))
        reachable = DailyPostRow.message_id != NOBODY_KNOWS
        differs = DailyPostRow.shown < DailyPostRow.state
        return self._free(today, shards).where(lately, reachable, differs)

    def _free(self, today: Today, shards: Shards | None) -> Select[Any]:
        free = and_(
            DailyPostRow.look_at <= today.at,
            DailyPostRow.busy_until < self._database.now,
            in_shards(DailyPostRow.guild_id, shards),
        )
        return select(DailyPostRow).where(free).order_by(DailyPostRow.look_at)


_COLUMNS = ("guild_id", "channel_id", "family", "locale", "hour", "since", "closed_at")


def _channel_query(guild_id: int) -> Select[Any]:
    columns = (getattr(DailyChannelRow, name) for name in _COLUMNS)
    return select(*columns).where(DailyChannelRow.guild_id == guild_id)


def _missing_query(today: Today, shards: Shards | None) -> Select[Any]:
    """The servers whose hour has come and for which no message has been begun on this day."""
    begun = exists().where(
        DailyPostRow.guild_id == DailyChannelRow.guild_id, DailyPostRow.day == today.day
    )
    return select(DailyChannelRow).where(
        DailyChannelRow.hour <= today.hour,
        DailyChannelRow.family.in_(sorted(today.puzzles)),
        in_shards(DailyChannelRow.guild_id, shards),
        ~begun,
    )


def _post_values(row: Any, today: Today) -> dict[str, Any]:
    return {
        "guild_id": row.guild_id,
        "day": today.day,
        "family": row.family,
        "puzzle": today.puzzles[row.family],
        "locale": row.locale,
        "channel_id": row.channel_id,
        "look_at": today.at,
    }


async def _forget_unsent(connection: AsyncConnection, guild_id: int) -> None:
    """Forget messages that nobody has begun to post."""
    unsent = and_(DailyPostRow.message_id.is_(None), DailyPostRow.sent_at.is_(None))
    theirs = delete(DailyPostRow).where(DailyPostRow.guild_id == guild_id, unsent)
    await connection.execute(theirs)


def _among(posts: list[DailyPost]) -> ColumnElement[bool]:
    keys = [(post.guild_id, post.key.day) for post in posts]
    return tuple_(DailyPostRow.guild_id, DailyPostRow.day).in_(keys)


def _released(post: DailyPost, look_at: float) -> Any:
    """The statement that ends a claim."""
    is_it = and_(DailyPostRow.guild_id == post.guild_id, DailyPostRow.day == post.key.day)
    return update(DailyPostRow).where(is_it).values(busy_until=0.0, look_at=look_at)
