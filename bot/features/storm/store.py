"""Storms in the database: as many puzzles as possible in three minutes, and the best on a server.

A storm is a row with the number of its present puzzle and the move that is asked. An answer changes
the row only while it is about exactly that move, so nothing is counted twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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
from bot.database.statements import Base, add, record
from bot.store.people import lock_person
from bot.store.rows import Query, Transaction
from bot.store.tables import PlayerRow


class StormRow(Base):
    """The table of `Storm`."""

    __tablename__ = "storms"
    __table_args__ = (
        Index("ix_storms_person", "user_id", "family", "solved"),
        # For the table of a server's day.
        Index("ix_storms_guild", "guild_id", "family", "begun_at"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("players.id"))
    guild_id: Mapped[int | None] = mapped_column(BigInteger)
    family: Mapped[str] = mapped_column(String(32))
    begun_at: Mapped[float]
    ended_at: Mapped[float | None]
    number: Mapped[int] = mapped_column(server_default="0")
    step: Mapped[int] = mapped_column(server_default="0")
    solved: Mapped[int] = mapped_column(server_default="0")
    shared: Mapped[int] = mapped_column(server_default="0")


@dataclass(frozen=True, slots=True)
class Storm:
    """One storm of a person."""

    id: int
    user_id: int
    guild_id: int | None
    """The server on which it was begun; None in private."""
    family: str
    begun_at: float
    ended_at: float | None
    number: int
    """The number of the present puzzle, counted from 0."""
    step: int
    """The move that is asked in it, counted from 0."""
    solved: int
    shared: int
    """1 once the person has shared the result."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A person's best storm of a day on a server."""

    user_id: int
    solved: int
    is_private: bool
    """Whether they hide their statistics."""


class Storms:
    """The repository of storms."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @retry_on_conflict
    async def begin(self, user_id: int, guild_id: int | None, family: str, at: float) -> Storm:
        """Begin a storm; one that the person has not finished ends."""
        async with self._database.writing() as connection:
            await lock_person(connection, user_id, at)
            unfinished = and_(StormRow.user_id == user_id, StormRow.ended_at.is_(None))
            await connection.execute(update(StormRow).where(unfinished).values(ended_at=at))
            values = {"user_id": user_id, "guild_id": guild_id, "family": family, "begun_at": at}
            id = await add(connection, StormRow, values)
            found = await connection.execute(select(StormRow).where(StormRow.id == id))
            return record(Storm, found.one())

    async def find(self, id: int, user_id: int) -> Storm | None:
        """A person's storm; None if there is none."""
        mine = select(StormRow).where(StormRow.id == id, StormRow.user_id == user_id)
        found = await self._database.fetch(mine)
        return record(Storm, found[0]) if found else None

    async def go_on(self, storm: Storm, number: int, step: int, *, solved: int = 0) -> bool:
        """Go on with a step of a puzzle; False if the storm has gone on in between."""
        here = and_(
            StormRow.id == storm.id,
            StormRow.number == storm.number,
            StormRow.step == storm.step,
            StormRow.ended_at.is_(None),
        )
        values = {"number": number, "step": step, "solved": StormRow.solved + solved}
        return await self._database.change(update(StormRow).where(here).values(values)) > 0

    async def end(self, id: int, at: float) -> None:
        """End a storm, unless it is over."""
        running = and_(StormRow.id == id, StormRow.ended_at.is_(None))
        await self._database.change(update(StormRow).where(running).values(ended_at=at))

    async def share(self, id: int, *, shared: bool = True) -> bool:
        """Record that a result is shared, or is not after all; False if it was so before."""
        differs = and_(StormRow.id == id, StormRow.shared != int(shared))
        share = update(StormRow).where(differs).values(shared=int(shared))
        return await self._database.change(share) > 0

    async def best(self, user_id: int, family: str) -> int:
        """The most puzzles that a person has solved in a storm."""
        found = await self._database.fetch(best_query(user_id, family))
        return int(found[0].best or 0)

    async def table(
        self, guild_id: int, family: str, begin: float, end: float
    ) -> tuple[Standing, ...]:
        """The best storm of each person on a server in a time, the best first."""
        rows = await self._database.fetch(table_query(guild_id, family, begin, end))
        return tuple(Standing(row.user_id, row.best, row.private) for row in rows)

    async def all_of(self, user_id: int) -> tuple[Storm, ...]:
        """All storms of a person, oldest first."""
        theirs = select(StormRow).where(StormRow.user_id == user_id).order_by(StormRow.id)
        return tuple(record(Storm, row) for row in await self._database.fetch(theirs))


def best_query(user_id: int, family: str) -> Select[Any]:
    """The most puzzles that a person has solved in a storm of a game."""
    best = select(func.max(StormRow.solved).label("best"))
    return best.where(StormRow.user_id == user_id, StormRow.family == family)


def table_query(guild_id: int, family: str, begin: float, end: float) -> Select[int, int, bool]:
    """The best storms of a server in a time; of equal ones, who had theirs first comes first."""
    best = func.max(StormRow.solved)
    columns = select(StormRow.user_id, best.label("best"), PlayerRow.private)
    people = columns.join(PlayerRow, PlayerRow.id == StormRow.user_id)
    here = people.where(
        StormRow.guild_id == guild_id,
        StormRow.family == family,
        StormRow.begun_at >= begin,
        StormRow.begun_at < end,
        StormRow.solved > 0,
    )
    grouped = here.group_by(StormRow.user_id, PlayerRow.private)
    return grouped.order_by(best.desc(), func.min(StormRow.id))


async def count_storms(connection: Transaction, user_id: int) -> Mapping[str, int]:
    """How many storms a person has played."""
    theirs = select(func.count()).select_from(StormRow).where(StormRow.user_id == user_id)
    return {"stored.storms": int((await connection.execute(theirs)).scalar_one())}


async def delete_storms(connection: Transaction, user_id: int) -> None:
    """Delete a person's storms."""
    await connection.execute(delete(StormRow).where(StormRow.user_id == user_id))


def guilds_query() -> Query:
    """The servers on which storms were begun."""
    known = select(StormRow.guild_id).where(StormRow.guild_id.is_not(None))
    return known.distinct().subquery().select()


async def forget_guild(connection: Transaction, guild_id: int) -> None:
    """Forget where storms were begun; people keep them."""
    here = update(StormRow).where(StormRow.guild_id == guild_id)
    await connection.execute(here.values(guild_id=None))
