"""The table of moves that people made without help."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.models import Base


class UnaidedRow(Base):
    """What a person's moves without a hint gave away in one finished game."""

    __tablename__ = "unaided"
    __table_args__ = (Index("ix_unaided_course", "user_id", "at"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )
    ladder: Mapped[str] = mapped_column(String(64))
    """The game and size class, such as `connect4-classic`."""
    at: Mapped[float]
    """When the game ended."""
    judged: Mapped[int]
    """How many of these moves could be judged and were not all about equal."""
    loss: Mapped[float]
    """The expected score that they gave away, added up."""
