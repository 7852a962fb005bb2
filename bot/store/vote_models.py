"""The table of votes: on a channel's moves, and on who wins a game."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.models import Base

THE_RESULT = 0
"""Stands for who wins, where a vote says which move it is about."""


class VoteRow(Base):
    """What somebody voted for, in one vote of a game; a later vote of theirs replaces it."""

    __tablename__ = "votes"
    # All votes of a person.
    __table_args__ = (Index("ix_votes_user", "user_id"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    """The number of the move that it is about, or THE_RESULT."""
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    choice: Mapped[str] = mapped_column(String(8))
    """The move as players write it; of a result the side that wins, 0 for neither."""
    at: Mapped[float]
    """When this person began to vote for it."""
