"""The parts of lessons that people have solved: table and repository."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, ForeignKey, Select, String, delete, func, select
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.database import Database
from bot.database.errors import retry_on_conflict
from bot.database.statements import Base, add_missing
from bot.store.people import lock_person
from bot.store.rows import Transaction


class LessonPartRow(Base):
    """One part of one lesson that a person has solved."""

    __tablename__ = "lesson_parts"

    user_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )
    family: Mapped[str] = mapped_column(String(32), primary_key=True)
    lesson: Mapped[str] = mapped_column(String(16), primary_key=True)
    """The lesson's key, which does not change when lessons are reordered."""
    part: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """The number of the problem, counted from 1; the game comes after the last one."""
    at: Mapped[float]
    """When it was solved for the first time."""


class LessonPart(NamedTuple):
    """One part of a lesson: a problem, or after the last problem the game."""

    lesson: str
    """The lesson's key."""
    part: int
    """Counted from 1."""


class SolvedPart(NamedTuple):
    """A part of a lesson that a person has solved."""

    family: str
    solved: LessonPart
    at: float
    """When it was solved for the first time."""


class LessonProgress:
    """The repository of solved parts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def solved(self, user_id: int, family: str) -> Set[LessonPart]:
        """The parts that a person has solved in the lessons of a family."""
        rows = await self._database.fetch(solved_query(user_id, family))
        return frozenset(LessonPart(row.lesson, row.part) for row in rows)

    @retry_on_conflict
    async def note(self, user_id: int, family: str, solved: LessonPart, at: float) -> None:
        """Record that a person has solved a part; nothing changes if it is recorded already."""
        key = {"user_id": user_id, "family": family, **solved._asdict()}
        async with self._database.writing() as connection:
            await lock_person(connection, user_id, at)
            await add_missing(connection, LessonPartRow, {**key, "at": at})

    async def all_of(self, user_id: int) -> list[SolvedPart]:
        """All parts that a person has solved, the earliest first."""
        mine = select(LessonPartRow).where(LessonPartRow.user_id == user_id)
        order = LessonPartRow.at, LessonPartRow.family, LessonPartRow.lesson, LessonPartRow.part
        rows = await self._database.fetch(mine.order_by(*order))
        return [SolvedPart(row.family, LessonPart(row.lesson, row.part), row.at) for row in rows]


def solved_query(user_id: int, family: str) -> Select[Any]:
    """The parts that a person has solved in the lessons of a family."""
    theirs = LessonPartRow.user_id == user_id, LessonPartRow.family == family
    return select(LessonPartRow).where(*theirs)


async def count_parts(connection: Transaction, user_id: int) -> Mapping[str, int]:
    """The number of parts that a person has solved."""
    theirs = LessonPartRow.user_id == user_id
    counted: Select[int] = select(func.count()).select_from(LessonPartRow).where(theirs)
    return {"stored.lessons": int((await connection.execute(counted)).scalar_one())}


async def delete_parts(connection: Transaction, user_id: int) -> None:
    """Delete the parts that a person has solved."""
    await connection.execute(delete(LessonPartRow).where(LessonPartRow.user_id == user_id))
