"""The tables of ratings."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.models import Base


class RatingRow(Base):
    """A player's present rating on one ladder."""

    __tablename__ = "ratings"
    __table_args__ = (Index("ix_ratings_shown", "ladder", "shown", "user_id"),)

    user_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )
    ladder: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The game and size class, such as `connect4-classic`."""
    value: Mapped[float]
    deviation: Mapped[float]
    volatility: Mapped[float]
    surprise: Mapped[float] = mapped_column(server_default="0")
    """The points by which the latest results were beyond expectation."""
    shown: Mapped[float | None]
    """The number that people see; empty until the placement games are over."""
    games: Mapped[int]
    updated_at: Mapped[float]
    """When the last rated game on this ladder ended."""


class RatingChangeRow(Base):
    """What one game changed in one player's rating."""

    __tablename__ = "rating_changes"
    __table_args__ = (Index("ix_rating_changes_course", "user_id", "ladder", "at"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )
    ladder: Mapped[str] = mapped_column(String(64))
    value_before: Mapped[float]
    deviation_before: Mapped[float]
    volatility_before: Mapped[float]
    value_after: Mapped[float]
    deviation_after: Mapped[float]
    volatility_after: Mapped[float]
    shown_before: Mapped[float | None]
    shown_after: Mapped[float | None]
    """The number that people see; empty for placement games."""
    games_after: Mapped[int]
    """The player's rated games on this ladder, this one included."""
    opponent: Mapped[float]
    """The other side's rating before the game: the number that people see, once there is one."""
    at: Mapped[float]


MAX_ATTEMPTS = 6
"""After this many failed attempts an item is parked: tried once a day only, and nothing waits for
it any more."""


class Retried:
    """The columns of a table of background work whose items may fail."""

    attempts: Mapped[int] = mapped_column(server_default="0")
    """How many attempts have failed."""
    next_attempt_at: Mapped[float] = mapped_column(server_default="0")
    """When the item may be tried again, by the database's clock."""


class RatingDueRow(Retried, Base):
    """A game that has ended and counts for ratings, but has not been rated yet."""

    __tablename__ = "ratings_due"
    __table_args__ = (
        Index("ux_ratings_due_game", "game_id", unique=True),
        # Ids are never reused, so they follow the order in which ends were stored.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"))
