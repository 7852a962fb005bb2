"""Puzzles of the day: tries, the channels of servers, and the messages posted there.

A process claims a message for LEASE seconds before it posts or edits it; days are those since 1970.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    delete,
    exists,
    func,
    select,
    tuple_,
    union,
    update,
)

from bot.database.database import Database
from bot.database.errors import retry_on_conflict
from bot.database.statements import add_missing, change, lock, put, record
from bot.features.daily.tables import DailyChannelRow, DailyPostRow, DailyTryRow
from bot.features.puzzles.store import begin_try
from bot.shards import Shards
from bot.store.owners import in_shards
from bot.store.people import lock_person
from bot.store.rows import Query, Transaction
from bot.store.tables import PlayerRow

LEASE = 30.0
"""Seconds for which a process owns a message it has claimed: more than posting or editing takes."""

UNREACHABLE = 0
"""The id of a message that cannot be reached."""

DAYS_KEPT = 8
"""Days for which posted messages are stored."""

MOST_NOTED = 255
"""The characters that are kept of wrong answers."""

LATEST = 30
"""The number of a person's latest tries that messages may still show."""


@dataclass(frozen=True, slots=True)
class DailyKey:
    """The puzzle of a day in one game."""

    family: str
    day: int


@dataclass(frozen=True, slots=True)
class DailyTry:
    """A person's first try at a puzzle of the day."""

    user_id: int
    family: str
    day: int
    puzzle: str
    guild_id: int | None
    """The server on which it was begun; None in private."""
    begun_at: float
    settled_at: float | None
    solved: bool | None
    wrong: str = ""
    """The wrong answers before it was solved, each once, separated by spaces."""
    done_at: float | None = None
    """When it was solved, at whichever try."""
    shared: int = 0
    """1 once the person has shared the result."""


class Solver(NamedTuple):
    """A person who has tried a puzzle of the day."""

    user_id: int
    has_solved: bool
    is_private: bool
    """Whether they hide their statistics."""


@dataclass(frozen=True, slots=True)
class DailyChannel:
    """The channel in which a server wants its puzzle of the day."""

    guild_id: int
    channel_id: int
    family: str
    locale: str
    hour: int
    """The hour, in UTC, from which it is posted."""
    since: float
    closed_at: float | None = None
    """Since when the bot may not post there; None while it may."""


@dataclass(frozen=True, slots=True)
class DailyPost:
    """A server's message with the puzzle of a day."""

    guild_id: int
    family: str
    day: int
    puzzle: str
    channel_id: int
    locale: str
    message_id: int | None
    """None until it is known to exist; UNREACHABLE if it cannot be reached."""
    sent_at: float | None
    """When it was first sent, as long as it is not known whether it arrived."""
    state: int
    """A number that grows with every change of the message's content."""

    @property
    def key(self) -> DailyKey:
        """The puzzle that it shows."""
        return DailyKey(self.family, self.day)


@dataclass(frozen=True, slots=True)
class Today:
    """A moment, and the puzzles of its day."""

    at: float
    day: int
    hour: int
    puzzles: Mapping[str, str]
    """The puzzle of the day of each game that has one."""


class DailyTries:
    """The repository of first tries at puzzles of the day."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, user_id: int, key: DailyKey) -> DailyTry | None:
        """A person's first try at a puzzle of the day; None if there is none."""
        found = await self._database.fetch(select(DailyTryRow).where(_is_try(user_id, key)))
        return record(DailyTry, found[0]) if found else None

    async def all_of(self, user_id: int) -> tuple[DailyTry, ...]:
        """All tries of a person, by day."""
        theirs = select(DailyTryRow).where(DailyTryRow.user_id == user_id)
        rows = await self._database.fetch(theirs.order_by(DailyTryRow.day, DailyTryRow.family))
        return tuple(record(DailyTry, row) for row in rows)

    @retry_on_conflict
    async def begin(
        self, user_id: int, key: DailyKey, puzzle: str, ladder: str, at: float, guild: int | None
    ) -> None:
        """Give a person the puzzle of a day; it counts for the server where it is begun."""
        begun = {"user_id": user_id, "family": key.family, "day": key.day, "puzzle": puzzle}
        async with self._database.writing() as connection:
            await lock_person(connection, user_id, at)
            await begin_try(connection, user_id, puzzle, ladder, at)
            values = {**begun, "guild_id": guild, "begun_at": at}
            await add_missing(connection, DailyTryRow, values)
            if guild is not None:
                in_private = DailyTryRow.guild_id.is_(None), DailyTryRow.settled_at.is_(None)
                here = update(DailyTryRow).where(_is_try(user_id, key), *in_private)
                await connection.execute(here.values(guild_id=guild))

    @retry_on_conflict
    async def note(
        self, user_id: int, key: DailyKey, answer: str, at: float, *, solved: bool
    ) -> None:
        """Record an answer to a person's puzzle of a day, unless they have solved it before."""
        async with self._database.writing() as connection:
            await lock(connection, PlayerRow.id, (user_id,))
            mine = select(DailyTryRow).where(_is_try(user_id, key))
            found = (await connection.execute(mine)).one_or_none()
            if found is None or found.done_at is not None:
                return
            given = found.wrong.split()
            values: dict[str, Any] = {"done_at": at}
            if not solved:
                values = {"wrong": " ".join((*given, answer))}
            if solved or (answer not in given and len(values["wrong"]) <= MOST_NOTED):
                await connection.execute(
                    update(DailyTryRow).where(_is_try(user_id, key)).values(values)
                )

    async def share(self, user_id: int, key: DailyKey, *, shared: bool = True) -> bool:
        """Record that a result is shared, or is not after all; False if it was so before."""
        done = update(DailyTryRow).where(_is_try(user_id, key), DailyTryRow.done_at.is_not(None))
        differs = done.where(DailyTryRow.shared != int(shared))
        return await self._database.change(differs.values(shared=int(shared))) > 0

    async def solvers(self, guild_id: int, key: DailyKey) -> list[Solver]:
        """The members of a server who have tried the puzzle of a day, the earliest first."""
        rows = await self._database.fetch(board_query(guild_id, key))
        return [Solver(row.user_id, bool(row.solved), row.private) for row in rows]

    async def days(self, people: list[int], key: DailyKey) -> dict[int, set[int]]:
        """The days up to one on which people solved the puzzle of the day, for each of them."""
        found: dict[int, set[int]] = {user_id: set() for user_id in people}
        for row in await self._database.fetch(days_query(people, key)) if people else ():
            found[row.user_id].add(row.day)
        return found

    @retry_on_conflict
    async def outdate(self, user_id: int) -> None:
        """Mark the messages that may name a person as outdated, so that they are edited."""
        async with self._database.writing() as connection:
            await _outdate(connection, DailyTryRow.user_id == user_id)


class DailyPosts:
    """The repository of servers' channels and messages, one message for each server and day."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def channel(self, guild_id: int) -> DailyChannel | None:
        """The channel in which a server wants its puzzle of the day; None if it wants none."""
        here = DailyChannelRow.guild_id == guild_id
        found = await self._database.fetch(select(DailyChannelRow).where(here))
        return record(DailyChannel, found[0]) if found else None

    @retry_on_conflict
    async def subscribe(self, channel: DailyChannel) -> None:
        """Post a server's puzzles in a channel from now on; those posted already stay."""
        values = asdict(channel)
        key = {"guild_id": values.pop("guild_id")}
        async with self._database.writing() as connection:
            await put(connection, DailyChannelRow, key, values)
            await _forget_unsent(connection, channel.guild_id)

    @retry_on_conflict
    async def unsubscribe(self, guild_id: int, channel_id: int | None = None) -> bool:
        """Stop posting on a server, or in one channel; False if it was not subscribed."""
        theirs = delete(DailyChannelRow).where(DailyChannelRow.guild_id == guild_id)
        if channel_id is not None:
            theirs = theirs.where(DailyChannelRow.channel_id == channel_id)
        async with self._database.writing() as connection:
            if not await change(connection, theirs):
                return False
            await _forget_unsent(connection, guild_id)
            return True

    async def is_begun(self, guild_id: int, day: int) -> bool:
        """Whether a server's message of a day has been posted or is going to be."""
        posts = select(DailyPostRow.day).where(_is_post(guild_id, day))
        return bool(await self._database.fetch(posts))

    async def puzzle(self, guild_id: int, key: DailyKey) -> str | None:
        """The puzzle that a server was shown on a day; None if it was shown none."""
        posts = select(DailyPostRow.puzzle).where(_is_post(guild_id, key.day))
        found = await self._database.fetch(posts.where(DailyPostRow.family == key.family))
        return found[0].puzzle if found else None

    async def is_due(self, today: Today, shards: Shards | None = None) -> bool:
        """Whether anything is to be posted or edited."""
        queries = _missing_query, self._unsent_query, self._outdated_query
        for query in queries:
            if await self._database.fetch(query(today, shards).limit(1)):
                return True
        return False

    @retry_on_conflict
    async def claim_unsent(
        self, today: Today, limit: int, shards: Shards | None = None
    ) -> list[DailyPost]:
        """Claim messages of this day that are to be posted now."""
        async with self._database.writing() as connection:
            for row in await connection.execute(_missing_query(today, shards).limit(limit)):
                values = {
                    "guild_id": row.guild_id,
                    "day": today.day,
                    "family": row.family,
                    "puzzle": today.puzzles[row.family],
                    "locale": row.locale,
                    "channel_id": row.channel_id,
                    "look_at": today.at,
                }
                await add_missing(connection, DailyPostRow, values)
            found = await self._claimed(connection, self._unsent_query(today, shards), limit)
            # A message that was sent before may have arrived: the time of that is kept.
            sent = update(DailyPostRow).where(DailyPostRow.sent_at.is_(None), _among(found))
            await connection.execute(sent.values(sent_at=today.at))
            return found

    @retry_on_conflict
    async def claim_outdated(
        self, today: Today, limit: int, shards: Shards | None = None
    ) -> list[DailyPost]:
        """Claim messages that are to be edited now."""
        async with self._database.writing() as connection:
            return await self._claimed(connection, self._outdated_query(today, shards), limit)

    @retry_on_conflict
    async def posted(self, post: DailyPost, message_id: int, look_at: float) -> None:
        """Record the message that shows a puzzle, in the state `post.state`."""
        async with self._database.writing() as connection:
            values = {"message_id": message_id, "sent_at": None, "shown": post.state}
            await connection.execute(_released(post, look_at).values(values))
            here = DailyChannelRow.guild_id == post.guild_id
            await connection.execute(update(DailyChannelRow).where(here).values(closed_at=None))

    async def shown(self, post: DailyPost, look_at: float) -> None:
        """Record that a message shows the state `post.state`."""
        await self._database.change(_released(post, look_at).values(shown=post.state))

    async def postpone(self, post: DailyPost, look_at: float, *, arrived: bool | None) -> None:
        """Postpone a message; `arrived` says whether it arrived, None that this is not known."""
        change = _released(post, look_at)
        if arrived is False:
            change = change.values(sent_at=None)
        await self._database.change(change)

    async def mark_unreachable(self, post: DailyPost) -> None:
        """Record that a message cannot be reached: it is neither posted nor edited any more."""
        await self._database.change(_released(post, 0.0).values(message_id=UNREACHABLE))

    @retry_on_conflict
    async def close(self, guild_id: int, at: float) -> DailyChannel | None:
        """Record that the bot may not post in a server's channel; returns the channel."""
        async with self._database.writing() as connection:
            closed = func.coalesce(DailyChannelRow.closed_at, at)
            here = DailyChannelRow.guild_id == guild_id
            await connection.execute(update(DailyChannelRow).where(here).values(closed_at=closed))
            found = (await connection.execute(select(DailyChannelRow).where(here))).one_or_none()
            return None if found is None else record(DailyChannel, found)

    async def clear(self, today: Today) -> None:
        """Delete old messages from the database."""
        old = DailyPostRow.day < today.day - DAYS_KEPT
        await self._database.change(delete(DailyPostRow).where(old))

    async def _claimed(
        self, connection: Transaction, query: Select[Any], limit: int
    ) -> list[DailyPost]:
        # Rows that another process is claiming at this moment are skipped.
        locked = query.limit(limit).with_for_update(of=DailyPostRow, skip_locked=True)
        found = [record(DailyPost, row) for row in await connection.execute(locked)]
        busy = update(DailyPostRow).where(_among(found))
        await connection.execute(busy.values(busy_until=self._database.now + LEASE))
        return found

    def _unsent_query(self, today: Today, shards: Shards | None) -> Select[Any]:
        """The messages of a day that are due, of servers that still want one."""
        due = and_(DailyPostRow.day == today.day, DailyPostRow.message_id.is_(None))
        wanted = DailyChannelRow.guild_id == DailyPostRow.guild_id
        return self._free(today, shards).join(DailyChannelRow, wanted).where(due)

    def _outdated_query(self, today: Today, shards: Shards | None) -> Select[Any]:
        """The messages of a day and the day before that do not show the present state."""
        lately = DailyPostRow.day.in_((today.day - 1, today.day))
        reachable = DailyPostRow.message_id != UNREACHABLE
        differs = DailyPostRow.shown < DailyPostRow.state
        return self._free(today, shards).where(lately, reachable, differs)

    def _free(self, today: Today, shards: Shards | None) -> Select[Any]:
        free = DailyPostRow.busy_until < self._database.now, DailyPostRow.look_at <= today.at
        mine = in_shards(DailyPostRow.guild_id, shards)
        return select(DailyPostRow).where(*free, mine).order_by(DailyPostRow.look_at)


async def settle_daily(
    connection: Transaction, user_id: int, key: DailyKey, solved: bool, at: float
) -> None:
    """Settle a person's first try at a puzzle of the day; their server's message is outdated."""
    is_open = and_(_is_try(user_id, key), DailyTryRow.settled_at.is_(None))
    settled = update(DailyTryRow).where(is_open).values(settled_at=at, solved=solved)
    if await change(connection, settled):
        await _outdate(connection, _is_try(user_id, key))


async def _outdate(connection: Transaction, which: ColumnElement[bool]) -> None:
    """Mark the latest messages that show these tries as outdated."""
    columns = select(DailyTryRow.guild_id, DailyTryRow.day, DailyTryRow.family)
    latest = columns.where(which, DailyTryRow.guild_id.is_not(None))
    found = await connection.execute(latest.order_by(DailyTryRow.day.desc()).limit(LATEST))
    keys = [tuple(row) for row in found]
    if keys:
        posts = tuple_(DailyPostRow.guild_id, DailyPostRow.day, DailyPostRow.family)
        shown = update(DailyPostRow).where(posts.in_(keys))
        await connection.execute(shown.values(state=DailyPostRow.state + 1))


async def delete_tries(connection: Transaction, user_id: int) -> None:
    """Delete a person's tries, and mark the messages that name the person as outdated."""
    theirs = DailyTryRow.user_id == user_id
    await _outdate(connection, theirs)
    await connection.execute(delete(DailyTryRow).where(theirs))


def guilds_query() -> Query:
    """The servers that want puzzles, or whose members have tried one there."""
    tried = select(DailyTryRow.guild_id).where(DailyTryRow.guild_id.is_not(None))
    return union(tried, select(DailyChannelRow.guild_id)).subquery().select()


async def forget_guild(connection: Transaction, guild_id: int) -> None:
    """Delete the data of a server; people keep their tries."""
    for own in (DailyChannelRow, DailyPostRow):
        await connection.execute(delete(own).where(own.guild_id == guild_id))
    tried = update(DailyTryRow).where(DailyTryRow.guild_id == guild_id)
    await connection.execute(tried.values(guild_id=None))


def board_query(guild_id: int, key: DailyKey) -> Select[int, bool | None, bool]:
    """Settled tries at a server's puzzle of the day, the earliest first."""
    here = and_(
        DailyTryRow.guild_id == guild_id,
        DailyTryRow.day == key.day,
        DailyTryRow.family == key.family,
        DailyTryRow.settled_at.is_not(None),
    )
    columns = select(DailyTryRow.user_id, DailyTryRow.solved, PlayerRow.private)
    people = columns.join(PlayerRow, PlayerRow.id == DailyTryRow.user_id)
    return people.where(here).order_by(DailyTryRow.settled_at, DailyTryRow.user_id)


def days_query(people: list[int], key: DailyKey) -> Select[int, int]:
    """The days up to one on which people solved the puzzle of the day."""
    return select(DailyTryRow.user_id, DailyTryRow.day).where(
        DailyTryRow.user_id.in_(people),
        DailyTryRow.family == key.family,
        DailyTryRow.day <= key.day,
        DailyTryRow.solved.is_(True),
    )


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


async def _forget_unsent(connection: Transaction, guild_id: int) -> None:
    """Delete messages that no process has begun to post."""
    unsent = and_(DailyPostRow.message_id.is_(None), DailyPostRow.sent_at.is_(None))
    theirs = delete(DailyPostRow).where(DailyPostRow.guild_id == guild_id, unsent)
    await connection.execute(theirs)


def _among(posts: list[DailyPost]) -> ColumnElement[bool]:
    keys = [(post.guild_id, post.day) for post in posts]
    return tuple_(DailyPostRow.guild_id, DailyPostRow.day).in_(keys)


def _released(post: DailyPost, look_at: float) -> Any:
    """The statement that ends a claim."""
    posts = update(DailyPostRow).where(_is_post(post.guild_id, post.day))
    return posts.values(busy_until=0.0, look_at=look_at)


def _is_post(guild_id: int, day: int) -> ColumnElement[bool]:
    return and_(DailyPostRow.guild_id == guild_id, DailyPostRow.day == day)


def _is_try(user_id: int, key: DailyKey) -> ColumnElement[bool]:
    return and_(
        DailyTryRow.user_id == user_id,
        DailyTryRow.family == key.family,
        DailyTryRow.day == key.day,
    )
