"""Games that people have offered each other.

People and their own settings.

What one player of a game asks the other to agree to: the part that all such requests share.

How often somebody has asked another person for something, counted for all processes.

Each limit of so many requests in so many seconds has as many slots. A request takes a slot that is
free or has expired, in the transaction that stores the request: what is not stored does not count,
and of two processes that want the last slot one gets it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields
from functools import cache
from typing import Any, Generic, TypeVar

from sqlalchemy import BigInteger, Index, Select, String, bindparam, delete, exists, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.database import Database
from bot.database.errors import again
from bot.database.statements import Base, Prepared, add, add_missing, backend_of, change
from bot.shards import Shards
from bot.store.owners import in_shards
from bot.store.records import ChallengeRecord, NewChallengeRecord
from bot.store.rows import clock_of, clock_values
from bot.store.tables import ChallengeRow, GameRow, PlayerRow


class ChallengeAnswered(Exception):
    """The challenge is no longer open."""


class Challenges:
    """Challenges, each answered once; `Games.add` accepts them."""

    def __init__(self, database: Database) -> None:
        """Keep challenges in `database`."""
        self._database = database

    @again
    async def add(self, offer: NewChallengeRecord, quota: Quota | None = None) -> ChallengeRecord:
        """Store a challenge, which may count towards a limit; raises LimitReached."""
        async with self._database.writing() as connection:
            if quota is not None:
                await take(connection, quota)
            challenge_id = await add(connection, ChallengeRow, _values(offer))
        return ChallengeRecord(challenge_id, offer, None, None)

    async def find(self, challenge_id: int) -> ChallengeRecord | None:
        """A challenge by its id."""
        statement = select(ChallengeRow).where(ChallengeRow.id == challenge_id)
        found = await self._database.fetch(statement)
        return _record(found[0]) if found else None

    async def open(
        self, *, until: float | None = None, shards: Shards | None = None
    ) -> list[ChallengeRecord]:
        """The unanswered challenges; with `until`, those that expire by then.

        With `shards` those of their servers.
        """
        here = in_shards(ChallengeRow.guild_id, shards)
        statement = select(ChallengeRow).where(ChallengeRow.answer.is_(None), here)
        if until is not None:
            statement = statement.where(ChallengeRow.expires_at <= until)
        return [_record(row) for row in await self._database.fetch(statement)]

    @again
    async def answer(self, challenge_id: int, word: str) -> bool:
        """Answer a challenge; False, and no change, if it is no longer open."""
        async with self._database.writing() as connection:
            return await answer(connection, challenge_id, word)

    async def set_message(self, challenge_id: int, message_id: int) -> None:
        """Note which message shows a challenge."""
        await self._database.change(
            update(ChallengeRow)
            .where(ChallengeRow.id == challenge_id)
            .values(message_id=message_id)
        )


async def accept(connection: AsyncConnection, challenge_id: int) -> None:
    """Accept a challenge; raises ChallengeAnswered if it is no longer open."""
    if not await answer(connection, challenge_id, "accepted"):
        raise ChallengeAnswered


async def answer(connection: AsyncConnection, challenge_id: int, word: str) -> bool:
    """Answer a challenge; False, and no change, if it is no longer open."""
    is_open = (ChallengeRow.id == challenge_id) & ChallengeRow.answer.is_(None)
    return await change(connection, update(ChallengeRow).where(is_open).values(answer=word)) == 1


def _values(offer: NewChallengeRecord) -> dict[str, Any]:
    values = asdict(offer)
    del values["clock"]
    return values | clock_values(offer.clock)


def _record(row: Any) -> ChallengeRecord:
    names = NewChallengeRecord.__dataclass_fields__.keys() - {"clock"}
    offer = NewChallengeRecord(**{n: getattr(row, n) for n in names}, clock=clock_of(row))
    return ChallengeRecord(row.id, offer, row.message_id, row.answer)


_PRIVATE, _PINGS, _SPOKEN = (
    Prepared(select(column).where(PlayerRow.id == bindparam("user")))
    for column in (PlayerRow.private, PlayerRow.pings, PlayerRow.spoken)
)
"""What a `user` has set."""


class Players:
    """What people show others, and whether they want to be notified."""

    def __init__(self, database: Database) -> None:
        """Keep people in `database`."""
        self._database = database

    async def is_private(self, user_id: int) -> bool:
        """Whether a person hides their statistics; by default nobody does."""
        found = await self._database.fetch(_PRIVATE, {"user": user_id})
        return bool(found[0].private) if found else False

    async def set_private(self, user_id: int, private: bool, at: float) -> None:
        """Hide or show a person's statistics."""
        await self._set(user_id, at, private=private)

    async def wants_pings(self, user_id: int) -> bool:
        """Whether a person wants to be notified of their turns; by default everybody does."""
        found = await self._database.fetch(_PINGS, {"user": user_id})
        return bool(found[0].pings) if found else True

    async def set_pings(self, user_id: int, wanted: bool, at: float) -> None:
        """Switch a person's pings on or off."""
        await self._set(user_id, at, pings=wanted)

    async def wants_words(self, user_id: int) -> bool:
        """Whether a person's moves by button are confirmed in words; by default nobody's are."""
        found = await self._database.fetch(_SPOKEN, {"user": user_id})
        return bool(found[0].spoken) if found else False

    async def set_spoken(self, user_id: int, wanted: bool, at: float) -> None:
        """Switch the words for a person's moves on or off."""
        await self._set(user_id, at, spoken=wanted)

    @again
    async def _set(self, user_id: int, at: float, **choice: bool) -> None:
        async with self._database.writing() as connection:
            await enter(connection, (user_id,), at)
            await connection.execute(
                update(PlayerRow).where(PlayerRow.id == user_id).values(**choice)
            )


async def enter(connection: AsyncConnection, people: Iterable[int | None], at: float) -> None:
    """Add those people who are new, as of a time."""
    # In a fixed order: two that add the same people never wait for each other.
    for user_id in sorted({user_id for user_id in people if user_id is not None}):
        await add_missing(connection, PlayerRow, {"id": user_id, "joined_at": at})


New = TypeVar("New")

Kept = TypeVar("Kept")


class Requests(Generic[New, Kept]):
    """Requests of one kind, each answered once."""

    table: Any
    """Their table."""
    new: type[New]
    """A request that is about to be stored; its fields are columns."""
    kept: Callable[[int, New, int | None, str | None], Kept]
    """A stored one: its id, the request, its message and its answer."""

    def __init__(self, database: Database) -> None:
        """Keep requests in `database`."""
        self._database = database

    @again
    async def add(self, request: New, quota: Quota | None = None) -> Kept:
        """Store a request, which may count towards a limit; raises LimitReached."""
        async with self._database.writing() as connection:
            if quota is not None:
                await take(connection, quota)
            values = asdict(request)  # type: ignore[call-overload]  # it is a dataclass
            return self.kept(await add(connection, self.table, values), request, None, None)

    async def find(self, request_id: int) -> Kept | None:
        """A request by its id."""
        found = await self._database.fetch(select(self.table).where(self.table.id == request_id))
        return self._record(found[0]) if found else None

    async def open(self, game_id: int | None = None, *, shards: Shards | None = None) -> list[Kept]:
        """The unanswered requests of one game or of all, oldest first.

        With `shards` those in games of their servers.
        """
        query = open_query(self.table, game_id)
        if shards is not None:
            here = (GameRow.id == self.table.game_id, in_shards(GameRow.guild_id, shards))
            query = query.where(exists().where(*here))
        return [self._record(row) for row in await self._database.fetch(query)]

    @again
    async def answer(self, request_id: int, word: str) -> bool:
        """Answer a request without granting it; False, and no change, if it is no longer open."""
        async with self._database.writing() as connection:
            return await record_answer(connection, self.table, request_id, word)

    async def set_message(self, request_id: int, message_id: int) -> None:
        """Note which message shows a request."""
        row = self.table
        await self._database.change(
            update(row).where(row.id == request_id).values(message_id=message_id)
        )

    def _record(self, row: Any) -> Kept:
        names = (field.name for field in fields(self.new))  # type: ignore[arg-type]
        request = self.new(**{name: getattr(row, name) for name in names})
        return self.kept(row.id, request, row.message_id, row.answer)


def open_query(table: Any, game_id: int | None) -> Select[Any]:
    """The open requests of one game or of all."""
    statement = select(table).where(table.answer.is_(None)).order_by(table.id)
    return statement if game_id is None else statement.where(table.game_id == game_id)


async def record_answer(
    connection: AsyncConnection, table: Any, request_id: int, word: str
) -> bool:
    """Answer a request; False, and no change, if it is no longer open."""
    is_open = (table.id == request_id) & table.answer.is_(None)
    return await change(connection, update(table).where(is_open).values(answer=word)) == 1


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
