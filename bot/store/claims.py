"""Which interactions somebody has begun to answer, where several processes are told of them."""

from __future__ import annotations

from sqlalchemy import BigInteger, Delete, delete
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.collisions import again
from bot.store.database import Database
from bot.store.models import Base

PATIENCE = 1.0
"""Seconds that a claim waits for the database: an interaction has three to be answered in."""
KEPT_FOR = 900.0
"""Seconds for which a claim is kept; Discord tells nobody of an interaction that much later."""


class ClaimRow(Base):
    """An interaction that a process has begun to answer."""

    __tablename__ = "claims"
    # Of no use to another database.
    __table_args__ = ({"info": {"transient": True}},)

    interaction_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)


class Claims:
    """Gives each interaction to whoever asks for it first."""

    def __init__(self, database: Database) -> None:
        """Keep claims in `database`."""
        self._database = database

    @again
    async def take(self, interaction_id: int) -> bool:
        """Claim an interaction; False if another process has. Raises Unavailable."""
        row = {"interaction_id": interaction_id}
        statement = self._database.insert_missing(ClaimRow)
        return bool(await self._database.change_at_once(statement, row, PATIENCE))

    async def clear(self, before: int) -> None:
        """Forget the claims that are too old to matter when an interaction with this id is new."""
        await self._database.change(_outdated(before))


def _outdated(newest: int) -> Delete:
    """Ids say when they were given, in milliseconds from their 23rd bit on."""
    return delete(ClaimRow).where(ClaimRow.interaction_id < newest - (int(KEPT_FOR * 1000) << 22))
