"""Blocks in the database: who does not want to be challenged by whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import BigInteger, ColumnElement, ForeignKey, Index, and_, delete, func, or_, select
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.database import Database
from bot.database.errors import retry_on_conflict
from bot.database.statements import Base, add_missing, lock, record
from bot.store.people import add_people
from bot.store.rows import Transaction
from bot.store.tables import PlayerRow


class BlockRow(Base):
    """The table of `Block`."""

    __tablename__ = "blocks"
    # For the deletion of people who are blocked.
    __table_args__ = (Index("ix_blocks_blocked", "blocked"),)

    blocker: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )
    blocked: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )
    since: Mapped[float]


@dataclass(frozen=True, slots=True)
class Block:
    """One person who blocks another one."""

    blocker: int
    blocked: int
    since: float


class BlockStore:
    """The repository of blocks."""

    def __init__(self, database: Database) -> None:
        """Keep blocks in `database`."""
        self._database = database

    @retry_on_conflict
    async def add(self, blocker: int, blocked: int, at: float) -> None:
        """Store a block; nothing changes if there is one already."""
        values = {"blocker": blocker, "blocked": blocked, "since": at}
        async with self._database.writing() as connection:
            await add_people(connection, (blocker, blocked), at)
            await lock(connection, PlayerRow.id, (blocker, blocked))
            await add_missing(connection, BlockRow, values)

    async def remove(self, blocker: int, blocked: int) -> bool:
        """Delete a block; False if there is none."""
        return await self._database.change(delete(BlockRow).where(_is(blocker, blocked))) == 1

    async def blockers(self, one: int, other: int) -> set[int]:
        """Which of two people block the other one."""
        between = or_(_is(one, other), _is(other, one))
        rows = await self._database.fetch(select(BlockRow.blocker).where(between))
        return {int(row.blocker) for row in rows}

    async def of(self, user_id: int) -> list[Block]:
        """Whom a person blocks, in the order of the blocks."""
        theirs = select(BlockRow).where(BlockRow.blocker == user_id)
        rows = await self._database.fetch(theirs.order_by(BlockRow.since, BlockRow.blocked))
        return [record(Block, row) for row in rows]


def _is(blocker: int, blocked: int) -> ColumnElement[bool]:
    return and_(BlockRow.blocker == blocker, BlockRow.blocked == blocked)


async def count_blocks(connection: Transaction, user_id: int) -> Mapping[str, int]:
    """How many people a person blocks, by the key of the text about it.

    Who blocks this person is not counted, since they are not to know.
    """
    theirs = select(func.count()).select_from(BlockRow).where(BlockRow.blocker == user_id)
    return {"stored.blocks": int((await connection.execute(theirs)).scalar_one())}


async def forget_person(connection: Transaction, user_id: int) -> None:
    """Delete the blocks by a person, and those of this person."""
    theirs = or_(BlockRow.blocker == user_id, BlockRow.blocked == user_id)
    await connection.execute(delete(BlockRow).where(theirs))
