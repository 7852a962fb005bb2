"""The table of what people have solved in lessons.

What people have solved in lessons.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, ForeignKey, Select, String, select
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.database import Database
from bot.database.errors import again
from bot.database.statements import Base, add_missing, lock
from bot.store.people import enter
from bot.store.tables import PlayerRow


class LessonPartRow(Base):
    """One part of one lesson that a person has solved."""

    __tablename__ = "lesson_parts"

    user_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )
    family: Mapped[str] = mapped_column(String(32), primary_key=True)
    lesson: Mapped[str] = mapped_column(String(16), primary_key=True)
    """The lesson's key: it stays the same where lessons are put into another order."""
    part: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Which of its problems, counted from 1; after the last one, its game."""
    at: Mapped[float]
    """When it was solved for the first time."""


class LessonPart(NamedTuple):
    """One part of a lesson: a problem, or after the last of these its game."""

    lesson: str
    """The lesson's key."""
    part: int
    """Counted from 1."""


class SolvedPart(NamedTuple):
    """A part of a lesson that somebody has solved."""

    family: str
    solved: LessonPart
    at: float
    """When it was solved for the first time."""


class Lessons:
    """Who has solved what."""

    def __init__(self, database: Database) -> None:
        """Keep what has been solved in `database`."""
        self._database = database

    async def solved(self, user_id: int, family: str) -> Set[LessonPart]:
        """What a person has solved in the lessons of a family."""
        rows = await self._database.fetch(solved_query(user_id, family))
        return frozenset(LessonPart(row.lesson, row.part) for row in rows)

    @again
    async def note(self, user_id: int, family: str, solved: LessonPart, at: float) -> None:
        """Note that a person has solved something; once is enough, and stays."""
        key = {"user_id": user_id, "family": family, **solved._asdict()}
        async with self._database.writing() as connection:
            await enter(connection, (user_id,), at)
            # Whoever is just being deleted is gone first, or stays until this is stored.
            await lock(connection, PlayerRow.id, (user_id,))
            await add_missing(connection, LessonPartRow, {**key, "at": at})

    async def all_of(self, user_id: int) -> list[SolvedPart]:
        """All that a person has solved, the earliest first."""
        mine = select(LessonPartRow).where(LessonPartRow.user_id == user_id)
        order = LessonPartRow.at, LessonPartRow.family, LessonPartRow.lesson, LessonPartRow.part
        rows = await self._database.fetch(mine.order_by(*order))
        return [SolvedPart(row.family, LessonPart(row.lesson, row.part), row.at) for row in rows]


def solved_query(user_id: int, family: str) -> Select[Any]:
    """What a person has solved in the lessons of a family."""
    theirs = LessonPartRow.user_id == user_id, LessonPartRow.family == family
    return select(LessonPartRow).where(*theirs)
