"""What is stored about one person, which servers have removed the bot, and deleting both.

Rows of features are counted and deleted by what the features contribute, in the same transactions.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

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
from bot.database.errors import isolated, retry_on_conflict
from bot.database.statements import Base, add_missing, lock
from bot.sessions.people import PersonalData
from bot.shards import Shards
from bot.store.damaged_games import DamagedGameRow
from bot.store.owners import in_shards
from bot.store.people import RateSlotRow
from bot.store.records import FORMER_PLAYER, Ending
from bot.store.results import is_without_people
from bot.store.rows import delete_games, delete_undeclared, total
from bot.store.tables import (
    ChallengeRow,
    GameRow,
    HintRow,
    MoveRow,
    PlayerRow,
    RatingChangeRow,
    RatingRow,
    ServerRow,
    UnaidedRow,
    VoteRow,
)
from bot.telemetry import SILENT, Meter

Contributed = Callable[[], Sequence[PersonalData]]
"""The personal data of all features, in order; known once all features have been built."""

Count = Callable[[AsyncConnection, int], Awaitable[Mapping[str, int]]]
"""Counts what a feature stores about a person, by the keys of texts."""

T = TypeVar("T")

UNREAD = "stored.unread"
"""The key of the line for a part that could not be read."""

NO_CHANNEL = 0
"""The channel of a game whose server has been deleted."""


class DepartureRow(Base):
    """A server that has removed the bot and has not taken it back."""

    __tablename__ = "departures"

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    left_at: Mapped[float]


class Departures:
    """When servers removed the bot, and deleting what is stored about them."""

    def __init__(self, database: Database, contributed: Contributed) -> None:
        """Keep departures in `database`."""
        self._database = database
        self._contributed = contributed

    @retry_on_conflict
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
        """Bring the departures up to date with the servers that have the bot now.

        With `shards`, `present` are the servers of these shards, and others are left alone.
        """
        left = {row.guild_id for row in await self._database.fetch(select(DepartureRow.guild_id))}
        stored = {row.guild_id for row in await self._database.fetch(self._guilds())}
        for guild_id in left.intersection(present):
            await self.cancel(guild_id)
        for guild_id in stored - left - set(present):
            if shards is None or shards.serves(guild_id):
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

    @retry_on_conflict
    async def forget(self, guild_id: int) -> None:
        """Delete a server's data in one transaction; its running games must have ended.

        Games that no person played are deleted. People's games are kept without the server.
        """
        ended = and_(GameRow.guild_id == guild_id, GameRow.finished_at.is_not(None))
        nowhere = {"guild_id": None, "channel_id": NO_CHANNEL, "message_id": None, "ping_id": None}
        async with self._database.writing() as connection:
            await delete_games(connection, and_(ended, is_without_people()))
            # Features find their rows by the games of the server.
            for one in reversed(self._contributed()):
                if one.forget_guild is not None:
                    await one.forget_guild(connection, guild_id)
            await connection.execute(update(GameRow).where(ended).values(nowhere))
            for table in (ChallengeRow, DepartureRow, ServerRow):
                await connection.execute(delete(table).where(table.guild_id == guild_id))

    def _guilds(self) -> Select[Any]:
        """A query of the servers about which something is stored."""
        played = select(GameRow.guild_id).where(GameRow.guild_id.is_not(None))
        others = [one.guilds() for one in self._contributed() if one.guilds is not None]
        chosen = select(ServerRow.guild_id)
        return union(played, chosen, *others).subquery("guilds").select()


class StillPlays(Exception):
    """The person plays in a game that is running, or has started one to watch."""


@dataclass(frozen=True, slots=True)
class PersonRecord:
    """What is stored about a person."""

    joined_at: float
    games: int
    """Finished games."""
    running: int
    moves: int
    counts: Mapping[str, int]
    """How much else there is, by the key of its text, in the order of the page; UNREAD is among
    them if a feature's part could not be read."""


async def read_part(order: int, reading: Awaitable[T], meter: Meter) -> T | None:
    """The part of the privacy page that a feature with this order contributes.

    A failure is logged and counted, and gives None; only an unavailable database is raised.
    """
    found = None
    with isolated("part of the privacy page", order):
        found = await reading
    if found is None:
        meter.failed()
    return found


class People:
    """The repository of everything that is stored about people."""

    def __init__(self, database: Database, contributed: Contributed, meter: Meter = SILENT) -> None:
        """Read and delete in `database`; count the parts that cannot be read in `meter`."""
        self._database = database
        self._contributed = contributed
        self._meter = meter

    async def record(self, user_id: int) -> PersonRecord | None:
        """What is stored about a person; None for nothing."""
        async with self._database.reading() as connection:
            person = select(PlayerRow).where(PlayerRow.id == user_id)
            found = (await connection.execute(person)).one_or_none()
            if found is None:
                return None
            is_over, theirs = GameRow.finished_at.is_not(None), _games_of(user_id)
            moves = MoveRow.game_id.in_(theirs), MoveRow.user_id == user_id
            hints = HintRow.game_id.in_(theirs), HintRow.user_id == user_id
            given = await connection.execute(select(total(HintRow.given)).where(*hints))
            counts = {
                "stored.hints": int(given.scalar_one()),
                "stored.ratings": await _count(connection, RatingRow, RatingRow.user_id == user_id),
            }
            games = await _count(connection, GameRow, _seated(user_id), is_over)
            running = await _count(connection, GameRow, _seated(user_id), ~is_over)
            moves_made = await _count(connection, MoveRow, *moves)
        for one in self._contributed():
            if one.count is not None:
                part = await read_part(one.order, self._counted(one.count, user_id), self._meter)
                counts |= {UNREAD: 1} if part is None else part
        return PersonRecord(found.joined_at, games, running, moves_made, counts)

    async def _counted(self, count: Count, user_id: int) -> Mapping[str, int]:
        # A failed statement ends its transaction, so each part has its own.
        async with self._database.reading() as connection:
            return await count(connection, user_id)

    @retry_on_conflict
    async def forget(self, user_id: int) -> None:
        """Delete a person, in one transaction; raises StillPlays, and changes nothing then.

        Games against agents, and all else that belongs to them alone, are deleted. In other
        people's games FORMER_PLAYER takes their place.
        """
        async with self._database.writing() as connection:
            await lock(connection, PlayerRow.id, (user_id,))
            theirs = or_(_seated(user_id), GameRow.started_by == user_id)
            if await _count(connection, GameRow, theirs, GameRow.finished_at.is_(None)):
                raise StillPlays
            for one in reversed(self._contributed()):
                if one.delete is not None:
                    await one.delete(connection, user_id)
            await _delete_own(connection, user_id)
            await delete_undeclared(connection, user_id)
            await delete_games(connection, and_(_seated(user_id), _has_no_other_person(user_id)))
            await delete_games(connection, _is_unreadable_of(user_id))
            await add_missing(connection, PlayerRow, {"id": FORMER_PLAYER, "joined_at": 0.0})
            await _replace(connection, user_id)
            await connection.execute(delete(PlayerRow).where(PlayerRow.id == user_id))


async def _delete_own(connection: AsyncConnection, user_id: int) -> None:
    """Delete a person's rows that no remaining game needs."""
    offered = or_(ChallengeRow.challenger == user_id, ChallengeRow.challenged == user_id)
    await connection.execute(delete(ChallengeRow).where(offered))
    counted = or_(RateSlotRow.user_id == user_id, RateSlotRow.partner_id == user_id)
    await connection.execute(delete(RateSlotRow).where(counted))
    started = select(GameRow.id).where(GameRow.started_by == user_id).scalar_subquery()
    copied = DamagedGameRow.game_id
    copies = or_(copied.in_(_games_of(user_id)), copied.in_(started))
    await connection.execute(delete(DamagedGameRow).where(copies))
    for own in (RatingChangeRow, RatingRow, UnaidedRow, VoteRow):
        await connection.execute(delete(own).where(own.user_id == user_id))


async def _replace(connection: AsyncConnection, user_id: int) -> None:
    """Put FORMER_PLAYER in a person's place in all games that are left."""
    for table in (MoveRow, HintRow):
        made = and_(table.game_id.in_(_games_of(user_id)), table.user_id == user_id)
        await connection.execute(update(table).where(made).values(user_id=FORMER_PLAYER))
    started = update(GameRow).where(GameRow.started_by == user_id)
    await connection.execute(started.values(started_by=None))
    for seat in (GameRow.first_user, GameRow.second_user):
        seated = update(GameRow).where(seat == user_id)
        await connection.execute(seated.values({seat.key: FORMER_PLAYER}))


def _seated(user_id: int) -> ColumnElement[bool]:
    return or_(GameRow.first_user == user_id, GameRow.second_user == user_id)


def _games_of(user_id: int) -> Any:
    """A subquery of the ids of a person's games."""
    return select(GameRow.id).where(_seated(user_id)).scalar_subquery()


def _has_no_other_person(user_id: int) -> ColumnElement[bool]:
    """Whether a game has no other person who can be named."""
    other = case((GameRow.first_user == user_id, GameRow.second_user), else_=GameRow.first_user)
    return or_(other.is_(None), other.in_((user_id, FORMER_PLAYER)))


def _is_unreadable_of(user_id: int) -> ColumnElement[bool]:
    """Whether a person started a game that could not be read and has no players."""
    without_players = and_(GameRow.first_user.is_(None), GameRow.second_user.is_(None))
    return and_(GameRow.started_by == user_id, GameRow.ending == Ending.UNREADABLE, without_players)


async def _count(connection: AsyncConnection, table: Any, *where: ColumnElement[bool]) -> int:
    counted: Select[int] = select(func.count()).select_from(table).where(*where)
    return int((await connection.execute(counted)).scalar_one())
