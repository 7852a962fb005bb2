"""Which process each game belongs to, and which finished games a process may settle.

A game belongs to one process at a time, and others take it over where that is right. The time that
a process was away, between its last sign of life and the moment its games are taken, is given back
to the players in the transaction that takes them.

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
from bot.database.errors import again
from bot.database.statements import Prepared, PreparedSet, lock
from bot.shards import Shards
from bot.store.records import GameRecord
from bot.store.rows import countdown_moved, records_apart, unshown
from bot.store.tables import MAX_ATTEMPTS, ChallengeRow, GameRow, ProcessRow, RatingDueRow

FIRST_RETRY = 5.0
"""Seconds until a game that could not be settled is retried, doubled with every failure."""

PARKED_RETRY = 86_400.0
"""Seconds between two attempts at a parked game."""


@dataclass(frozen=True, slots=True)
class Unsettled:
    """How many due games have failed."""

    failing: int = 0
    """Those that are retried soon."""
    parked: int = 0
    """Those that have failed MAX_ATTEMPTS times or more."""


class DueGames(ABC):
    """Finished games that are due to be settled, in one table; see the module."""

    table: ClassVar[Any]
    """The table: a game's id beside the columns of `Retried`."""

    def __init__(self, database: Database) -> None:
        """Keep them in `database`."""
        self._database = database
        self._statements = PreparedSet()

    @abstractmethod
    async def due(self, limit: int) -> list[int]:
        """At most this many games that are to be settled now, in order; none is claimed."""

    def _ready(self) -> tuple[ColumnElement[bool], ...]:
        """What a game that is claimed has to fulfil, beside not waiting for its next attempt."""
        return ()

    @again
    async def claim(self, limit: int, owner: Owner) -> list[int]:
        """The games that a process is to settle now, in order; they become its own."""
        if not self._database.is_shared:
            return await self.due(limit)
        table = self.table

        def some() -> Select[int, str | None]:
            ready = is_ready(self._database, table), *self._ready()
            due = claim_query(self._database, table, of_any(owner), *ready)
            # Rows that another process has locked are left to that one.
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

    @again
    async def put_off(self, game_id: int) -> int:
        """Note that settling a game has failed, and when it is retried; returns how often it has.

        The board of a game that is parked is shown again, as it says that a rating is pending.
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
                await connection.execute(update(GameRow).where(has_board).values(unshown(0.0)))
            return attempts or 0

    async def next_attempt(self, owner: Owner) -> float | None:
        """Seconds until a game that has failed is retried, of those that a process may settle."""
        database, table = self._database, self.table

        def waiting() -> Select[float]:
            left = (table.next_attempt_at - database.now).label("left")
            games = select(left).join(GameRow, GameRow.id == table.game_id)
            games = games.where(may_have(of_any(owner), database), ~is_ready(database, table))
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

    If it settled those of its shards alone, a game of a shard that no process serves would block
    the later games of its players.
    """
    anywhere = Owner(owner.id, None, owner.takes)
    due = select(GameRow.id, GameRow.owner).join(table, table.game_id == GameRow.id)
    return due.where(may_have(anywhere, database), *ready).order_by(table.id)


def of_any(owner: Owner) -> Owner:
    """Any `process`, whose id is bound, that takes games of all shards if this owner does."""
    return Owner(cast("str", bindparam("process", type_=String)), None, owner.takes)


def is_ready(database: Database, table: Any) -> ColumnElement[bool]:
    """Whether a due game need not wait for its next attempt."""
    ready: ColumnElement[bool] = table.next_attempt_at <= database.now
    return ready


def is_first_of_its_people(*, failed: bool = False) -> ColumnElement[bool]:
    """Whether no earlier game of either player has yet to be rated, parked ones aside.

    With `failed`, only earlier games whose rating has failed count: enough where one process rates
    all games in order.
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
    """The shards whose games it takes if no process has them; None for all."""
    takes: bool = True
    """Whether it takes any; a draining one does not."""


def in_shards(guild_id: Any, shards: Shards | None) -> ColumnElement[bool]:
    """Whether a server belongs to these shards; an empty column means direct messages."""
    if shards is None:
        return true()
    # Shifted by 22 bits; ids are not negative, and the engines' types for shifts differ.
    shard = func.coalesce(guild_id // SHARD_UNIT, 0) % shards.count
    return shard.in_(sorted(shards.ids))


def may_have(owner: Owner | None, database: Database) -> ColumnElement[bool]:
    """Whether a game is this process's to play: its own, or one of its shards without an owner.

    A game whose owner's lease has run out, or whose owner is draining, has none. With None every
    game is.
    """
    if owner is None:
        return true()
    if not owner.takes:
        return GameRow.owner == owner.id
    unowned = and_(in_shards(GameRow.guild_id, owner.shards), ~is_kept(database))
    return or_(GameRow.owner == owner.id, unowned)


def is_kept(database: Database) -> ColumnElement[bool]:
    """Whether a game has an owner whose lease is valid and that is not draining.

    On a file there is none: only one process uses it.
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
"""How many games are taken in one transaction, which keeps their rows locked."""


@dataclass(frozen=True, slots=True)
class Former:
    """The process to which a game belonged."""

    seen_at: float
    """When it last renewed its lease."""
    is_gone: bool
    """Whether it has ended, or its lease has run out."""


@dataclass(frozen=True, slots=True)
class Pause:
    """The time that a running game gets back after an absence."""

    seconds: float
    """All that it has got back since its latest event."""
    look_at: float | None
    is_visible: bool
    """Whether that changes the countdown on the board."""


Give = Callable[[GameRecord, Former], Pause | None]
"""Returns the time that a game of this process gets back."""


class Owners:
    """Which process each running game belongs to."""

    def __init__(self, database: Database) -> None:
        """Keep that in `database`."""
        self._database = database

    async def state(self, game_id: int, owner_id: str) -> int | None:
        """The state (`state_number`) of a running game; None if it is not this process's."""
        found = await self._database.fetch(STATE, {"game": game_id, "process": owner_id})
        return found[0].state if found else None

    @again
    async def take(
        self, game_id: int, owner: Owner, give: Give, at: float, *, politely: bool
    ) -> GameRecord | None:
        """Make a running game a process's own, and return it.

        None, and no change, if it is over or, with `politely`, if it has another owner.
        """
        async with self._database.writing() as connection:
            await lock(connection, GameRow.id, (game_id,))
            which = [GameRow.id == game_id]
            if politely:
                which.append(may_have(owner, self._database))
            found = await connection.execute(self._former(*which))
            taken = await _take(connection, found.all(), owner, give, at)
            return taken[0] if taken else None

    async def adopt(
        self, owner: Owner, give: Give, at: float, former: Collection[str] | None = None
    ) -> list[GameRecord]:
        """Make the running games of a process's shards its own that have no owner.

        With `former` only those of these processes, which an index finds.
        """
        inherited: list[GameRecord] = []
        while (taken := await self._inherit(owner, give, at, former)) is not None:
            inherited += taken
        return inherited

    async def leaving(self, owner: Owner) -> list[tuple[str, bool]]:
        """The other processes whose games are to be taken, and whether each is gone."""
        leaves = or_(ProcessRow.until <= self._database.now, ProcessRow.draining)
        gone = (ProcessRow.until <= self._database.now).label("gone")
        found = select(ProcessRow.id, gone).where(ProcessRow.id != owner.id, leaves)
        return [(row.id, bool(row.gone)) for row in await self._database.fetch(found)]

    @again
    async def remove(
        self, process_id: str, owner: Owner, away: Callable[[Former], float], at: float
    ) -> None:
        """Delete a process that is gone, for this owner's shards, once its games are taken.

        The open challenges there expire later, by as long as it was `away`.
        """
        async with self._database.writing() as connection:
            await lock(connection, ProcessRow.id, (process_id,))
            is_gone = and_(ProcessRow.id == process_id, ProcessRow.until <= self._database.now)
            row = (await connection.execute(select(ProcessRow).where(is_gone))).one_or_none()
            if row is None or await self._has_games(connection, process_id, owner):
                return
            theirs = None if row.shards is None else Shards.parse(row.shards)
            later = away(Former(row.seen_at, is_gone=True))
            await _delay(connection, (theirs, owner.shards), later, at)
            rest = _rest(theirs, owner.shards)
            row_of = ProcessRow.id == process_id
            if rest is None:
                await connection.execute(delete(ProcessRow).where(row_of))
            else:
                await connection.execute(update(ProcessRow).where(row_of).values(shards=str(rest)))

    @again
    async def make_up(self, owner: Owner, give: Give, later: float, at: float) -> bool:
        """Give a process's own games the time back in which it could store nothing.

        Open challenges of its shards expire `later` seconds later, and its lease is renewed at
        `at`. Returns whether it has any games.
        """
        mine = GameRow.owner == owner.id
        async with self._database.writing() as connection:
            found = await connection.execute(
                self._former(mine).order_by(GameRow.id).with_for_update(of=GameRow)
            )
            rows = found.all()
            for begin in range(0, len(rows), BATCH):
                await _take(connection, rows[begin : begin + BATCH], owner, give, at)
            await _delay(connection, (owner.shards,), later, at)
            seen = update(ProcessRow).where(ProcessRow.id == owner.id)
            await connection.execute(seen.values(seen_at=at))
            return bool(rows)

    @again
    async def _inherit(
        self, owner: Owner, give: Give, at: float, former: Collection[str] | None
    ) -> list[GameRecord] | None:
        """Take some games, without those that cannot be read; None if there are none to take."""
        here = in_shards(GameRow.guild_id, owner.shards)
        of_whom = (
            and_(func.coalesce(GameRow.owner, "") != owner.id, ~is_kept(self._database))
            if former is None
            else GameRow.owner.in_(sorted(former))
        )
        some = self._former(of_whom, here).order_by(GameRow.id).limit(BATCH)
        async with self._database.writing() as connection:
            # Rows that another transaction has locked are left for the next time.
            found = await connection.execute(some.with_for_update(of=GameRow, skip_locked=True))
            rows = found.all()
            return await _take(connection, rows, owner, give, at) if rows else None

    async def _has_games(self, connection: AsyncConnection, process_id: str, owner: Owner) -> bool:
        here = in_shards(GameRow.guild_id, owner.shards)
        theirs = select(GameRow.id).where(_running(), GameRow.owner == process_id, here).limit(1)
        return (await connection.execute(theirs)).first() is not None

    def _former(self, *which: ColumnElement[bool]) -> Select[Any]:
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
    connection: AsyncConnection, rows: Sequence[Any], owner: Owner, give: Give, at: float
) -> list[GameRecord]:
    """Make locked games a process's own, and give their time back; returns the readable ones."""
    if not rows:
        return []
    ids = [row.id for row in rows]
    await connection.execute(update(GameRow).where(GameRow.id.in_(ids)).values(owner=owner.id))
    former = {
        row.id: Former(row.seen_at, bool(row.gone)) for row in rows if row.seen_at is not None
    }
    games = select(GameRow).where(GameRow.id.in_(ids))
    records = await records_apart(connection, games)
    return [await _given(connection, record, former, give, at) for record in records]


async def _given(
    connection: AsyncConnection,
    record: GameRecord,
    former: dict[int, Former],
    give: Give,
    at: float,
) -> GameRecord:
    pause = give(record, former[record.id]) if record.id in former else None
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
    # One that had expired before the absence began stays expired.
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
