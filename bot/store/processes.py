"""The processes that work on one database, and their coordination through it.

Each process holds a lease that it renews every few seconds. Claims make sure that one process
answers each interaction, and shards identify themselves with the pauses that Discord requires.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.database import Database, NoteRow
from bot.database.errors import retry_on_conflict
from bot.database.statements import Base, add_missing, change, put
from bot.shards import Shards
from bot.store.tables import ProcessRow

PATIENCE = 1.0
"""Seconds for which a claim waits for the database, of three until Discord needs an answer."""

KEPT_FOR = 900.0
"""Seconds for which a claim is kept; Discord delivers no interaction with such a delay."""


class ClaimRow(Base):
    """An interaction that a process has begun to answer."""

    __tablename__ = "claims"
    # Of no use to another database.
    __table_args__ = ({"info": {"transient": True}},)

    interaction_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)


class Claims:
    """The repository of claims: the first process to claim an interaction handles it."""

    def __init__(self, database: Database) -> None:
        """Keep claims in `database`."""
        self._database = database

    @retry_on_conflict
    async def take(self, interaction_id: int) -> bool:
        """Claim an interaction; False if another process has. Raises Unavailable."""
        row = {"interaction_id": interaction_id}
        statement = self._database.insert_missing(ClaimRow)
        return bool(await self._database.change_at_once(statement, row, PATIENCE))

    async def clear(self, newest: int) -> None:
        """Delete the claims that are too old to matter, given the id of a new interaction."""
        # Ids contain the time of their creation in milliseconds, from the 23rd bit on.
        oldest = newest - (int(KEPT_FOR * 1000) << 22)
        await self._database.change(delete(ClaimRow).where(ClaimRow.interaction_id < oldest))


class IdentifyRow(Base):
    """The last time at which a shard of a bucket was allowed to identify itself."""

    __tablename__ = "identifies"
    # Of no use to another database.
    __table_args__ = ({"info": {"transient": True}},)

    bucket: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[float]
    """By the database's clock, which is the same for all processes."""


class Identifies:
    """Lets the shards of each bucket identify themselves one after the other."""

    def __init__(self, database: Database) -> None:
        """Keep times in `database`."""
        self._database = database

    @retry_on_conflict
    async def take(self, bucket: int, apart: float) -> float:
        """Take the bucket's turn if the last one is `apart` seconds ago.

        Returns 0 if it was taken, else the seconds until the next attempt can succeed.
        """
        now = self._database.now
        async with self._database.writing() as connection:
            await add_missing(connection, IdentifyRow, {"bucket": bucket, "at": 0.0})
            here, at = IdentifyRow.bucket == bucket, IdentifyRow.at
            # A time in the future was stored before the clock was set back.
            is_free = (at <= now - apart) | (at > now)
            if await change(connection, update(IdentifyRow).where(here, is_free).values(at=now)):
                return 0.0
            waited = (await connection.execute(select(now - at).where(here))).scalar_one()
            return max(0.0, apart - float(waited))


class Notes:
    """Short texts, each with a name."""

    def __init__(self, database: Database) -> None:
        """Keep notes in `database`."""
        self._database = database

    async def find(self, name: str) -> str | None:
        """The note with a name."""
        found = await self._database.fetch(select(NoteRow.text).where(NoteRow.name == name))
        return found[0].text if found else None

    async def put(self, name: str, text: str) -> None:
        """Write a note, replacing any earlier one with its name."""
        await self.put_all({name: text})

    @retry_on_conflict
    async def put_all(self, texts: Mapping[str, str]) -> None:
        """Write notes in one transaction, each replacing any earlier one with its name."""
        async with self._database.writing() as connection:
            for name, text in texts.items():
                await put(connection, NoteRow, {"name": name}, {"text": text})


LEASE, LEASE_OF_FILE = 10.0, 180.0
"""Seconds for which a lease is valid, on a server and on a file, where it is renewed less often.
After that the process counts as gone, and its games have no owner."""

MIN_START_GAP = 0.001
"""The least difference between the starts of two processes in seconds."""


@dataclass(frozen=True, slots=True)
class ProcessRecord:
    """A process."""

    id: str
    shards: Shards | None
    """The shards that it serves; None for all."""
    began_at: float
    """The start time by the database's clock, which makes processes comparable."""
    seen_at: float
    """When it last renewed its lease, by its own clock."""
    is_draining: bool
    """Whether it has been asked to hand its games over."""
    is_gone: bool
    """Whether it has ended, or its lease has run out."""

    def is_older(self, other: ProcessRecord) -> bool:
        """Whether this process began before another one."""
        return (self.began_at, self.id) < (other.began_at, other.id)


class Processes:
    """All registered processes; those that are gone stay until their games are adopted."""

    def __init__(self, database: Database) -> None:
        """Keep processes in `database`."""
        self._database = database

    @retry_on_conflict
    async def register(self, process_id: str, shards: Shards | None, at: float) -> float:
        """Add a process that starts; returns when it began, by the database's clock.

        It is the newest process, even if that clock was set back since others began. With a file,
        which only one process uses at a time, all other processes are gone.

        Args:
            process_id: A random name.
            shards: Those that it serves; None for all.
            at: Now, by its own clock.
        """
        async with self._database.writing() as connection:
            if not self._database.is_shared:
                others = update(ProcessRow).where(ProcessRow.id != process_id)
                await connection.execute(others.values(until=0.0))
            times = select(self._database.now, func.max(ProcessRow.began_at))
            now, newest = (await connection.execute(times)).one()
            began_at = float(now) if newest is None else max(float(now), newest + MIN_START_GAP)
            await self._insert(connection, process_id, shards, at, began_at)
        return began_at

    @retry_on_conflict
    async def renew(
        self,
        process_id: str,
        shards: Shards | None,
        at: float,
        *,
        began_at: float | None = None,
        patience: float | None = None,
    ) -> bool:
        """Renew a process's lease; returns whether it has been asked to drain.

        A process that others have removed is added again with its original start time, so that the
        process that replaced it stays the newer one. `patience` is that of `Database.writing`.
        """
        mine = ProcessRow.id == process_id
        renewed = update(ProcessRow).where(mine).values(seen_at=at, until=self._lease_end())
        async with self._database.writing(patience) as connection:
            if not await change(connection, renewed):
                began = self._database.now if began_at is None else began_at
                await self._insert(connection, process_id, shards, at, began)
            drains = await connection.execute(select(ProcessRow.draining).where(mine))
            return bool(drains.scalar_one())

    async def release(self, process_id: str, at: float) -> None:
        """End a process's lease at `at`, so that its games have no owner."""
        ended = update(ProcessRow).where(ProcessRow.id == process_id)
        await self._database.change(ended.values(seen_at=at, until=0.0))

    async def ask_to_drain(self, process_ids: Collection[str]) -> None:
        """Ask processes to hand their games over; they read that at their next renewal."""
        asked = update(ProcessRow).where(ProcessRow.id.in_(process_ids))
        await self._database.change(asked.values(draining=True))

    async def find(self, process_id: str) -> ProcessRecord | None:
        """A process by its name."""
        found = await self._records(ProcessRow.id == process_id)
        return found[0] if found else None

    async def all(self) -> list[ProcessRecord]:
        """All processes, the oldest first, including those whose games have yet to be taken."""
        return await self._records()

    async def overlapping(self, process_id: str, shards: Shards | None) -> list[ProcessRecord]:
        """The other processes at work that serve any of these shards, the oldest first."""
        found = await self._records(ProcessRow.id != process_id)
        return [one for one in found if not one.is_gone and _overlap(one.shards, shards)]

    async def _insert(
        self,
        connection: AsyncConnection,
        process_id: str,
        shards: Shards | None,
        at: float,
        began_at: Any,
    ) -> None:
        values = {
            "began_at": began_at,
            "seen_at": at,
            "until": self._lease_end(),
            "shards": None if shards is None else str(shards),
            "draining": False,
        }
        await put(connection, ProcessRow, {"id": process_id}, values)

    async def _records(self, *which: Any) -> list[ProcessRecord]:
        gone = (ProcessRow.until <= self._database.now).label("gone")
        found = select(ProcessRow, gone).where(*which).order_by(ProcessRow.began_at, ProcessRow.id)
        return [_record(row) for row in await self._database.fetch(found)]

    def _lease_end(self) -> Any:
        return self._database.now + (LEASE if self._database.is_shared else LEASE_OF_FILE)


def _overlap(some: Shards | None, others: Shards | None) -> bool:
    return some is None or others is None or some.overlaps(others)


def _record(row: Any) -> ProcessRecord:
    return ProcessRecord(
        id=row.id,
        shards=None if row.shards is None else Shards.parse(row.shards),
        began_at=row.began_at,
        seen_at=row.seen_at,
        is_draining=row.draining,
        is_gone=bool(row.gone),
    )
