"""The tables of puzzles of the day."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.statements import Base


class DailyTryRow(Base):
    """The table of `DailyTry`."""

    __tablename__ = "daily_tries"
    # For the solvers of a server's puzzle of the day.
    __table_args__ = (Index("ix_daily_tries_guild", "guild_id", "day"),)

    user_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )
    family: Mapped[str] = mapped_column(String(32), primary_key=True)
    day: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    puzzle: Mapped[str] = mapped_column(String(16))
    guild_id: Mapped[int | None] = mapped_column(BigInteger)
    begun_at: Mapped[float]
    settled_at: Mapped[float | None]
    solved: Mapped[bool | None]
    wrong: Mapped[str] = mapped_column(String(255), server_default="")
    done_at: Mapped[float | None]
    shared: Mapped[int] = mapped_column(server_default="0")


class DailyChannelRow(Base):
    """The table of `DailyChannel`."""

    __tablename__ = "daily_channels"

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    channel_id: Mapped[int] = mapped_column(BigInteger)
    family: Mapped[str] = mapped_column(String(32))
    locale: Mapped[str] = mapped_column(String(16))
    hour: Mapped[int]
    since: Mapped[float]
    closed_at: Mapped[float | None]


class DailyPostRow(Base):
    """The table of `DailyPost`: one message a day, claimed before it is sent."""

    __tablename__ = "daily_posts"
    __table_args__ = (Index("ix_daily_posts_day", "day", "look_at"),)

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    day: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    family: Mapped[str] = mapped_column(String(32))
    puzzle: Mapped[str] = mapped_column(String(16))
    locale: Mapped[str] = mapped_column(String(16))
    channel_id: Mapped[int] = mapped_column(BigInteger)
    message_id: Mapped[int | None] = mapped_column(BigInteger)
    sent_at: Mapped[float | None]
    state: Mapped[int] = mapped_column(server_default="0")
    shown: Mapped[int] = mapped_column(server_default="0")
    """The value of `state` that it last showed."""
    look_at: Mapped[float]
    """The time before which nothing is posted or edited."""
    # Not copied: it is of no use to another database.
    busy_until: Mapped[float] = mapped_column(server_default="0", info={"transient": True})
    """The end of the claim of a process, by the database's clock."""
