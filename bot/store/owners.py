"""Whose each game is: one process's at a time, taken over by others where that is right.

Whatever a process has lost between its last word and the moment somebody takes its games is given
back in the transaction that takes them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, bindparam, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.shards import Shards
from bot.store import board_rows, game_rows
from bot.store.collisions import again
from bot.store.database import Database, lock
from bot.store.models import ChallengeRow, GameRow
from bot.store.owner_rows import Owner, in_shards, is_kept, may_have
from bot.store.prepared import Prepared
from bot.store.process_models import ProcessRow
from bot.store.records import GameRecord

BATCH = 200
"""How many games are taken in one transaction: others wait for their rows meanwhile."""


@dataclass(frozen=True, slots=True)
class Former:
    """The process whose a game was."""

    seen_at: float
    """When it last said that it was at work."""
    is_gone: bool
    """Whether it has ended, or has said nothing for too long."""


@dataclass(frozen=True, slots=True)
class Pause:
    """What a running game is given for an absence."""

    seconds: float
    """All that it has been given since its latest event."""
    look_at: float | None
    is_visible: bool
    """Whether that changes the countdown on the board."""


Give = Callable[[GameRecord, Former], Pause | None]
"""What a game is given that was this process's."""


class Owners:
    """Which process each running game belongs to."""

    def __init__(self, database: Database) -> None:
        """Keep that in `database`."""
        self._database = database

    async def state(self, game_id: int, owner_id: str) -> int | None:
        """How a running game stands (`board_rows`) if it is this process's; None if it is not."""
        found = await self._database.fetch(STATE, {"game": game_id, "process": owner_id})
        return found[0].state if found else None

    @again
    async def take(
        self, game_id: int, owner: Owner, give: Give, at: float, *, politely: bool
    ) -> GameRecord | None:
        """Make a running game a process's own, and return how it stands then.

        None, and no change, if it is over or, `politely`, if another process looks after it.
        """
        async with self._database.writing() as connection:
            await lock(connection, GameRow.id, (game_id,))
            which = [GameRow.id == game_id]
            if politely:
                which.append(may_have(owner, self._database))
            found = await connection.execute(self._former(*which))
            taken = await _take(connection, found.all(), owner, give, at)
            return taken[0] if taken else None

    async def inherit(
        self, owner: Owner, give: Give, at: float, former: Collection[str] | None = None
    ) -> list[GameRecord]:
        """Make the running games of a process's shards its own that are nobody's.

        With `former` those of these processes, which an index finds; else all.
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
    async def bury(
        self, process_id: str, owner: Owner, away: Callable[[Former], float], at: float
    ) -> None:
        """Forget a process that is gone, as far as a process's shards go, once its games are taken.

        Challenges there that are open wait for as long as it was `away`.
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
        """Give a process's own games what they lost while it could store nothing.

        Open challenges of its shards wait `later` seconds longer. Notes that it is at work at `at`.
        Returns whether it has any games.
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
            # What somebody else is just taking or changing is left for the next time.
            found = await connection.execute(some.with_for_update(of=GameRow, skip_locked=True))
            rows = found.all()
            return await _take(connection, rows, owner, give, at) if rows else None

    async def _has_games(self, connection: AsyncConnection, process_id: str, owner: Owner) -> bool:
        here = in_shards(GameRow.guild_id, owner.shards)
        theirs = select(GameRow.id).where(_running(), GameRow.owner == process_id, here).limit(1)
        return (await connection.execute(theirs)).first() is not None

    def _former(self, *which: ColumnElement[bool]) -> Select[Any]:
        """Running games and the processes whose they are."""
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
"""How a running `game` stands if it is a `process`'s."""


def _running() -> ColumnElement[bool]:
    return GameRow.finished_at.is_(None)


async def _take(
    connection: AsyncConnection, rows: Sequence[Any], owner: Owner, give: Give, at: float
) -> list[GameRecord]:
    """Make locked games a process's own, and give them what is theirs.

    Returns those that can be read.
    """
    if not rows:
        return []
    ids = [row.id for row in rows]
    await connection.execute(update(GameRow).where(GameRow.id.in_(ids)).values(owner=owner.id))
    former = {
        row.id: Former(row.seen_at, bool(row.gone)) for row in rows if row.seen_at is not None
    }
    games = select(GameRow).where(GameRow.id.in_(ids))
    records = await game_rows.records_apart(connection, games)
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
        values |= board_rows.countdown_moved(at)
    await connection.execute(update(GameRow).where(GameRow.id == record.id).values(values))
    return replace(record, paused=pause.seconds, look_at=pause.look_at)


async def _delay(
    connection: AsyncConnection, where: Collection[Shards | None], later: float, at: float
) -> None:
    """Let the open challenges that are in all these shards expire so much later."""
    if not later:
        return
    # One whose time was up before the absence began does not come back.
    alive = (ChallengeRow.answer.is_(None), ChallengeRow.expires_at > at - later)
    here = (in_shards(ChallengeRow.guild_id, shards) for shards in where)
    delayed = update(ChallengeRow).where(*alive, *here)
    await connection.execute(delayed.values(expires_at=ChallengeRow.expires_at + later))


def _rest(theirs: Shards | None, taken: Shards | None) -> Shards | None:
    """The shards that are left of some; None for none."""
    if taken is None:
        return None
    everything = Shards(frozenset(range(taken.count)), taken.count)
    return (theirs or everything).without(taken)
