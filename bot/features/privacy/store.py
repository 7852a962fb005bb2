"""Servers that have removed the bot, and what is theirs.

What is stored about one person, and deleting it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    and_,
    case,
    delete,
    func,
    or_,
    select,
    union,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.database import Database
from bot.database.errors import again
from bot.database.statements import Base, add_missing, lock
from bot.features.lessons.store import LessonPartRow
from bot.features.proposals.store import DrawRow, UndoRow
from bot.features.puzzles.store import (
    DailyChannelRow,
    DailyPostRow,
    DailyTryRow,
    PuzzleRatingRow,
    PuzzleTryRow,
    outdate,
)
from bot.shards import Shards
from bot.store.damaged_games import DamagedGameRow
from bot.store.owners import in_shards
from bot.store.people import RateSlotRow
from bot.store.records import FORMER_PLAYER
from bot.store.results import UNREADABLE, is_nobodys
from bot.store.rows import delete_games, delete_undeclared, total
from bot.store.tables import (
    ChallengeRow,
    GameRow,
    HintRow,
    MoveRow,
    PlayerRow,
    RatingChangeRow,
    RatingRow,
    UnaidedRow,
    VoteRow,
)

NOWHERE = 0
"""The channel of a game whose server has been forgotten."""


class DepartureRow(Base):
    """A server that has removed the bot and has not taken it back."""

    __tablename__ = "departures"

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    left_at: Mapped[float]


class Departures:
    """When servers left, and forgetting them."""

    def __init__(self, database: Database) -> None:
        """Keep departures in `database`."""
        self._database = database

    @again
    async def note(self, guild_id: int, at: float) -> None:
        """Note that a server has removed the bot; if that is known already, nothing changes."""
        async with self._database.writing() as connection:
            await add_missing(connection, DepartureRow, {"guild_id": guild_id, "left_at": at})

    async def cancel(self, guild_id: int) -> None:
        """Note that a server has the bot again."""
        await self._database.change(delete(DepartureRow).where(DepartureRow.guild_id == guild_id))

    async def reconcile(
        self, present: Collection[int], at: float, shards: Shards | None = None
    ) -> None:
        """Bring the notes up to date with the servers that have the bot now.

        With `shards` only theirs are known: nothing is said of the servers of others.
        """
        left = {row.guild_id for row in await self._database.fetch(select(DepartureRow.guild_id))}
        stored = {row.guild_id for row in await self._database.fetch(guilds_query())}
        for guild_id in left.intersection(present):
            await self.cancel(guild_id)
        for guild_id in stored - left - set(present):
            if shards is not None and not shards.serves(guild_id):
                continue
            await self.note(guild_id, at)

    async def due(self, until: float, shards: Shards | None = None) -> list[int]:
        """The servers, of these shards or any, that left by then, the earliest first."""
        here = in_shards(DepartureRow.guild_id, shards)
        found = select(DepartureRow.guild_id).where(DepartureRow.left_at <= until, here)
        rows = await self._database.fetch(found.order_by(DepartureRow.left_at))
        return [row.guild_id for row in rows]

    async def channels_in_use(self, guild_id: int) -> list[int]:
        """The channels of a server in which a game is running."""
        running = and_(GameRow.guild_id == guild_id, GameRow.finished_at.is_(None))
        rows = await self._database.fetch(select(GameRow.channel_id).where(running))
        return [row.channel_id for row in rows]

    @again
    async def forget(self, guild_id: int) -> None:
        """Delete what is a server's, in one transaction; its running games must have ended.

        Games that no person played are deleted. People's games stay theirs, and no longer say where
        they were.
        """
        here = GameRow.guild_id == guild_id
        ended = and_(here, GameRow.finished_at.is_not(None))
        nobodys = and_(ended, is_nobodys())
        nowhere = {"guild_id": None, "channel_id": NOWHERE, "message_id": None, "ping_id": None}
        async with self._database.writing() as connection:
            await delete_games(connection, nobodys)
            theirs = select(GameRow.id).where(ended).scalar_subquery()
            for table in (UndoRow, DrawRow):
                asked = update(table).where(table.game_id.in_(theirs))
                await connection.execute(asked.values(message_id=None))
            await connection.execute(update(GameRow).where(ended).values(nowhere))
            await connection.execute(delete(ChallengeRow).where(ChallengeRow.guild_id == guild_id))
            for own in (DailyChannelRow, DailyPostRow):
                await connection.execute(delete(own).where(own.guild_id == guild_id))
            tried = update(DailyTryRow).where(DailyTryRow.guild_id == guild_id)
            await connection.execute(tried.values(guild_id=None))
            left = delete(DepartureRow).where(DepartureRow.guild_id == guild_id)
            await connection.execute(left)


def guilds_query() -> Select[Any]:
    """The servers of which something is stored."""
    played = select(GameRow.guild_id).where(GameRow.guild_id.is_not(None))
    solved = select(DailyTryRow.guild_id).where(DailyTryRow.guild_id.is_not(None))
    return union(played, solved, select(DailyChannelRow.guild_id)).subquery().select()


class StillPlays(Exception):
    """The person sits at a game that is running, or has begun one to watch."""


@dataclass(frozen=True, slots=True)
class PersonRecord:
    """What is stored about a person."""

    joined_at: float
    private: bool
    pings: bool
    spoken: bool
    games: int
    """Games that are over."""
    running: int
    moves: int
    hints: int
    ratings: int
    """Ladders on which there is a rating."""
    puzzles: int
    """Puzzles that the person has been given."""
    lesson_parts: int
    """What they have solved in lessons."""
    votes: int
    """On moves and on who wins."""


class Erasure:
    """People as the database knows them: all of it at once, or none."""

    def __init__(self, database: Database) -> None:
        """Look and delete in `database`."""
        self._database = database

    async def record(self, user_id: int) -> PersonRecord | None:
        """What is stored about a person; None for nothing."""
        async with self._database.reading() as connection:
            person = select(PlayerRow).where(PlayerRow.id == user_id)
            found = (await connection.execute(person)).one_or_none()
            if found is None:
                return None
            over = GameRow.finished_at.is_not(None)
            theirs = select(GameRow.id).where(_seated(user_id)).scalar_subquery()
            return PersonRecord(
                joined_at=found.joined_at,
                private=found.private,
                pings=found.pings,
                spoken=found.spoken,
                games=await _count(connection, GameRow, _seated(user_id), over),
                running=await _count(connection, GameRow, _seated(user_id), ~over),
                moves=await _count(
                    connection, MoveRow, MoveRow.game_id.in_(theirs), MoveRow.user_id == user_id
                ),
                hints=await _hints(
                    connection, HintRow.game_id.in_(theirs), HintRow.user_id == user_id
                ),
                ratings=await _count(connection, RatingRow, RatingRow.user_id == user_id),
                puzzles=await _count(connection, PuzzleTryRow, PuzzleTryRow.user_id == user_id),
                lesson_parts=await _count(
                    connection, LessonPartRow, LessonPartRow.user_id == user_id
                ),
                votes=await _count(connection, VoteRow, VoteRow.user_id == user_id),
            )

    @again
    async def forget(self, user_id: int) -> None:
        """Delete a person, in one transaction; raises StillPlays, and changes nothing then.

        Games against agents, and all else that is theirs alone, are deleted. In other people's
        games FORMER_PLAYER sits where they did.
        """
        async with self._database.writing() as connection:
            await lock(connection, PlayerRow.id, (user_id,))
            theirs = or_(_seated(user_id), GameRow.started_by == user_id)
            if await _count(connection, GameRow, theirs, GameRow.finished_at.is_(None)):
                raise StillPlays
            await _delete_own(connection, user_id)
            await delete_undeclared(connection, user_id)
            await delete_games(connection, and_(_seated(user_id), _is_nobody_elses(user_id)))
            await delete_games(connection, _is_unreadable_of(user_id))
            await add_missing(connection, PlayerRow, {"id": FORMER_PLAYER, "joined_at": 0.0})
            await _replace(connection, user_id)
            await connection.execute(delete(PlayerRow).where(PlayerRow.id == user_id))


async def _delete_own(connection: AsyncConnection, user_id: int) -> None:
    """Delete what belongs to no game, or may go without harm to one."""
    offered = or_(ChallengeRow.challenger == user_id, ChallengeRow.challenged == user_id)
    await connection.execute(delete(ChallengeRow).where(offered))
    theirs = select(GameRow.id).where(_seated(user_id)).scalar_subquery()
    for table in (UndoRow, DrawRow):
        asked = delete(table).where(table.game_id.in_(theirs), table.asker == user_id)
        await connection.execute(asked)
    counted = or_(RateSlotRow.user_id == user_id, RateSlotRow.partner_id == user_id)
    await connection.execute(delete(RateSlotRow).where(counted))
    begun = select(GameRow.id).where(GameRow.started_by == user_id).scalar_subquery()
    copied = or_(DamagedGameRow.game_id.in_(theirs), DamagedGameRow.game_id.in_(begun))
    await connection.execute(delete(DamagedGameRow).where(copied))
    # Messages name those who solved the puzzle of the day.
    await outdate(connection, DailyTryRow.user_id == user_id)
    rated = (RatingChangeRow, RatingRow, UnaidedRow)
    for own in (*rated, DailyTryRow, PuzzleTryRow, PuzzleRatingRow, LessonPartRow, VoteRow):
        await connection.execute(delete(own).where(own.user_id == user_id))


async def _replace(connection: AsyncConnection, user_id: int) -> None:
    """Put FORMER_PLAYER where a person was, in all games that are left."""
    theirs = select(GameRow.id).where(_seated(user_id)).scalar_subquery()
    for table in (MoveRow, HintRow):
        made = update(table).where(table.game_id.in_(theirs), table.user_id == user_id)
        await connection.execute(made.values(user_id=FORMER_PLAYER))
    started = update(GameRow).where(GameRow.started_by == user_id)
    await connection.execute(started.values(started_by=None))
    for seat in (GameRow.first_user, GameRow.second_user):
        seated = update(GameRow).where(seat == user_id)
        await connection.execute(seated.values({seat.key: FORMER_PLAYER}))


def _seated(user_id: int) -> ColumnElement[bool]:
    return or_(GameRow.first_user == user_id, GameRow.second_user == user_id)


def _is_nobody_elses(user_id: int) -> ColumnElement[bool]:
    """Whether nobody else who can be named sits at a person's game."""
    other = case((GameRow.first_user == user_id, GameRow.second_user), else_=GameRow.first_user)
    return or_(other.is_(None), other.in_((user_id, FORMER_PLAYER)))


def _is_unreadable_of(user_id: int) -> ColumnElement[bool]:
    """Whether a person began a game that could not be read, and nobody sits at it."""
    nobody = and_(GameRow.first_user.is_(None), GameRow.second_user.is_(None))
    return and_(GameRow.started_by == user_id, GameRow.ending == UNREADABLE, nobody)


async def _hints(connection: AsyncConnection, *where: ColumnElement[bool]) -> int:
    counted = select(total(HintRow.given)).where(*where)
    return int((await connection.execute(counted)).scalar_one())


async def _count(connection: AsyncConnection, table: Any, *where: ColumnElement[bool]) -> int:
    counted: Select[int] = select(func.count()).select_from(table).where(*where)
    return int((await connection.execute(counted)).scalar_one())
