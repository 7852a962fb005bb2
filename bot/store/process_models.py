"""The table of processes."""

from __future__ import annotations

from sqlalchemy import String, Text, false
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.models import Base


class ProcessRow(Base):
    """A process that works on this database, or that did and whose games nobody has taken yet."""

    __tablename__ = "processes"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    """Random, another one in every run."""
    began_at: Mapped[float]
    """By the database's clock, as `until`."""
    seen_at: Mapped[float]
    """When it last said that it is at work, by its own clock, as all times of games."""
    until: Mapped[float]
    """Until when its games stay its own without another word, by the database's clock."""
    shards: Mapped[str | None] = mapped_column(Text)
    """The shards that it serves (`bot.shards`); empty for all."""
    draining: Mapped[bool] = mapped_column(server_default=false())
    """Whether it is to hand its games over to others."""
