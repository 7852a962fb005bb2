"""The queue in the database: who waits for an opponent on which server, and who was paired.

Pairing two people is part of the transaction that stores their game: it changes both places only
while both wait, so of several processes one pairs them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    ForeignKey,
    Index,
    Select,
    String,
    and_,
    delete,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.database import Database
from bot.database.errors import retry_on_conflict
from bot.database.statements import Base, add, change, lock, record
from bot.shards import Shards
from bot.store.owners import in_shards
from bot.store.people import RequestAnswered, lock_person
from bot.store.rows import Query, Step, Transaction

PAIRED, LEFT, EXPIRED, SILENT = "paired", "left", "expired", "silent"
"""How places end: with a game, by leaving or a refused question, by time, and without an answer to
the question."""


class QueuePlaceRow(Base):
    """The table of `QueuePlace`."""

    __tablename__ = "queue_places"
    __table_args__ = (
        # Those that wait, or whose game has not been announced.
        Index("ix_queue_places_open", "is_open", "guild_id"),
        Index("ix_queue_places_user", "user_id", "ended_at"),
        Index("ix_queue_places_partner", "partner"),
        Index("ix_queue_places_guild", "guild_id"),
        # Those that are to be deleted.
        Index("ix_queue_places_ended", "ended_at"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    guild_id: Mapped[int] = mapped_column(BigInteger)
    channel_id: Mapped[int] = mapped_column(BigInteger)
    locale: Mapped[str] = mapped_column(String(16))
    user_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("players.id"))
    family: Mapped[str] = mapped_column(String(32))
    variant: Mapped[str | None] = mapped_column(String(32))
    clock: Mapped[str | None] = mapped_column(String(8))
    joined_at: Mapped[float]
    expires_at: Mapped[float]
    ended_at: Mapped[float | None]
    answer: Mapped[str | None] = mapped_column(String(16))
    partner: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("players.id"))
    paired_in: Mapped[int | None] = mapped_column(BigInteger)
    asked_until: Mapped[float | None]
    agreed: Mapped[bool]
    message_id: Mapped[int | None] = mapped_column(BigInteger)
    is_open: Mapped[int] = mapped_column(server_default="1")


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """A person's place in the queue of a server."""

    id: int
    guild_id: int
    channel_id: int
    """Where the person asked for an opponent."""
    locale: str
    """The language of public messages there."""
    user_id: int
    family: str
    variant: str | None
    """The size or rules they want; None for any."""
    clock: str | None
    """The time control they want, in the players' notation; None for any."""
    joined_at: float
    expires_at: float
    ended_at: float | None = None
    answer: str | None = None
    """`paired`, `left`, `expired` or `silent`; None while they wait."""
    partner: int | None = None
    """Whom they were paired with, or may be if both agree."""
    paired_in: int | None = None
    """The channel of the game, or of the question."""
    asked_until: float | None = None
    """Until when both can agree; None if they were not asked."""
    agreed: bool = False
    message_id: int | None = None
    """The question."""


class AlreadyWaiting(Exception):
    """The person has a place in the queue of this server."""

    def __init__(self, present: QueuePlace) -> None:
        super().__init__(present)
        self.present = present


class QueueStore:
    """The repository of places."""

    def __init__(self, database: Database) -> None:
        """Keep places in `database`."""
        self._database = database

    @retry_on_conflict
    async def add(self, values: Mapping[str, Any], at: float) -> QueuePlace:
        """Store a place with these columns as of a time; raises AlreadyWaiting."""
        user_id, guild_id = values["user_id"], values["guild_id"]
        row = {**values, "joined_at": at, "agreed": False}
        async with self._database.writing() as connection:
            await lock_person(connection, user_id, at)
            mine = and_(_waits(at), QueuePlaceRow.user_id == user_id)
            here = select(QueuePlaceRow).where(mine, QueuePlaceRow.guild_id == guild_id)
            if (found := (await connection.execute(here)).first()) is not None:
                raise AlreadyWaiting(record(QueuePlace, found))
            id = await add(connection, QueuePlaceRow, row)
        return QueuePlace(id, **row)

    async def find(self, id: int) -> QueuePlace | None:
        """A place by its id, present or past."""
        found = await self._fetch(select(QueuePlaceRow).where(QueuePlaceRow.id == id))
        return found[0] if found else None

    async def prefer(self, id: int, user_id: int, at: float, **preferences: str | None) -> bool:
        """Change what a waiting person wants; False, and no change, if they do not wait."""
        row = QueuePlaceRow
        which = and_(row.id == id, row.user_id == user_id, _waits(at), row.asked_until.is_(None))
        statement = update(row).where(which).values(preferences)
        return await self._database.change(statement) == 1

    async def end(self, id: int, answer: str, at: float) -> bool:
        """End a place without a game; False, and no change, if it has ended."""
        which = and_(QueuePlaceRow.id == id, QueuePlaceRow.answer.is_(None))
        values = {"answer": answer, "ended_at": at, "is_open": 0, "partner": None}
        return await self._database.change(update(QueuePlaceRow).where(which).values(values)) == 1

    def pairing(self, one: QueuePlace, other: QueuePlace, channel_id: int, at: float) -> Step:
        """The step that pairs two waiting people; raises RequestAnswered unless both wait.

        People who were asked must be the same pair, and both must have agreed.
        """

        async def pair(connection: Transaction) -> None:
            await _lock(connection, one, other)
            for mine, theirs in ((one, other), (other, one)):
                values = {
                    "answer": PAIRED,
                    "ended_at": at,
                    "partner": theirs.user_id,
                    "paired_in": channel_id,
                }
                free = and_(QueuePlaceRow.id == mine.id, _may_pair(mine, theirs, at))
                if not await change(connection, update(QueuePlaceRow).where(free).values(values)):
                    raise RequestAnswered

        return pair

    @retry_on_conflict
    async def ask(
        self, one: QueuePlace, other: QueuePlace, channel_id: int, until: float, at: float
    ) -> tuple[QueuePlace, QueuePlace]:
        """Note that two waiting people are asked in a channel whether to begin; return them.

        Neither place expires before the question. Raises RequestAnswered unless both wait and have
        not been asked.
        """
        asked = []
        async with self._database.writing() as connection:
            await _lock(connection, one, other)
            for mine, theirs in ((one, other), (other, one)):
                values: dict[str, Any] = {
                    "partner": theirs.user_id,
                    "paired_in": channel_id,
                    "asked_until": until,
                    "expires_at": max(until, mine.expires_at),
                    "agreed": False,
                    "message_id": None,
                }
                free = and_(QueuePlaceRow.id == mine.id, _may_pair(mine, theirs, at))
                free = and_(free, QueuePlaceRow.asked_until.is_(None))
                statement = update(QueuePlaceRow).where(free).values(values)
                if not await change(connection, statement):
                    raise RequestAnswered
                asked.append(replace(mine, **values))
        return asked[0], asked[1]

    async def set_message(self, ids: Collection[int], message_id: int) -> None:
        """Note the message in which people are asked."""
        which = QueuePlaceRow.id.in_(sorted(ids))
        await self._database.change(
            update(QueuePlaceRow).where(which).values(message_id=message_id)
        )

    async def agree(self, id: int, at: float) -> bool:
        """Note that a person who was asked agrees; False, and no change, if it is too late."""
        row = QueuePlaceRow
        which = and_(row.id == id, _waits(at), row.asked_until > at)
        return await self._database.change(update(row).where(which).values(agreed=True)) == 1

    async def release(self, id: int) -> None:
        """Let a person wait on who was asked in vain."""
        values = {
            "partner": None,
            "paired_in": None,
            "asked_until": None,
            "agreed": False,
            "message_id": None,
        }
        which = and_(QueuePlaceRow.id == id, QueuePlaceRow.answer.is_(None))
        await self._database.change(update(QueuePlaceRow).where(which).values(values))

    async def announced(self, ids: Collection[int]) -> None:
        """Note that people have been notified of their game, or need not be any more."""
        which = QueuePlaceRow.id.in_(sorted(ids))
        await self._database.change(update(QueuePlaceRow).where(which).values(is_open=0))

    async def open(
        self, shards: Shards | None, guild_id: int | None = None
    ) -> Sequence[QueuePlace]:
        """Places of people who wait or have yet to be notified; of some servers or one."""
        return await self._fetch(open_query(shards, guild_id))

    async def of_person(self, user_id: int) -> Sequence[QueuePlace]:
        """All places of a person, oldest first."""
        theirs = select(QueuePlaceRow).where(QueuePlaceRow.user_id == user_id)
        return await self._fetch(theirs.order_by(QueuePlaceRow.id))

    async def latest_partners(self, user_id: int, count: int, since: float) -> list[int | None]:
        """With whom the queue paired a person since a time: the latest `count`, newest first."""
        row = QueuePlaceRow
        paired = (row.answer == PAIRED, row.ended_at >= since)
        theirs = select(row.partner).where(row.user_id == user_id, *paired)
        rows = await self._database.fetch(theirs.order_by(row.ended_at.desc()).limit(count))
        return [one.partner for one in rows]

    async def clear(self, before: float) -> None:
        """Delete the places that ended before a time."""
        await self._database.change(delete(QueuePlaceRow).where(QueuePlaceRow.ended_at < before))

    async def _fetch(self, query: Select[Any]) -> list[QueuePlace]:
        return [record(QueuePlace, row) for row in await self._database.fetch(query)]


def open_query(shards: Shards | None, guild_id: int | None = None) -> Select[Any]:
    """The places of people who wait or have yet to be notified, in the order of arrival."""
    row = QueuePlaceRow
    here = in_shards(row.guild_id, shards) if guild_id is None else row.guild_id == guild_id
    return select(row).where(row.is_open == 1, here).order_by(row.joined_at, row.id)


def _waits(at: float) -> ColumnElement[bool]:
    return and_(QueuePlaceRow.answer.is_(None), QueuePlaceRow.expires_at > at)


def _may_pair(mine: QueuePlace, theirs: QueuePlace, at: float) -> ColumnElement[bool]:
    row = QueuePlaceRow
    both = and_(row.partner == theirs.user_id, row.agreed)
    wants = and_(
        row.family == mine.family,
        row.variant.is_not_distinct_from(mine.variant),
        row.clock.is_not_distinct_from(mine.clock),
    )
    return and_(_waits(at), wants, or_(row.asked_until.is_(None), both))


async def _lock(connection: Transaction, one: QueuePlace, other: QueuePlace) -> None:
    await lock(connection, QueuePlaceRow.id, (one.id, other.id))


async def count_places(connection: Transaction, user_id: int) -> Mapping[str, int]:
    """How many places a person has or had, by the key of the text about it."""
    row = QueuePlaceRow
    counted = select(func.count()).select_from(row).where(row.user_id == user_id)
    return {"stored.queue_places": int((await connection.execute(counted)).scalar_one())}


async def forget_person(connection: Transaction, user_id: int) -> None:
    """Delete a person's places, and who they were in those of others.

    A question that asked another person about them stays, to be closed.
    """
    row = QueuePlaceRow
    await connection.execute(delete(row).where(row.user_id == user_id))
    await connection.execute(update(row).where(row.partner == user_id).values(partner=None))


def guilds_query() -> Query:
    """The servers with places."""
    return select(QueuePlaceRow.guild_id).distinct().subquery().select()


async def forget_guild(connection: Transaction, guild_id: int) -> None:
    """Delete the places of a server."""
    await connection.execute(delete(QueuePlaceRow).where(QueuePlaceRow.guild_id == guild_id))
