"""How often somebody has asked another person for something, counted for all processes.

Each limit of so many requests in so many seconds has as many slots. A request takes a slot that is
free or has expired, in the transaction that stores the request: what is not stored does not count,
and of two processes that want the last slot one gets it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, Index, String, bindparam, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.backends import backend_of
from bot.store.database import Database, change
from bot.store.models import Base


class RateSlotRow(Base):
    """A request that still counts towards a limit."""

    __tablename__ = "rate_slots"
    # Of no use to another database: it expires within minutes.
    __table_args__ = (
        Index("ix_rate_slots_expiry", "expires_at"),
        Index("ix_rate_slots_partner", "partner_id"),
        {"info": {"transient": True}},
    )

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    """Who asked."""
    partner_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    """Who was asked."""
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    """What was asked for, as in the settings' limits."""
    slot: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Counted from 0."""
    expires_at: Mapped[float]


@dataclass(frozen=True, slots=True)
class Quota:
    """A request that counts towards a limit."""

    kind: str
    user_id: int
    partner_id: int
    most: int
    """How many requests are allowed in `seconds`."""
    seconds: float
    at: float


class LimitReached(Exception):
    """There have been as many requests as are allowed; `until` is when the next one is."""

    def __init__(self, until: float) -> None:
        super().__init__(f"the limit is reached until {until}")
        self.until = until


class RateLimits:
    """The slots of all limits."""

    def __init__(self, database: Database) -> None:
        """Count in `database`."""
        self._database = database

    async def clear(self, now: float) -> None:
        """Delete the slots that have expired."""
        await self._database.change(delete(RateSlotRow).where(RateSlotRow.expires_at <= now))


async def take(connection: AsyncConnection, quota: Quota) -> None:
    """Count a request, inside a caller's transaction; raises LimitReached."""
    values = {
        "user_id": quota.user_id,
        "partner_id": quota.partner_id,
        "kind": quota.kind,
        "expires_at": quota.at + quota.seconds,
    }
    taken = await _taken(connection, quota)
    while len(taken) < quota.most:
        slot = next(number for number in range(quota.most) if number not in taken)
        statement = _take_statement(connection.dialect.name)
        if await change(connection, statement, {**values, "slot": slot, "now": quota.at}):
            return
        # Another process has just taken it.
        taken = await _taken(connection, quota)
    # As many have to expire as are beyond the limit, which may have been higher before.
    raise LimitReached(sorted(taken.values())[len(taken) - quota.most])


async def _taken(connection: AsyncConnection, quota: Quota) -> dict[int, float]:
    """When the slots expire that are taken, by number."""
    found = await connection.execute(
        select(RateSlotRow.slot, RateSlotRow.expires_at).where(
            RateSlotRow.user_id == quota.user_id,
            RateSlotRow.partner_id == quota.partner_id,
            RateSlotRow.kind == quota.kind,
            RateSlotRow.expires_at > quota.at,
        )
    )
    return {row.slot: row.expires_at for row in found}


@cache
def _take_statement(backend: str) -> Any:
    """The statement that takes a slot, unless it is taken and has not expired."""
    insert = (
        backend_of(backend)
        .insert(RateSlotRow.__table__)
        .values({column.name: bindparam(column.name) for column in RateSlotRow.__table__.columns})
    )
    return insert.on_conflict_do_update(
        index_elements=["user_id", "partner_id", "kind", "slot"],
        set_={"expires_at": insert.excluded.expires_at},
        where=RateSlotRow.expires_at <= bindparam("now"),
    )
