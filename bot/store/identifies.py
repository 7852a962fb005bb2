"""When shards last identified themselves to Discord, which wants pauses between them."""

from __future__ import annotations

from sqlalchemy import select, update
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.collisions import again
from bot.store.database import Database, add_missing, change
from bot.store.models import Base

NEVER = 0.0


class IdentifyRow(Base):
    """The last time at which a shard of a bucket was allowed to identify itself."""

    __tablename__ = "identifies"
    # Of no use to another database.
    __table_args__ = ({"info": {"transient": True}},)

    bucket: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[float]
    """By the database's clock, which is one and the same for all processes."""


class Identifies:
    """Lets the shards of each bucket identify themselves one after the other."""

    def __init__(self, database: Database) -> None:
        """Keep times in `database`."""
        self._database = database

    @again
    async def take(self, bucket: int, apart: float) -> float:
        """Take the bucket's turn if the last one is `apart` seconds ago.

        Returns 0 if it was taken, else in how many seconds it is worth asking again.
        """
        now = self._database.now
        async with self._database.writing() as connection:
            await add_missing(connection, IdentifyRow, {"bucket": bucket, "at": NEVER})
            here, at = IdentifyRow.bucket == bucket, IdentifyRow.at
            # A time in the future was written before the clock was set back.
            is_free = (at <= now - apart) | (at > now)
            if await change(connection, update(IdentifyRow).where(here, is_free).values(at=now)):
                return 0.0
            waited = (await connection.execute(select(now - at).where(here))).scalar_one()
            return max(0.0, apart - float(waited))
