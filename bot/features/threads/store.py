"""Threads in the database: those that the bot has opened, and when each has to be looked at.

A thread is stored before it is opened, so that one of which nothing else is known can be found. The
game in a thread is the latest one of its channel. No row is about a person.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, Index, Select, delete, or_, select, update
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.database import Database
from bot.database.errors import retry_on_conflict
from bot.database.statements import Base, add, record
from bot.shards import Shards
from bot.store.owners import in_shards
from bot.store.rows import Query, Transaction
from bot.store.tables import GameRow

QUIET = 5 * 60.0
"""Seconds after the end of a game in which a rematch keeps its thread open.

As a name changes only then, it changes at most twice in the ten minutes in which Discord allows two
changes.
"""


class ThreadRow(Base):
    """The table of `Thread`."""

    __tablename__ = "threads"
    __table_args__ = (
        Index("ux_threads_thread", "thread_id", unique=True),
        Index("ix_threads_look", "look_at"),
        Index("ix_threads_closed", "closed_at"),
        Index("ix_threads_guild", "guild_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    guild_id: Mapped[int] = mapped_column(BigInteger)
    parent_id: Mapped[int] = mapped_column(BigInteger)
    """The channel of the thread."""
    thread_id: Mapped[int | None] = mapped_column(BigInteger)
    """Empty until it has been opened."""
    is_played: Mapped[int] = mapped_column(server_default="0")
    """1 once a game has begun in it."""
    opened_at: Mapped[float]
    look_at: Mapped[float | None]
    """When there is something to do; empty while a game runs, and once the thread is archived.

    Set beside `closed_at`: the thread was deleted during a game, which waits until it is moved.
    """
    attempts: Mapped[int] = mapped_column(server_default="0")
    """How many attempts to do it have failed."""
    closed_at: Mapped[float | None]
    """When it was archived, deleted during a game or given up."""


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread that the bot opens or has opened."""

    id: int
    guild_id: int
    parent_id: int
    thread_id: int | None
    is_played: int
    opened_at: float
    look_at: float | None
    attempts: int
    closed_at: float | None

    @property
    def lost_at(self) -> float | None:
        """When it was noted that the thread was deleted during a game; None for others."""
        return self.closed_at if self.look_at is not None else None


@dataclass(frozen=True, slots=True)
class LatestGame:
    """The latest game in a thread."""

    id: int
    finished_at: float | None
    shown: int
    state: int


class ThreadStore:
    """The repository of threads."""

    def __init__(self, database: Database) -> None:
        """Keep threads in `database`."""
        self._database = database

    @retry_on_conflict
    async def add(self, guild_id: int, parent_id: int, at: float, look_at: float) -> int:
        """Store a thread that is about to be opened, and return its id."""
        values = {
            "guild_id": guild_id,
            "parent_id": parent_id,
            "opened_at": at,
            "look_at": look_at,
        }
        async with self._database.writing() as connection:
            return await add(connection, ThreadRow, values)

    async def change(self, id: int, **values: Any) -> None:
        """Change the row of a thread."""
        await self._database.change(update(ThreadRow).where(ThreadRow.id == id).values(values))

    async def remove(self, id: int) -> None:
        """Delete the row of a thread that does not exist."""
        await self._database.change(delete(ThreadRow).where(ThreadRow.id == id))

    async def begun(self, id: int) -> None:
        """Note that a game has begun in a thread; nothing is to be done until it is over.

        If it is over already, that stays noted.
        """
        running = select(GameRow.id).where(
            GameRow.channel_id == ThreadRow.thread_id, GameRow.finished_at.is_(None)
        )
        begun = update(ThreadRow).where(ThreadRow.id == id)
        await self._database.change(begun.values(is_played=1, attempts=0))
        await self._database.change(begun.where(running.exists()).values(look_at=None))

    async def find(self, id: int) -> Thread | None:
        """A thread by the id of its row."""
        rows = await self._database.fetch(select(ThreadRow).where(ThreadRow.id == id))
        return record(Thread, rows[0]) if rows else None

    async def claim(self, now: float, until: float, shards: Shards | None) -> list[Thread]:
        """Claim the threads with something to do: no other process gets them before `until`."""
        claimed = []
        for row in await self._database.fetch(due_query(now, shards)):
            same = (ThreadRow.id == row.id, ThreadRow.look_at == row.look_at)
            taken = update(ThreadRow).where(*same).values(look_at=until)
            if await self._database.change(taken):
                claimed.append(record(Thread, row))
        return claimed

    async def of_channel(self, thread_id: int) -> Thread | None:
        """The thread with an id on Discord, if the bot has opened it."""
        there = select(ThreadRow).where(ThreadRow.thread_id == thread_id)
        rows = await self._database.fetch(there)
        return record(Thread, rows[0]) if rows else None

    async def lose(self, id: int, at: float, look_at: float) -> bool:
        """Note that a thread was deleted during its game; False, and no change, if people know.

        That is noted as well: `attempts` is above 0 only until the announcement succeeds.
        """
        row = ThreadRow
        unnoted = or_(row.closed_at.is_(None), row.look_at.is_(None), row.attempts > 0)
        values = {"closed_at": at, "look_at": look_at, "attempts": 0}
        lost = update(row).where(row.id == id, unnoted).values(values)
        return await self._database.change(lost) == 1

    async def hasten(self, now: float, shards: Shards | None) -> None:
        """Have the threads looked at in which a game runs."""
        here = in_shards(ThreadRow.guild_id, shards)
        running = (ThreadRow.is_played == 1, ThreadRow.look_at.is_(None))
        open_ = ThreadRow.closed_at.is_(None)
        hastened = update(ThreadRow).where(*running, open_, here).values(look_at=now)
        await self._database.change(hastened)

    async def latest_game(self, thread_id: int) -> LatestGame | None:
        """The latest game in a thread; None if there is none, or its data were deleted."""
        columns = (GameRow.id, GameRow.finished_at, GameRow.shown, GameRow.state)
        there = select(*columns).where(GameRow.channel_id == thread_id)
        rows = await self._database.fetch(there.order_by(GameRow.id.desc()).limit(1))
        return record(LatestGame, rows[0]) if rows else None

    async def is_opening_another(self, thread: Thread, since: float) -> bool:
        """Whether another thread of the same channel is being opened, since a time."""
        others = (ThreadRow.parent_id == thread.parent_id, ThreadRow.id != thread.id)
        opening = (ThreadRow.thread_id.is_(None), ThreadRow.opened_at > since)
        # All rows without a thread have a time, which has an index.
        looked_at = ThreadRow.look_at.is_not(None)
        found = select(ThreadRow.id).where(looked_at, *others, *opening).limit(1)
        return bool(await self._database.fetch(found))

    async def known(self, thread_ids: Collection[int]) -> set[int]:
        """Which of some threads are stored."""
        stored = select(ThreadRow.thread_id).where(ThreadRow.thread_id.in_(thread_ids))
        return {int(row.thread_id) for row in await self._database.fetch(stored)}

    async def clear(self, before: float) -> None:
        """Delete the rows of threads that were archived before a time."""
        await self._database.change(delete(ThreadRow).where(ThreadRow.closed_at < before))


def due_query(now: float, shards: Shards | None) -> Select[Any]:
    """The threads with something to do, the one that has waited longest first."""
    here = in_shards(ThreadRow.guild_id, shards)
    due = select(ThreadRow).where(ThreadRow.look_at <= now, here)
    return due.order_by(ThreadRow.look_at, ThreadRow.id).limit(20)


async def note_end(connection: Transaction, game_id: int) -> None:
    """Have a thread looked at some time after its game, in the transaction that ends the game."""
    ended = select(GameRow).where(GameRow.id == game_id)
    channel = ended.with_only_columns(GameRow.channel_id).scalar_subquery()
    at = ended.with_only_columns(GameRow.finished_at + QUIET).scalar_subquery()
    there = update(ThreadRow).where(ThreadRow.thread_id == channel)
    await connection.execute(there.values(look_at=at, attempts=0, closed_at=None))


def guilds_query() -> Query:
    """The servers with threads."""
    return select(ThreadRow.guild_id).distinct().subquery().select()


async def forget_guild(connection: Transaction, guild_id: int) -> None:
    """Delete what is stored about the threads of a server."""
    await connection.execute(delete(ThreadRow).where(ThreadRow.guild_id == guild_id))
