"""Who wants to know when a member of a server looks for a game, and the pings they got.

Also the messages that tell people of a search, until these say that it is over. No row of them is
about a person.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import (
    BigInteger,
    ForeignKey,
    Index,
    Select,
    String,
    and_,
    delete,
    func,
    select,
    update,
)
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.database import Database
from bot.database.errors import retry_on_conflict
from bot.database.statements import Base, add, add_missing, record
from bot.shards import Shards
from bot.show.texts import csv_text
from bot.store.owners import in_shards
from bot.store.people import LimitReached, Quota, RateSlotRow, lock_person, take
from bot.store.rows import Query, Transaction

MOST, SECONDS = 2, 86_400.0
"""At most MOST pings for a person per SECONDS seconds."""

KIND = "searches"
"""The kind of the slots in which this is counted."""


class WishRow(Base):
    """A person who wants to know when a member of a server looks for a game."""

    __tablename__ = "search_wishes"
    # For the deletion of people.
    __table_args__ = (Index("ix_search_wishes_user", "user_id"),)

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    user_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )


class PingRow(Base):
    """The table of `Ping`."""

    __tablename__ = "search_pings"
    __table_args__ = (Index("ix_search_pings_guild", "guild_id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    guild_id: Mapped[int] = mapped_column(BigInteger)
    channel_id: Mapped[int] = mapped_column(BigInteger)
    message_id: Mapped[int | None] = mapped_column(BigInteger)
    locale: Mapped[str] = mapped_column(String(16))
    search: Mapped[str] = mapped_column(String(32))
    sent_at: Mapped[float]


@dataclass(frozen=True, slots=True)
class Ping:
    """A message that tells people of a search."""

    id: int
    guild_id: int
    channel_id: int
    message_id: int | None
    """None until it has been sent."""
    locale: str
    search: str
    """The key of the search."""
    sent_at: float


class PingStore:
    """The repository of such messages."""

    def __init__(self, database: Database) -> None:
        """Keep messages in `database`."""
        self._database = database

    @retry_on_conflict
    async def add(self, search: str, guild_id: int, channel_id: int, locale: str, at: float) -> int:
        """Store a message that is about to be sent, and return its id."""
        where = {"guild_id": guild_id, "channel_id": channel_id, "locale": locale}
        async with self._database.writing() as connection:
            return await add(connection, PingRow, {**where, "search": search, "sent_at": at})

    async def sent(self, id: int, message_id: int) -> None:
        """Note that a message has been sent."""
        which = update(PingRow).where(PingRow.id == id)
        await self._database.change(which.values(message_id=message_id))

    async def remove(self, id: int) -> None:
        """Delete a message that says that its search is over, or does not exist."""
        await self._database.change(delete(PingRow).where(PingRow.id == id))

    async def all(self, shards: Shards | None) -> list[Ping]:
        """The messages on these shards whose searches may not be over, oldest first."""
        here = select(PingRow).where(in_shards(PingRow.guild_id, shards)).order_by(PingRow.id)
        return [record(Ping, row) for row in await self._database.fetch(here)]


class WishStore:
    """The repository of wishes."""

    def __init__(self, database: Database) -> None:
        """Keep wishes in `database`."""
        self._database = database

    async def has(self, user_id: int, guild_id: int) -> bool:
        """Whether a person wants to know about a server."""
        wished = and_(WishRow.user_id == user_id, WishRow.guild_id == guild_id)
        return bool(await self._database.fetch(select(WishRow.user_id).where(wished)))

    @retry_on_conflict
    async def add(self, user_id: int, guild_id: int, at: float) -> None:
        """Note that a person, who may be new, wants to know about a server."""
        async with self._database.writing() as connection:
            await lock_person(connection, user_id, at)
            await add_missing(connection, WishRow, {"guild_id": guild_id, "user_id": user_id})

    async def remove(self, user_id: int, guild_id: int) -> None:
        """Note that a person does not want to know about a server any more."""
        wished = and_(WishRow.user_id == user_id, WishRow.guild_id == guild_id)
        await self._database.change(delete(WishRow).where(wished))

    async def servers_of(self, user_id: int) -> list[int]:
        """The servers about which a person wants to know."""
        theirs = select(WishRow.guild_id).where(WishRow.user_id == user_id)
        rows = await self._database.fetch(theirs.order_by(WishRow.guild_id))
        return [int(row.guild_id) for row in rows]

    async def to_tell(self, guild_id: int, at: float) -> list[int]:
        """Who wants to know about a server, and may be pinged again by a time."""
        return [int(row.user_id) for row in await self._database.fetch(to_tell_query(guild_id, at))]

    @retry_on_conflict
    async def count(self, user_id: int, at: float) -> bool:
        """Count a ping for a person; False, and nothing is counted, beyond their limit."""
        try:
            async with self._database.writing() as connection:
                await take(connection, Quota(KIND, user_id, user_id, MOST, SECONDS, at))
        except LimitReached:
            return False
        return True


def to_tell_query(guild_id: int, at: float) -> Select[int]:
    """The people who want to know about a server, and may be pinged again by a time."""
    slot = RateSlotRow
    told = and_(slot.user_id == WishRow.user_id, slot.kind == KIND, slot.expires_at > at)
    times = select(func.count()).select_from(slot).where(told, slot.partner_id == WishRow.user_id)
    return (
        select(WishRow.user_id)
        .where(WishRow.guild_id == guild_id, times.scalar_subquery() < MOST)
        .order_by(WishRow.user_id)
    )


async def wish_files(stored: WishStore, user_id: int) -> Mapping[str, str]:
    """A file with the servers, by their numbers, about which a person wants to know; none without.

    It does not say how often they were pinged.
    """
    rows = [{"server": guild_id} for guild_id in await stored.servers_of(user_id)]
    return {"search-pings.csv": csv_text(("server",), rows)} if rows else {}


async def count_wishes(connection: Transaction, user_id: int) -> Mapping[str, int]:
    """About how many servers a person wants to know, by the key of the text about it."""
    counted = select(func.count()).select_from(WishRow).where(WishRow.user_id == user_id)
    return {"stored.search_wishes": int((await connection.execute(counted)).scalar_one())}


async def forget_person(connection: Transaction, user_id: int) -> None:
    """Delete a person's wishes."""
    await connection.execute(delete(WishRow).where(WishRow.user_id == user_id))


def guilds_query() -> Query:
    """The servers with wishes or messages."""
    return select(WishRow.guild_id).union(select(PingRow.guild_id)).subquery().select()


async def forget_guild(connection: Transaction, guild_id: int) -> None:
    """Delete the wishes about a server, and its messages."""
    await connection.execute(delete(PingRow).where(PingRow.guild_id == guild_id))
    await connection.execute(delete(WishRow).where(WishRow.guild_id == guild_id))
