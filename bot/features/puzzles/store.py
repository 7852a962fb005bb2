"""The tables of puzzles: who tried which, how strong people are at them, and puzzles of the day.

A day is counted from 1970 on, in UTC.

Puzzles as the store takes and returns them: immutable values.

Reading and writing the rows of puzzles, inside a caller's transaction.

People's tries at puzzles, and how strong they are at them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    ForeignKey,
    Index,
    Select,
    String,
    and_,
    select,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.database import Database
from bot.database.errors import again
from bot.database.statements import Base, add_missing, change, lock, put
from bot.store.people import enter
from bot.store.records import Rating
from bot.store.tables import PlayerRow

_TRANSIENT: dict[str, Any] = {"info": {"transient": True}}
"""Of no use to another database."""


class PuzzleRatingRow(Base):
    """How strong a person is at the puzzles of one ladder, apart from games."""

    __tablename__ = "puzzle_ratings"

    user_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )
    ladder: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The game and size class, such as `connect4-classic`."""
    value: Mapped[float]
    deviation: Mapped[float]
    volatility: Mapped[float]
    surprise: Mapped[float]
    """The points by which the latest results were beyond expectation."""
    tries: Mapped[int]
    solved: Mapped[int]
    """How many of these tries found everything at once."""
    updated_at: Mapped[float]


class PuzzleTryRow(Base):
    """A person's first try at a puzzle: the only one that counts."""

    __tablename__ = "puzzle_tries"
    # By the person, newest first.
    __table_args__ = (Index("ix_puzzle_tries_person", "user_id", "ladder", "had_at"),)

    user_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )
    puzzle: Mapped[str] = mapped_column(String(16), primary_key=True)
    ladder: Mapped[str] = mapped_column(String(64))
    begun_at: Mapped[float]
    """When it was first shown."""
    had_at: Mapped[float]
    """When the person last had to do with it."""
    settled_at: Mapped[float | None]
    """When the first wrong move was made, or all was found; empty until then."""
    solved: Mapped[bool | None]
    """Whether all was found without a wrong move."""
    value_before: Mapped[float | None]
    value_after: Mapped[float | None]
    """The person's rating at puzzles on the ladder."""


class DailyTryRow(Base):
    """A person's first try at a puzzle of the day."""

    __tablename__ = "daily_tries"
    # Who has solved a server's puzzle of the day.
    __table_args__ = (Index("ix_daily_tries_guild", "guild_id", "day"),)

    user_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )
    family: Mapped[str] = mapped_column(String(32), primary_key=True)
    day: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    puzzle: Mapped[str] = mapped_column(String(16))
    guild_id: Mapped[int | None] = mapped_column(BigInteger)
    """The server on which it was begun; empty in private."""
    begun_at: Mapped[float]
    settled_at: Mapped[float | None]
    solved: Mapped[bool | None]


class DailyChannelRow(Base):
    """The channel in which a server wants its puzzle of the day."""

    __tablename__ = "daily_channels"

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    channel_id: Mapped[int] = mapped_column(BigInteger)
    family: Mapped[str] = mapped_column(String(32))
    locale: Mapped[str] = mapped_column(String(16))
    """The language of the messages."""
    hour: Mapped[int]
    """From which hour of the day on, in UTC."""
    since: Mapped[float]
    closed_at: Mapped[float | None]
    """Since when the bot may not post there; empty while it may."""


class DailyPostRow(Base):
    """A server's message with the puzzle of a day: one a day, claimed before it is sent."""

    __tablename__ = "daily_posts"
    __table_args__ = (Index("ix_daily_posts_day", "day", "look_at"),)

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    day: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    family: Mapped[str] = mapped_column(String(32))
    puzzle: Mapped[str] = mapped_column(String(16))
    locale: Mapped[str] = mapped_column(String(16))
    channel_id: Mapped[int] = mapped_column(BigInteger)
    message_id: Mapped[int | None] = mapped_column(BigInteger)
    """Empty until it is known to be there; 0 where nobody can reach it."""
    sent_at: Mapped[float | None]
    """When it was first sent, while nobody knows whether it arrived."""
    state: Mapped[int] = mapped_column(server_default="0")
    """Grows with everything that the message is to show."""
    shown: Mapped[int] = mapped_column(server_default="0")
    """What it last showed, as such a number."""
    look_at: Mapped[float]
    """Before that nothing is posted or edited."""
    busy_until: Mapped[float] = mapped_column(server_default="0", **_TRANSIENT)
    """Until when a process is at work on it, by the database's clock."""


@dataclass(frozen=True, slots=True)
class PuzzleRecord:
    """How strong a person is at the puzzles of one ladder."""

    user_id: int
    ladder: str
    rating: Rating
    """Of which `games` are the first tries."""
    solved: int
    """How many of them found everything at once."""
    updated_at: float


@dataclass(frozen=True, slots=True)
class PuzzleTry:
    """A person's first try at a puzzle."""

    user_id: int
    puzzle: str
    ladder: str
    begun_at: float
    had_at: float
    """When the person last had to do with the puzzle."""
    settled_at: float | None
    """When the first wrong move was made, or all was found; None until then."""
    solved: bool | None
    """Whether all was found without a wrong move."""
    value_before: float | None
    value_after: float | None

    @property
    def seconds(self) -> float | None:
        """How long it took; None while it is open."""
        return None if self.settled_at is None else self.settled_at - self.begun_at


@dataclass(frozen=True, slots=True)
class DailyKey:
    """The puzzle of a day in one family of games."""

    family: str
    day: int
    """Counted from 1970 on, in UTC."""


@dataclass(frozen=True, slots=True)
class DailyTry:
    """A person's first try at a puzzle of the day."""

    user_id: int
    key: DailyKey
    puzzle: str
    guild_id: int | None
    """The server on which it was begun; None in private."""
    begun_at: float
    settled_at: float | None
    solved: bool | None


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of a first try."""

    attempt: PuzzleTry
    counted: bool
    """Whether this settled it; False where that had been done before."""


@dataclass(frozen=True, slots=True)
class Solver:
    """Somebody who solved a puzzle of the day at the first try, and may be named."""

    user_id: int
    streak: int
    """On how many days in a row, this one included."""


@dataclass(frozen=True, slots=True)
class SolverBoard:
    """Who of a server has tried the puzzle of a day."""

    tried: int
    solved: int
    """At the first try; who hides their statistics is counted and not named."""
    first: tuple[Solver, ...] = ()
    """The earliest ones."""
    more: bool = False
    """Whether there are others who may be named."""


Rate = Callable[[PuzzleRecord | None, PuzzleTry], tuple[Rating, Rating]]
"""From a person's stored rating and a try that has just been settled to the rating before it, as
of now, and after it; pure."""


@dataclass(frozen=True, slots=True)
class DailyChannel:
    """Where a server wants its puzzle of the day."""

    guild_id: int
    channel_id: int
    family: str
    locale: str
    hour: int
    """From which hour on, in UTC."""
    since: float
    closed_at: float | None = None
    """Since when the bot may not post there."""


@dataclass(frozen=True, slots=True)
class DailyPost:
    """A server's message with the puzzle of a day."""

    guild_id: int
    key: DailyKey
    puzzle: str
    channel_id: int
    locale: str
    message_id: int | None
    """None until it is known to be there; 0 where nobody can reach it."""
    sent_at: float | None
    """When it was sent before without anybody knowing whether it arrived."""
    state: int
    """A number that grows with everything that the message is to show."""


@dataclass(frozen=True, slots=True)
class Today:
    """What is due on servers at a moment."""

    at: float
    day: int
    hour: int
    puzzles: Mapping[str, str]
    """The puzzle of the day of each family that has one."""


def streak(days: Collection[int], last: int) -> int:
    """How many days in a row are among `days`, up to and with the day `last`."""
    length = 0
    while last - length in days:
        length += 1
    return length


LATEST = 30
"""How many of a person's latest tries messages may still show."""

_TRY = (
    "user_id",
    "puzzle",
    "ladder",
    "begun_at",
    "had_at",
    "settled_at",
    "solved",
    "value_before",
    "value_after",
)


async def hold(connection: AsyncConnection, user_id: int, at: float) -> None:
    """Enter a person, and keep others from changing what is theirs until this is stored."""
    await enter(connection, (user_id,), at)
    await hold_known(connection, user_id)


async def hold_known(connection: AsyncConnection, user_id: int) -> None:
    """Keep others from changing what is a person's until this is stored."""
    await lock(connection, PlayerRow.id, (user_id,))


async def begin(
    connection: AsyncConnection, user_id: int, puzzle: str, ladder: str, at: float
) -> PuzzleTry:
    """Begin a person's first try at a puzzle, unless it has begun before."""
    begun = {"user_id": user_id, "puzzle": puzzle, "ladder": ladder}
    await add_missing(connection, PuzzleTryRow, {**begun, "begun_at": at, "had_at": at})
    return (await tries(connection, try_query(user_id, puzzle)))[0]


async def settle(
    connection: AsyncConnection, user_id: int, puzzle: str, solved: bool, at: float, rate: Rate
) -> bool:
    """Settle a person's first try and rate it; False if that has been done."""
    had = update(PuzzleTryRow).where(_is_try(user_id, puzzle)).values(had_at=at)
    await connection.execute(had)
    is_open = and_(_is_try(user_id, puzzle), PuzzleTryRow.settled_at.is_(None))
    settled = update(PuzzleTryRow).where(is_open).values(settled_at=at, solved=solved)
    if not await change(connection, settled):
        return False
    (attempt,) = await tries(connection, try_query(user_id, puzzle))
    found = (await connection.execute(rating_query(user_id, attempt.ladder))).one_or_none()
    known = None if found is None else record(found)
    before, after = rate(known, attempt)
    values = {"value_before": before.value, "value_after": after.value}
    await connection.execute(update(PuzzleTryRow).where(_is_try(user_id, puzzle)).values(values))
    count = (known.solved if known else 0) + solved
    key = {"user_id": user_id, "ladder": attempt.ladder}
    await put(connection, PuzzleRatingRow, key, _rating_values(after, count, at))
    return True


async def settle_daily(
    connection: AsyncConnection, user_id: int, key: DailyKey, solved: bool, at: float
) -> None:
    """Settle a person's first try at a puzzle of the day; their server's message is outdated."""
    is_open = and_(_is_daily(user_id, key), DailyTryRow.settled_at.is_(None))
    settled = update(DailyTryRow).where(is_open).values(settled_at=at, solved=solved)
    if await change(connection, settled):
        await outdate(connection, _is_daily(user_id, key))


async def outdate(connection: AsyncConnection, which: ColumnElement[bool]) -> None:
    """Have the latest messages edited that show these tries at puzzles of the day."""
    columns = select(DailyTryRow.guild_id, DailyTryRow.day, DailyTryRow.family)
    latest = columns.where(which, DailyTryRow.guild_id.is_not(None))
    found = await connection.execute(latest.order_by(DailyTryRow.day.desc()).limit(LATEST))
    keys = [tuple(row) for row in found]
    if keys:
        posts = tuple_(DailyPostRow.guild_id, DailyPostRow.day, DailyPostRow.family)
        shown = update(DailyPostRow).where(posts.in_(keys))
        await connection.execute(shown.values(state=DailyPostRow.state + 1))


async def tries(connection: AsyncConnection, statement: Select[Any]) -> list[PuzzleTry]:
    """The tries that a query finds."""
    return [try_of(row) for row in await connection.execute(statement)]


def try_query(user_id: int, puzzle: str) -> Select[Any]:
    """A person's first try at a puzzle."""
    return select(PuzzleTryRow).where(_is_try(user_id, puzzle))


def tries_query(user_id: int, ladder: str) -> Select[Any]:
    """A person's tries on a ladder, those that they had longest ago first."""
    theirs = and_(PuzzleTryRow.user_id == user_id, PuzzleTryRow.ladder == ladder)
    return select(PuzzleTryRow).where(theirs).order_by(PuzzleTryRow.had_at)


def rating_query(user_id: int, ladder: str) -> Select[Any]:
    """A person's rating at the puzzles of a ladder."""
    theirs = and_(PuzzleRatingRow.user_id == user_id, PuzzleRatingRow.ladder == ladder)
    return select(PuzzleRatingRow).where(theirs)


def daily_query(user_id: int, key: DailyKey) -> Select[Any]:
    """A person's first try at a puzzle of the day."""
    return select(DailyTryRow).where(_is_daily(user_id, key))


def try_of(row: Any) -> PuzzleTry:
    """A try from its row."""
    return PuzzleTry(**{name: getattr(row, name) for name in _TRY})


def record(row: Any) -> PuzzleRecord:
    """A person's rating at puzzles from its row."""
    rating = Rating(row.value, row.deviation, row.volatility, row.tries, row.surprise)
    return PuzzleRecord(row.user_id, row.ladder, rating, row.solved, row.updated_at)


def daily_of(row: Any) -> DailyTry:
    """A try at a puzzle of the day from its row."""
    key = DailyKey(row.family, row.day)
    return DailyTry(
        row.user_id, key, row.puzzle, row.guild_id, row.begun_at, row.settled_at, row.solved
    )


def post_of(row: Any) -> DailyPost:
    """A server's message from its row."""
    return DailyPost(
        guild_id=row.guild_id,
        key=DailyKey(row.family, row.day),
        puzzle=row.puzzle,
        channel_id=row.channel_id,
        locale=row.locale,
        message_id=row.message_id,
        sent_at=row.sent_at,
        state=row.state,
    )


def _rating_values(rating: Rating, solved: int, at: float) -> dict[str, Any]:
    return {
        "value": rating.value,
        "deviation": rating.deviation,
        "volatility": rating.volatility,
        "surprise": rating.surprise,
        "tries": rating.games,
        "solved": solved,
        "updated_at": at,
    }


def _is_try(user_id: int, puzzle: str) -> ColumnElement[bool]:
    return and_(PuzzleTryRow.user_id == user_id, PuzzleTryRow.puzzle == puzzle)


def _is_daily(user_id: int, key: DailyKey) -> ColumnElement[bool]:
    return and_(
        DailyTryRow.user_id == user_id,
        DailyTryRow.family == key.family,
        DailyTryRow.day == key.day,
    )


MOST_NAMED = 10
"""How many solvers of a day are named."""


class Puzzles:
    """Of each person and puzzle only the first try counts, and counts once."""

    def __init__(self, database: Database) -> None:
        """Keep tries in `database`."""
        self._database = database

    async def rating(self, user_id: int, ladder: str) -> PuzzleRecord | None:
        """A person's rating at puzzles; None before the first one was tried."""
        found = await self._database.fetch(rating_query(user_id, ladder))
        return record(found[0]) if found else None

    async def ratings(self, user_id: int) -> tuple[PuzzleRecord, ...]:
        """All of a person's ratings at puzzles, by the name of the ladder."""
        theirs = select(PuzzleRatingRow).where(PuzzleRatingRow.user_id == user_id)
        rows = await self._database.fetch(theirs.order_by(PuzzleRatingRow.ladder))
        return tuple(record(row) for row in rows)

    async def attempt(self, user_id: int, puzzle: str) -> PuzzleTry | None:
        """A person's first try at a puzzle; None if they have not been given it."""
        found = await self._database.fetch(try_query(user_id, puzzle))
        return try_of(found[0]) if found else None

    async def daily(self, user_id: int, key: DailyKey) -> DailyTry | None:
        """A person's first try at a puzzle of the day; None if there is none."""
        found = await self._database.fetch(daily_query(user_id, key))
        return daily_of(found[0]) if found else None

    async def all_of(self, user_id: int) -> tuple[tuple[PuzzleTry, ...], tuple[DailyTry, ...]]:
        """All tries of a person, at puzzles and at puzzles of the day, oldest first."""
        tries = select(PuzzleTryRow).where(PuzzleTryRow.user_id == user_id)
        daily = select(DailyTryRow).where(DailyTryRow.user_id == user_id)
        rows = await self._database.fetch(tries.order_by(PuzzleTryRow.begun_at))
        days = await self._database.fetch(daily.order_by(DailyTryRow.day, DailyTryRow.family))
        return tuple(map(try_of, rows)), tuple(map(daily_of, days))

    async def tries(self, user_id: int, ladder: str) -> tuple[PuzzleTry, ...]:
        """A person's tries on a ladder, in the order in which they last had the puzzles."""
        rows = await self._database.fetch(tries_query(user_id, ladder))
        return tuple(try_of(row) for row in rows)

    @again
    async def begin(self, user_id: int, puzzle: str, ladder: str, at: float) -> PuzzleTry:
        """Give a person a puzzle: their first try begins now, unless it has before."""
        async with self._database.writing() as connection:
            await hold(connection, user_id, at)
            return await begin(connection, user_id, puzzle, ladder, at)

    @again
    async def begin_daily(
        self,
        user_id: int,
        key: DailyKey,
        puzzle: str,
        ladder: str,
        at: float,
        guild_id: int | None = None,
    ) -> DailyTry:
        """Give a person the puzzle of a day; it counts for the server on which it is begun."""
        async with self._database.writing() as connection:
            await hold(connection, user_id, at)
            await begin(connection, user_id, puzzle, ladder, at)
            begun = {"user_id": user_id, "family": key.family, "day": key.day}
            values = {**begun, "puzzle": puzzle, "guild_id": guild_id, "begun_at": at}
            await add_missing(connection, DailyTryRow, values)
            query = daily_query(user_id, key)
            found = daily_of((await connection.execute(query)).one())
            if found.guild_id is None and found.settled_at is None and guild_id is not None:
                theirs = [getattr(DailyTryRow, name) == value for name, value in begun.items()]
                here = update(DailyTryRow).where(and_(*theirs)).values(guild_id=guild_id)
                await connection.execute(here)
            return found

    @again
    async def settle(
        self,
        user_id: int,
        puzzle: str,
        at: float,
        rate: Rate,
        *,
        solved: bool,
        daily: DailyKey | None = None,
    ) -> Settled | None:
        """Settle a person's first try, and rate it; what was settled before stays as it is.

        Args:
            user_id: Whose try.
            puzzle: At which puzzle.
            at: Now.
            rate: Says what it changes.
            solved: Whether all was found without a wrong move.
            daily: The day of which it is the puzzle, if it counts for that.

        Returns None where nothing is known of a try, as after everything was deleted.
        """
        async with self._database.writing() as connection:
            await hold_known(connection, user_id)
            counted = await settle(connection, user_id, puzzle, solved, at, rate)
            if daily is not None:
                await settle_daily(connection, user_id, daily, solved, at)
            query = try_query(user_id, puzzle)
            found = await tries(connection, query)
            return Settled(found[0], counted) if found else None

    async def streak(self, user_id: int, key: DailyKey) -> int:
        """On how many days in a row a person has solved the puzzle of the day, up to this one.

        The day itself is left out while they have not solved it: it is not over.
        """
        days = (await self._days_of([user_id], key)).get(user_id, set())
        return streak(days, key.day if key.day in days else key.day - 1)

    async def board(self, guild_id: int, key: DailyKey) -> SolverBoard:
        """Who of a server has tried the puzzle of a day, the earliest solvers first."""
        rows = await self._database.fetch(board_query(guild_id, key))
        solved = [row for row in rows if row.solved]
        known = [row.user_id for row in solved if not row.private]
        named = known[:MOST_NAMED]
        days = await self._days_of(named, key)
        first = tuple(Solver(user, streak(days[user], key.day)) for user in named)
        return SolverBoard(len(rows), len(solved), first, more=len(known) > len(named))

    @again
    async def outdate(self, user_id: int) -> None:
        """Have the messages edited that may name a person."""
        async with self._database.writing() as connection:
            await outdate(connection, DailyTryRow.user_id == user_id)

    async def _days_of(self, people: list[int], key: DailyKey) -> dict[int, set[int]]:
        """The days up to one on which people solved the puzzle of the day."""
        found: dict[int, set[int]] = {}
        for row in await self._database.fetch(days_query(people, key)) if people else ():
            found.setdefault(row.user_id, set()).add(row.day)
        return found


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
