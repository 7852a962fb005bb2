"""The tables of games that rate nobody: what is to be judged, and how watched agents played."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.models import Base
from bot.store.rating_models import Retried


class LeagueSideRow(Base):
    """How one side of a finished game between two agents played."""

    __tablename__ = "league_sides"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    side: Mapped[int] = mapped_column(primary_key=True)
    """1 or 2."""
    moves: Mapped[int]
    """Those that a search found; what follows is of these alone."""
    nodes: Mapped[int] = mapped_column(BigInteger)
    seconds: Mapped[float]
    judged: Mapped[int]
    """How many of them could be judged and were not all about equal."""
    loss: Mapped[float]
    """The expected score that the judged moves gave away, added up."""


class LeagueDueRow(Retried, Base):
    """A finished game that has yet to be judged: between two agents, or with hints."""

    __tablename__ = "league_due"
    __table_args__ = (
        Index("ux_league_due_game", "game_id", unique=True),
        # Ids are never reused, so they follow the order in which ends were stored.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"))
