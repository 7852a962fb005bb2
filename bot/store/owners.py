"""Which process each game belongs to, and which finished games a process may settle.

A game belongs to one process at a time. Another process takes it over if a player uses that process
or if the owner has ended or is draining. The time between the owner's last renewal and the takeover
is refunded to the players in the same transaction.

Some finished games are due to be settled, such as rated. If settling one fails it is retried after
FIRST_RETRY seconds, then after twice as long each time. After MAX_ATTEMPTS failures it is parked:
tried once every PARKED_RETRY seconds and at every start of a process, and no other game waits for
it any more.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    String,
    and_,
    bindparam,
    case,
    delete,
    false,
    func,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import aliased

from bot.database.database import Database
from bot.database.errors import retry_on_conflict
from bot.database.statements import Prepared, lock
from bot.shards import Shards
from bot.store.records import GameRecord
from bot.store.rows import countdown_moved, other_event, readable_records
from bot.store.tables import MAX_ATTEMPTS, ChallengeRow, GameRow, ProcessRow, RatingDueRow

FIRST_RETRY = 5.0
"""Seconds until a game that could not be settled is retried, doubled with every failure."""

PARKED_RETRY = 86_400.0
"""Seconds between two attempts at a parked game."""


@dataclass(frozen=True, slots=True)
class Unsettled:
    """How many due games have failed."""

    failing: int = 0
    """Games that are retried soon."""
    parked: int = 0
    """Games that have failed MAX_ATTEMPTS times or more."""


class DueGames(ABC):
    """Finished games that are due to be settled, in one table; see the module."""

    table: ClassVar[Any]
    """The table: a game's id beside the columns of `RetryColumns`."""

    def __init__(self, database: Database) -> None:
        """Store due games in `database`."""
        self._database = database
        self._statements = database.prepared(type(self))

    @abstractmethod
    async def due(self, limit: int) -> list[int]:
        """At most `limit` games that are to be settled now, in order; does not claim them."""

    def _ready(self) -> tuple[ColumnElement[bool], ...]:
        """The conditions for claiming a game, besides not waiting for its next attempt."""
        return ()

    @retry_on_conflict
    async def claim(self, limit: int, owner: Owner) -> list[int]:
        """Claim the games that a process is to settle now, and return them in order."""
        if not self._database.is_shared:
            return await self.due(limit)
        table = self.table

        def some() -> Select[int, str | None]:
            ready = is_ready(self._database, table), *self._ready()
            due = claim_query(self._database, table, bound_owner(owner), *ready)
            # Rows that another process has locked are left to that process.
            at_most = due.limit(bindparam("most", type_=Integer))
            return at_most.with_for_update(of=GameRow, skip_locked=True)

        locked = self._statements.get(("claim", owner.takes), some)
        async with self._database.writing() as connection:
            found = await locked.rows(connection, {"process": owner.id, "most": limit})
            others = [row.id for row in found if row.owner != owner.id]
            if others:
                taken = update(GameRow).where(GameRow.id.in_(others))
                await connection.execute(taken.values(owner=owner.id))
            return [row.id for row in found]

    @retry_on_conflict
    async def postpone(self, game_id: int) -> int:
        """Record that settling a game has failed, and when to retry it; returns how often it has.

        The board of a parked game is shown again, because it says that a rating is pending.
        """
        table, is_game = self.table, self.table.game_id == game_id
        # A table, as not every SQLite has a function for powers.
        pauses = {n: FIRST_RETRY * 2**n for n in range(MAX_ATTEMPTS - 1)}
        pause = case(pauses, value=table.attempts, else_=PARKED_RETRY)
        async with self._database.writing() as connection:
            failed = update(table).where(is_game)
            later = {"attempts": table.attempts + 1, "next_attempt_at": self._database.now + pause}
            await connection.execute(failed.values(later))
            attempts = (await connection.execute(select(table.attempts).where(is_game))).scalar()
            if attempts == MAX_ATTEMPTS:
                has_board = (GameRow.id == game_id) & GameRow.message_id.is_not(None)
                await connection.execute(update(GameRow).where(has_board).values(other_event(0.0)))
            return attempts or 0

    async def next_attempt(self, owner: Owner) -> float | None:
        """Seconds until the next retry of a failed game that a process may settle."""
        database, table = self._database, self.table

        def waiting() -> Select[float]:
            left = (table.next_attempt_at - database.now).label("left")
            games = select(left).join(GameRow, GameRow.id == table.game_id)
            games = games.where(may_own(bound_owner(owner), database), ~is_ready(database, table))
            return games.order_by(table.next_attempt_at).limit(1)

        statement = self._statements.get(("next", owner.takes), waiting)
        found = await database.fetch(statement, {"process": owner.id})
        return max(0.0, float(found[0].left)) if found else None

    async def retry_parked(self) -> None:
        """Make parked games due at once, as at a start: the cause of the failure may be fixed.

        They stay parked, so nothing waits for them.
        """
        parked = update(self.table).where(self.table.attempts >= MAX_ATTEMPTS)
        await self._database.change(parked.values(next_attempt_at=0.0))

    async def unsettled(self) -> Unsettled:
        """How many due games have failed."""
        has_parked = case((self.table.attempts >= MAX_ATTEMPTS, 1), else_=0)
        parked = func.coalesce(func.sum(has_parked), 0).label("parked")
        counted = select(func.count().label("failed"), parked)
        (row,) = await self._database.fetch(counted.where(self.table.attempts > 0))
        return Unsettled(int(row.failed) - int(row.parked), int(row.parked))


def claim_query(
    database: Database, table: Any, owner: Owner, *ready: ColumnElement[bool]
) -> Select[int, str | None]:
    """The due games that a process may settle, from any shard, and their owners.

    If it settled only games of its own shards, a game of a shard that no process serves would
    block the later games of its players.
    """
    anywhere = Owner(owner.id, None, owner.takes)
    due = select(GameRow.id, GameRow.owner).join(table, table.game_id == GameRow.id)
    return due.where(may_own(anywhere, database), *ready).order_by(table.id)


def bound_owner(owner: Owner) -> Owner:
    """An owner with the bound id `process`; it takes games of all shards if `owner` takes any."""
    return Owner(cast("str", bindparam("process", type_=String)), None, owner.takes)


def is_ready(database: Database, table: Any) -> ColumnElement[bool]:
    """Whether a due game need not wait for its next attempt."""
    ready: ColumnElement[bool] = table.next_attempt_at <= database.now
    return ready


def is_first_of_its_people(*, failed: bool = False) -> ColumnElement[bool]:
    """Whether all earlier games of both players have been rated; parked games are ignored.

    With `failed`, only earlier games whose rating has failed are considered: this is enough if one
    process rates all games in order.
    """
    earlier, game = aliased(RatingDueRow), aliased(GameRow)
    people = (GameRow.first_user, GameRow.second_user)
    before = (
        select(earlier.id)
        .join(game, game.id == earlier.game_id)
        .where(
            earlier.id < RatingDueRow.id,
            earlier.attempts < MAX_ATTEMPTS,
            or_(game.first_user.in_(people), game.second_user.in_(people)),
        )
        .correlate(GameRow, RatingDueRow)
    )
    if failed:
        before = before.where(earlier.attempts > 0)
    return ~before.exists()


SHARD_UNIT = 1 << 22
"""How many consecutive ids of servers belong to one shard."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A process that plays games."""

    id: str
    shards: Shards | None = None
    """The shards whose games it takes if no process owns them; None for all."""
    takes: bool = True
    """Whether it takes games; a draining process does not."""


def in_shards(guild_id: Any, shards: Shards | None) -> ColumnElement[bool]:
    """Whether a server belongs to these shards; an empty column means direct messages."""
    if shards is None:
        return true()
    # Shifted by 22 bits; ids are not negative, and the engines' types for shifts differ.
    shard = func.coalesce(guild_id // SHARD_UNIT, 0) % shards.count
    return shard.in_(sorted(shards.ids))


def may_own(owner: Owner | None, database: Database) -> ColumnElement[bool]:
    """Whether a process may play a game: it owns the game, or the game of its shards has no owner.

    A game whose owner's lease has expired, or whose owner is draining, counts as having no owner.
    With None, every game qualifies.
    """
    if owner is None:
        return true()
    if not owner.takes:
        return GameRow.owner == owner.id
    unowned = and_(in_shards(GameRow.guild_id, owner.shards), ~has_owner(database))
    return or_(GameRow.owner == owner.id, unowned)


def has_owner(database: Database) -> ColumnElement[bool]:
    """Whether a game has an owner whose lease is valid and that is not draining.

    With a database file no game has: only one process uses the file.
    """
    if not database.is_shared:
        return false()
    # An alias: the query may have the table of processes for another purpose.
    process = aliased(ProcessRow)
    owner = select(process.id).where(
        process.id == GameRow.owner, process.until > database.now, process.draining == false()
    )
    return owner.correlate(GameRow).exists()


BATCH = 200
"""The most games taken in one transaction, which locks their rows."""


@dataclass(frozen=True, slots=True)
class PreviousOwner:
    """The process that owned a game before."""

    seen_at: float
    """When it last renewed its lease."""
    is_gone: bool
    """Whether it has ended or its lease has expired."""


@dataclass(frozen=True, slots=True)
class Pause:
    """The time that a running game gets back after an absence."""

    seconds: float
    """The total refunded since the game's latest event."""
    look_at: float | None
    is_visible: bool
    """Whether that changes the countdown on the board."""


RefundPolicy = Callable[[GameRecord, PreviousOwner], Pause | None]
"""Returns the refund of a game, given its previous owner; None for no refund."""


class Owners:
    """The owners of running games."""

    def __init__(self, database: Database) -> None:
        """Store owners in `database`."""
        self._database = database

    async def state(self, game_id: int, owner_id: str) -> int | None:
        """The state (`state_number`) of a running game; None if it is not this process's."""
        found = await self._database.fetch(STATE, {"game": game_id, "process": owner_id})
        return found[0].state if found else None

    @retry_on_conflict
    async def take(
        self, game_id: int, owner: Owner, refund_of: RefundPolicy, at: float, *, if_unowned: bool
    ) -> GameRecord | None:
        """Make a running game a process's own, and return it.

        Returns None and changes nothing if it is over or, with `if_unowned`, owned by another
        process.
        """
        async with self._database.writing() as connection:
            await lock(connection, GameRow.id, (game_id,))
            which = [GameRow.id == game_id]
            if if_unowned:
                which.append(may_own(owner, self._database))
            found = await connection.execute(self._with_owners(*which))
            taken = await _take(connection, found.all(), owner, refund_of, at)
            return taken[0] if taken else None

    async def adopt(
        self,
        owner: Owner,
        refund_of: RefundPolicy,
        at: float,
        previous: Collection[str] | None = None,
    ) -> list[GameRecord]:
        """Make a process the owner of its shards' running games that have no owner.

        With `previous`, only of games that belonged to these processes: an index finds those.
        """
        adopted: list[GameRecord] = []
        while (taken := await self._adopt_some(owner, refund_of, at, previous)) is not None:
            adopted += taken
        return adopted

    async def departing(self, owner: Owner) -> list[tuple[str, bool]]:
        """The other processes whose games are to be adopted, and whether each is gone."""
        departs = or_(ProcessRow.until <= self._database.now, ProcessRow.draining)
        gone = (ProcessRow.until <= self._database.now).label("gone")
        found = select(ProcessRow.id, gone).where(ProcessRow.id != owner.id, departs)
        return [(row.id, bool(row.gone)) for row in await self._database.fetch(found)]

    @retry_on_conflict
    async def remove(
        self, process_id: str, owner: Owner, away: Callable[[PreviousOwner], float], at: float
    ) -> None:
        """Delete a process that is gone, for this owner's shards, once its games have been adopted.

        The open challenges of these shards expire later, by the time that the process was `away`.
        """
        async with self._database.writing() as connection:
            await lock(connection, ProcessRow.id, (process_id,))
            is_gone = and_(ProcessRow.id == process_id, ProcessRow.until <= self._database.now)
            row = (await connection.execute(select(ProcessRow).where(is_gone))).one_or_none()
            if row is None or await self._has_games(connection, process_id, owner):
                return
            theirs = None if row.shards is None else Shards.parse(row.shards)
            later = away(PreviousOwner(row.seen_at, is_gone=True))
            await _delay(connection, (theirs, owner.shards), later, at)
            rest = _rest(theirs, owner.shards)
            row_of = ProcessRow.id == process_id
            if rest is None:
                await connection.execute(delete(ProcessRow).where(row_of))
            else:
                await connection.execute(update(ProcessRow).where(row_of).values(shards=str(rest)))

    @retry_on_conflict
    async def refund(self, owner: Owner, refund_of: RefundPolicy, later: float, at: float) -> bool:
        """Give a process's own games back the time in which it could store nothing.

        Open challenges of its shards expire `later` seconds later, and its lease is renewed at
        `at`. Returns whether it has any games.
        """
        mine = GameRow.owner == owner.id
        async with self._database.writing() as connection:
            found = await connection.execute(
                self._with_owners(mine).order_by(GameRow.id).with_for_update(of=GameRow)
            )
            rows = found.all()
            for begin in range(0, len(rows), BATCH):
                await _take(connection, rows[begin : begin + BATCH], owner, refund_of, at)
            await _delay(connection, (owner.shards,), later, at)
            seen = update(ProcessRow).where(ProcessRow.id == owner.id)
            await connection.execute(seen.values(seen_at=at))
            return bool(rows)

    @retry_on_conflict
    async def _adopt_some(
        self, owner: Owner, refund_of: RefundPolicy, at: float, previous: Collection[str] | None
    ) -> list[GameRecord] | None:
        """Adopt up to BATCH games and return the readable ones; None if there are none to adopt."""
        here = in_shards(GameRow.guild_id, owner.shards)
        of_whom = (
            and_(func.coalesce(GameRow.owner, "") != owner.id, ~has_owner(self._database))
            if previous is None
            else GameRow.owner.in_(sorted(previous))
        )
        some = self._with_owners(of_whom, here).order_by(GameRow.id).limit(BATCH)
        async with self._database.writing() as connection:
            # Rows that another transaction has locked are left for the next time.
            found = await connection.execute(some.with_for_update(of=GameRow, skip_locked=True))
            rows = found.all()
            return await _take(connection, rows, owner, refund_of, at) if rows else None

    async def _has_games(self, connection: AsyncConnection, process_id: str, owner: Owner) -> bool:
        here = in_shards(GameRow.guild_id, owner.shards)
        theirs = select(GameRow.id).where(_running(), GameRow.owner == process_id, here).limit(1)
        return (await connection.execute(theirs)).first() is not None

    def _with_owners(self, *which: ColumnElement[bool]) -> Select[Any]:
        """Running games, and the processes to which they belong."""
        gone = (ProcessRow.until <= self._database.now).label("gone")
        games = select(GameRow.id, GameRow.owner, ProcessRow.seen_at, gone)
        joined: Any = games.outerjoin(ProcessRow, ProcessRow.id == GameRow.owner)
        of_whom: Select[Any] = joined.where(_running(), *which)
        return of_whom


STATE = Prepared(
    select(GameRow.state).where(
        GameRow.id == bindparam("game"),
        GameRow.owner == bindparam("process"),
        GameRow.finished_at.is_(None),
    )
)
"""The state of a running `game` if it is a `process`'s."""


def _running() -> ColumnElement[bool]:
    return GameRow.finished_at.is_(None)


async def _take(
    connection: AsyncConnection,
    rows: Sequence[Any],
    owner: Owner,
    refund_of: RefundPolicy,
    at: float,
) -> list[GameRecord]:
    """Make a process the owner of locked games and refund time; returns the readable games."""
    if not rows:
        return []
    ids = [row.id for row in rows]
    await connection.execute(update(GameRow).where(GameRow.id.in_(ids)).values(owner=owner.id))
    previous = {
        row.id: PreviousOwner(row.seen_at, bool(row.gone))
        for row in rows
        if row.seen_at is not None
    }
    games = select(GameRow).where(GameRow.id.in_(ids))
    records = await readable_records(connection, games)
    return [
        await _refund_adopted(connection, record, previous, refund_of, at) for record in records
    ]


async def _refund_adopted(
    connection: AsyncConnection,
    record: GameRecord,
    previous: dict[int, PreviousOwner],
    refund_of: RefundPolicy,
    at: float,
) -> GameRecord:
    pause = refund_of(record, previous[record.id]) if record.id in previous else None
    if pause is None:
        return record
    values: dict[str, Any] = {"paused": pause.seconds, "look_at": pause.look_at}
    if pause.is_visible:
        values |= countdown_moved(at)
    await connection.execute(update(GameRow).where(GameRow.id == record.id).values(values))
    return replace(record, paused=pause.seconds, look_at=pause.look_at)


async def _delay(
    connection: AsyncConnection, where: Collection[Shards | None], later: float, at: float
) -> None:
    """Let the open challenges that are in all these shards expire `later` seconds later."""
    if not later:
        return
    # A challenge that had expired before the absence stays expired.
    alive = (ChallengeRow.answer.is_(None), ChallengeRow.expires_at > at - later)
    here = (in_shards(ChallengeRow.guild_id, shards) for shards in where)
    delayed = update(ChallengeRow).where(*alive, *here)
    await connection.execute(delayed.values(expires_at=ChallengeRow.expires_at + later))


def _rest(theirs: Shards | None, taken: Shards | None) -> Shards | None:
    """The shards of `theirs` without those that were taken; None if none are left."""
    if taken is None:
        return None
    everything = Shards(frozenset(range(taken.count)), taken.count)
    return (theirs or everything).without(taken)
