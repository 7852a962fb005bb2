"""People: their own settings and their servers', what they ask of each other, and how often.

A request from one person to another is stored before it is shown, and answered once. The same
transaction counts it towards a limit: a limit of N requests has N slots, and a request takes a free
or expired one. If two processes want the last slot, only one gets it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields
from functools import cache, partial
from typing import Any, Generic, TypeVar

from sqlalchemy import BigInteger, Index, Select, String, bindparam, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.database import Database
from bot.database.errors import retry_on_conflict
from bot.database.statements import (
    Base,
    Prepared,
    add,
    add_missing,
    backend_of,
    change,
    lock,
    put,
    record,
)
from bot.shards import Shards
from bot.store.owners import in_shards
from bot.store.records import ChallengeRecord, Experience, NewChallengeRecord, SeatRecord
from bot.store.rows import Step, setup_of, setup_values
from bot.store.tables import ChallengeRow, PlayerRow, ServerRow


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a person has chosen."""

    private: bool = False
    """Whether others may not see their statistics."""
    shares: bool = True
    """Whether others may post games with them in a channel."""
    pings: bool = True
    """Whether they are notified of their turns against other people."""
    reminders: bool = True
    """Whether they are notified when their time is running out."""
    spoken: bool = False
    """Whether their moves by button are confirmed in words."""
    as_text: bool = False
    """Whether they also get boards as text."""
    language: str | None = None
    """The language of private messages; None for that of their Discord."""
    theme: str | None = None
    """The look of boards; None for that of the server."""


class Players:
    """People's own settings."""

    def __init__(self, database: Database) -> None:
        """Keep people in `database`."""
        self._database = database

    async def preferences(self, user_id: int) -> Preferences:
        """What a person has chosen; the usual settings for someone new."""
        found = await self._database.fetch(_PREFERENCES, {"user": user_id})
        return record(Preferences, found[0]) if found else Preferences()

    async def is_private(self, user_id: int) -> bool:
        """Whether a person hides their statistics; False by default."""
        return (await self.preferences(user_id)).private

    @retry_on_conflict
    async def set(self, user_id: int, at: float, **chosen: bool | str | None) -> None:
        """Change some of the `Preferences` of a person, who may be new."""
        async with self._database.writing() as connection:
            await add_people(connection, (user_id,), at)
            person = update(PlayerRow).where(PlayerRow.id == user_id)
            await connection.execute(person.values(**chosen))

    async def experience(self, user_id: int) -> Experience | None:
        """What a person said about how often they play; None if they have not been asked."""
        found = await self._database.fetch(_EXPERIENCE, {"user": user_id})
        said = found[0].experience if found else None
        return None if said is None else Experience(said)

    @retry_on_conflict
    async def note_experience(self, user_id: int, said: Experience, at: float) -> None:
        """Note what a person, who may be new, said about how often they play."""
        async with self._database.writing() as connection:
            await add_people(connection, (user_id,), at)
            person = update(PlayerRow).where(PlayerRow.id == user_id)
            await connection.execute(person.values(experience=said))


_EXPERIENCE = Prepared(select(PlayerRow.experience).where(PlayerRow.id == bindparam("user")))
"""What a `user` said about how often they play."""

_PREFERENCES = Prepared(
    select(*(getattr(PlayerRow, one.name) for one in fields(Preferences))).where(
        PlayerRow.id == bindparam("user")
    )
)
"""What a `user` has chosen."""


@dataclass(frozen=True, slots=True)
class ServerPreferences:
    """What the managers of a server have chosen."""

    games_channel_id: int | None = None
    """The only channel in which games may begin; None for all."""
    language: str | None = None
    """The language of public messages; None for the usual one."""
    theme: str | None = None
    """The look of boards; None for the classic one."""


class Servers:
    """What the managers of servers have chosen."""

    def __init__(self, database: Database) -> None:
        """Keep servers in `database`."""
        self._database = database

    async def preferences(self, guild_id: int) -> ServerPreferences:
        """What the managers of a server have chosen."""
        found = await self._database.fetch(_SERVER, {"guild": guild_id})
        return record(ServerPreferences, found[0]) if found else ServerPreferences()

    @retry_on_conflict
    async def set(self, guild_id: int, **chosen: int | str | None) -> None:
        """Change some of the `ServerPreferences` of a server."""
        async with self._database.writing() as connection:
            await put(connection, ServerRow, {"guild_id": guild_id}, chosen)


_SERVER = Prepared(select(ServerRow).where(ServerRow.guild_id == bindparam("guild")))
"""What the managers of a `guild` have chosen."""


async def add_people(connection: AsyncConnection, people: Iterable[int | None], at: float) -> None:
    """Add those people who are new, as of a time."""
    # In a fixed order, so that two transactions that add the same people cannot deadlock.
    for user_id in sorted({user_id for user_id in people if user_id is not None}):
        await add_missing(connection, PlayerRow, {"id": user_id, "joined_at": at})


async def lock_person(connection: AsyncConnection, user_id: int, at: float) -> None:
    """Add a person if they are new, and lock their row against deletion."""
    await add_people(connection, (user_id,), at)
    await lock(connection, PlayerRow.id, (user_id,))


New = TypeVar("New")

Kept = TypeVar("Kept")


class RequestAnswered(Exception):
    """The request is no longer open."""


class Requests(Generic[New, Kept]):
    """Requests of one kind, each answered once."""

    table: Any
    """Their table."""
    new: type[New]
    """The type of a new request: a dataclass whose fields are mostly columns."""
    kept: Callable[[int, New, int | None, str | None], Kept]
    """The type of a stored request: its id, the request, its message and its answer."""

    def __init__(self, database: Database) -> None:
        """Keep requests in `database`."""
        self._database = database

    @retry_on_conflict
    async def add(self, request: New, quota: Quota | None = None) -> Kept:
        """Store a request, which may count towards a limit; raises LimitReached."""
        async with self._database.writing() as connection:
            await self._prepare(connection, request)
            if quota is not None:
                await take(connection, quota)
            request_id = await add(connection, self.table, self._values(request))
        return self.kept(request_id, request, None, None)

    async def find(self, request_id: int) -> Kept | None:
        """A request by its id."""
        found = await self._fetch(select(self.table).where(self.table.id == request_id))
        return found[0] if found else None

    @retry_on_conflict
    async def answer(self, request_id: int, answer: str) -> bool:
        """Answer a request; False, and no change, if it is no longer open."""
        async with self._database.writing() as connection:
            return await _answer(connection, self.table, request_id, answer)

    async def set_message(self, request_id: int, message_id: int) -> None:
        """Record which message shows a request."""
        row = self.table
        await self._database.change(
            update(row).where(row.id == request_id).values(message_id=message_id)
        )

    def acceptance(self, request_id: int) -> Step:
        """The step that accepts a request; raises RequestAnswered if it is no longer open."""
        return partial(accept, table=self.table, request_id=request_id)

    async def _prepare(self, connection: AsyncConnection, request: New) -> None:
        """Run before a request is stored, in the same transaction; what it raises is raised."""

    async def _fetch(self, query: Select[Any]) -> list[Kept]:
        return [self._kept(row) for row in await self._database.fetch(query)]

    def _kept(self, row: Any) -> Kept:
        return self.kept(row.id, self._request(row), row.message_id, row.answer)

    def _values(self, request: New) -> dict[str, Any]:
        """The columns of a new request."""
        columns = self.table.__table__.columns
        values = asdict(request)  # type: ignore[call-overload]  # it is a dataclass
        return {name: value for name, value in values.items() if name in columns}

    def _request(self, row: Any) -> New:
        """The request that a row holds."""
        columns = self.table.__table__.columns
        names = (field.name for field in fields(self.new))  # type: ignore[arg-type]
        return self.new(**{name: getattr(row, name) for name in names if name in columns})


async def accept(connection: AsyncConnection, table: Any, request_id: int) -> None:
    """Accept a request, inside a caller's transaction; raises RequestAnswered if it is not open."""
    if not await _answer(connection, table, request_id, "accepted"):
        raise RequestAnswered


async def _answer(connection: AsyncConnection, table: Any, request_id: int, answer: str) -> bool:
    is_open = (table.id == request_id) & table.answer.is_(None)
    return await change(connection, update(table).where(is_open).values(answer=answer)) == 1


class RematchOpen(Exception):
    """The two people have another rematch that waits for an answer."""

    def __init__(self, present: ChallengeRecord) -> None:
        super().__init__(present)
        self.present = present


class Challenges(Requests[NewChallengeRecord, ChallengeRecord]):
    """Challenges."""

    table, new, kept = ChallengeRow, NewChallengeRecord, ChallengeRecord

    async def is_declined(self, game_id: int) -> bool:
        """Whether a rematch of a game has been declined."""
        row = ChallengeRow
        declined = select(row.id).where(row.rematch_of == game_id, row.answer == "declined")
        return bool(await self._database.fetch(declined.limit(1)))

    async def open(
        self, *, until: float | None = None, shards: Shards | None = None
    ) -> list[ChallengeRecord]:
        """The unanswered challenges; with `until`, only those that expire by then.

        With `shards`, only those on servers of these shards.
        """
        here = in_shards(ChallengeRow.guild_id, shards)
        query = select(ChallengeRow).where(ChallengeRow.answer.is_(None), here)
        if until is not None:
            query = query.where(ChallengeRow.expires_at <= until)
        return await self._fetch(query)

    async def clear(self, before: float) -> None:
        """Delete the answered challenges that could be answered until some time before this one."""
        is_old = (ChallengeRow.answer.is_not(None), ChallengeRow.expires_at < before)
        await self._database.change(delete(ChallengeRow).where(*is_old))

    async def _prepare(self, connection: AsyncConnection, request: NewChallengeRecord) -> None:
        """Raise RematchOpen if the two people have an open rematch and this is another one."""
        if request.rematch_of is None:
            return
        row, pair = ChallengeRow, sorted((request.challenger, request.challenged))
        await add_people(connection, pair, request.offered_at)
        await lock(connection, PlayerRow.id, pair)
        is_open = (row.answer.is_(None), row.expires_at > request.offered_at)
        theirs = (row.challenger.in_(pair), row.challenged.in_(pair), row.rematch_of.is_not(None))
        found = (await connection.execute(select(row).where(*is_open, *theirs))).first()
        if found is not None:
            raise RematchOpen(self._kept(found))

    def _values(self, request: NewChallengeRecord) -> dict[str, Any]:
        return {
            **setup_values(request.setup, ChallengeRow),
            "challenger": request.challenger,
            "challenged": request.challenged,
            "challenger_first": request.setup.first.user_id == request.challenger,
            "offered_at": request.offered_at,
            "expires_at": request.expires_at,
            "rematch_of": request.rematch_of,
        }

    def _request(self, row: Any) -> NewChallengeRecord:
        seats = SeatRecord(row.challenger, None), SeatRecord(row.challenged, None)
        first, second = seats if row.challenger_first else seats[::-1]
        by = row.challenger
        setup = setup_of(row, ChallengeRow, first=first, second=second, started_by=by)
        return NewChallengeRecord(setup, row.offered_at, row.expires_at, row.rematch_of)


class RateSlotRow(Base):
    """A request that still counts towards a limit."""

    __tablename__ = "rate_slots"
    # Not copied to another database: it expires within minutes.
    __table_args__ = (
        Index("ix_rate_slots_expiry", "expires_at"),
        Index("ix_rate_slots_partner", "partner_id"),
        {"info": {"transient": True}},
    )

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    """The person who made the request."""
    partner_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    """The person who received it."""
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    """The kind of request, as in the settings' limits."""
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
    """The limit of requests is reached; `until` is when the next one is allowed."""

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
        # Another process has just taken the slot.
        taken = await _taken(connection, quota)
    # All slots beyond the limit have to expire first; the limit may have been higher before.
    raise LimitReached(sorted(taken.values())[len(taken) - quota.most])


async def _taken(connection: AsyncConnection, quota: Quota) -> dict[int, float]:
    """The times at which taken slots expire, by number."""
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
