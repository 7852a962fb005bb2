"""The tables of puzzles: who tried which, how strong people are at them, and puzzles of the day.

A day is counted from 1970 on, in UTC.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.models import Base

_TRANSIENT: dict[str, Any] = {"info": {"transient": True}}
"""Of no use to another database."""


class PuzzleRatingRow(Base):
    """How strong a person is at the puzzles of one ladder, apart from games."""

    __tablename__ = "puzzle_ratings"

    user_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )
    ladder: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The game and size class, such as `connect4-classic`."""
    value: Mapped[float]
    deviation: Mapped[float]
    volatility: Mapped[float]
    surprise: Mapped[float]
    """The points by which the latest results were beyond expectation."""
    tries: Mapped[int]
    solved: Mapped[int]
    """How many of these tries found everything at once."""
    updated_at: Mapped[float]


class PuzzleTryRow(Base):
    """A person's first try at a puzzle: the only one that counts."""

    __tablename__ = "puzzle_tries"
    # By the person, newest first.
    __table_args__ = (Index("ix_puzzle_tries_person", "user_id", "ladder", "had_at"),)

    user_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )
    puzzle: Mapped[str] = mapped_column(String(16), primary_key=True)
    ladder: Mapped[str] = mapped_column(String(64))
    begun_at: Mapped[float]
    """When it was first shown."""
    had_at: Mapped[float]
    """When the person last had to do with it."""
    settled_at: Mapped[float | None]
    """When the first wrong move was made, or all was found; empty until then."""
    solved: Mapped[bool | None]
    """Whether all was found without a wrong move."""
    value_before: Mapped[float | None]
    value_after: Mapped[float | None]
    """The person's rating at puzzles on the ladder."""


class DailyTryRow(Base):
    """A person's first try at a puzzle of the day."""

    __tablename__ = "daily_tries"
    # Who has solved a server's puzzle of the day.
    __table_args__ = (Index("ix_daily_tries_guild", "guild_id", "day"),)

    user_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )
    family: Mapped[str] = mapped_column(String(32), primary_key=True)
    day: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    puzzle: Mapped[str] = mapped_column(String(16))
    guild_id: Mapped[int | None] = mapped_column(BigInteger)
    """The server on which it was begun; empty in private."""
    begun_at: Mapped[float]
    settled_at: Mapped[float | None]
    solved: Mapped[bool | None]


class DailyChannelRow(Base):
    """The channel in which a server wants its puzzle of the day."""

    __tablename__ = "daily_channels"

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    channel_id: Mapped[int] = mapped_column(BigInteger)
    family: Mapped[str] = mapped_column(String(32))
    locale: Mapped[str] = mapped_column(String(16))
    """The language of the messages."""
    hour: Mapped[int]
    """From which hour of the day on, in UTC."""
    since: Mapped[float]
    closed_at: Mapped[float | None]
    """Since when the bot may not post there; empty while it may."""


class DailyPostRow(Base):
    """A server's message with the puzzle of a day: one a day, claimed before it is sent."""

    __tablename__ = "daily_posts"
    __table_args__ = (Index("ix_daily_posts_day", "day", "look_at"),)

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    day: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    family: Mapped[str] = mapped_column(String(32))
    puzzle: Mapped[str] = mapped_column(String(16))
    locale: Mapped[str] = mapped_column(String(16))
    channel_id: Mapped[int] = mapped_column(BigInteger)
    message_id: Mapped[int | None] = mapped_column(BigInteger)
    """Empty until it is known to be there; 0 where nobody can reach it."""
    sent_at: Mapped[float | None]
    """When it was first sent, while nobody knows whether it arrived."""
    state: Mapped[int] = mapped_column(server_default="0")
    """Grows with everything that the message is to show."""
    shown: Mapped[int] = mapped_column(server_default="0")
    """What it last showed, as such a number."""
    look_at: Mapped[float]
    """Before that nothing is posted or edited."""
    busy_until: Mapped[float] = mapped_column(server_default="0", **_TRANSIENT)
    """Until when a process is at work on it, by the database's clock."""
