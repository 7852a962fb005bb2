"""Servers that have removed the bot, and what is theirs."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import BigInteger, Select, and_, delete, select, union, update
from sqlalchemy.orm import Mapped, mapped_column

from bot.shards import Shards
from bot.store.collisions import again
from bot.store.database import Database, add_missing
from bot.store.erasure_rows import delete_games
from bot.store.history_queries import is_nobodys
from bot.store.models import Base, ChallengeRow, DrawRow, GameRow, UndoRow
from bot.store.owner_rows import in_shards
from bot.store.puzzle_models import DailyChannelRow, DailyPostRow, DailyTryRow

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
