"""The table of what people have solved in lessons."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.models import Base


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
