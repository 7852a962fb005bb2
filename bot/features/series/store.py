"""Series of games in the database: what has been played of each, and which games belong to it.

A series is a row with its agents, its seed and the number of games that have been played. Each game
is stored whole, in one transaction with that number, so a process that is killed loses at most the
game that it was playing; the next one plays it again from the same seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    ForeignKey,
    Index,
    Select,
    String,
    and_,
    case,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.database import Database
from bot.database.errors import retry_on_conflict
from bot.database.statements import Base, add, change, record
from bot.features.league.store import WatchedGame
from bot.shards import Shards
from bot.store.owners import in_shards
from bot.store.people import lock_person
from bot.store.rows import Query, Transaction
from bot.store.tables import AnnouncedGame, GameRow, MoveRow

LEASE = 60.0
"""Seconds for which a claim keeps other processes from playing a series."""

UNSENT = 60.0
"""Seconds after which a series without a message is given up: its process was killed."""


class SeriesRow(AnnouncedGame, Base):
    """A series of games between two agents."""

    __tablename__ = "series"
    __table_args__ = (
        # The series that still have to be played or shown, by when that is.
        Index("ix_series_open", "is_open", "look_at"),
        Index("ix_series_asker", "asker"),
        Index("ix_series_guild", "guild_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    asker: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("players.id"))
    """Who asked for it; empty after their data were deleted."""
    first_agent: Mapped[str] = mapped_column(String(64))
    """The agent that moves first in the first game; the seats alternate."""
    second_agent: Mapped[str] = mapped_column(String(64))
    games: Mapped[int]
    """How many games are to be played."""
    seed: Mapped[int] = mapped_column(BigInteger)
    """Of the openings and of the agents' choices."""
    began_at: Mapped[float]
    played: Mapped[int] = mapped_column(server_default="0")
    """How many games have been played and stored, or skipped because they failed."""
    ended_at: Mapped[float | None]
    ending: Mapped[str | None] = mapped_column(String(16))
    """`played`, `stopped` or `failed`; empty while it goes on."""
    is_open: Mapped[int] = mapped_column(server_default="1")
    """1 until the message shows the end, or cannot show it any more; then 0."""
    state: Mapped[int] = mapped_column(server_default="0")
    """A number that grows with every change that the message has to show."""
    shown: Mapped[int] = mapped_column(server_default="0")
    """The state that the message shows."""
    show_at: Mapped[float] = mapped_column(server_default="0")
    """Before this time the message is not edited again."""
    look_at: Mapped[float] = mapped_column(server_default="0")
    """When there is next something to do."""
    attempts: Mapped[int] = mapped_column(server_default="0")
    """How many attempts have failed since the last game that was played."""
    busy_until: Mapped[float] = mapped_column(server_default="0")
    """Until when a process works on it, by the database's clock."""


class SeriesGameRow(Base):
    """A game of a series."""

    __tablename__ = "series_games"
    __table_args__ = (Index("ux_series_games_number", "series_id", "number", unique=True),)

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    series_id: Mapped[int] = mapped_column(ForeignKey("series.id"))
    number: Mapped[int]
    """Counted from 0: in games with an even number the series' first agent moved first."""


@dataclass(frozen=True, slots=True)
class NewSeries:
    """A series that is asked for."""

    family: str
    variant: str
    channel_id: int
    guild_id: int | None
    locale: str
    asker: int | None
    first_agent: str
    second_agent: str
    games: int
    seed: int
    began_at: float


@dataclass(frozen=True, slots=True)
class Series(NewSeries):
    """A stored series."""

    id: int
    message_id: int | None
    played: int
    ended_at: float | None
    ending: str | None
    state: int
    shown: int
    show_at: float
    attempts: int


@dataclass(frozen=True, slots=True)
class Tally:
    """The results of a series so far."""

    first: int = 0
    """Games won by the first agent or, of an agent against itself, by who moved first."""
    drawn: int = 0
    second: int = 0
    played: tuple[WatchedGame, ...] = ()
    """The games, in their order."""
    first_nodes: float = 0.0
    """Nodes of the first agent for each of its moves, without those of openings."""
    second_nodes: float = 0.0

    @property
    def games(self) -> int:
        """The games that are still stored."""
        return len(self.played)


class TooMany(Exception):
    """A person or a server has as many series under way as are allowed."""

    def __init__(self, present: Series, *, is_theirs: bool) -> None:
        """`present` is one of them; `is_theirs` says whether the same person asked for it."""
        super().__init__(present, is_theirs)
        self.present = present
        self.is_theirs = is_theirs


class SeriesOver(Exception):
    """The series has ended, or has moved on."""


class SeriesStore:
    """The repository of series."""

    def __init__(self, database: Database) -> None:
        """Keep series in `database`."""
        self._database = database

    @retry_on_conflict
    async def add(self, new: NewSeries, *, most: int) -> Series:
        """Store a new series.

        Raises TooMany if its asker has one under way, or its server (outside of servers, its
        channel) has `most`.
        """
        assert new.asker is not None, "a person asks for it"
        async with self._database.writing() as connection:
            await lock_person(connection, new.asker, new.began_at)
            unsent = _is_unsent(new.began_at - UNSENT)
            await connection.execute(delete(SeriesRow).where(unsent))
            going = select(SeriesRow).where(SeriesRow.ended_at.is_(None)).order_by(SeriesRow.id)
            for which, limit in ((SeriesRow.asker == new.asker, 1), (_in_place(new), most)):
                found = (await connection.execute(going.where(which))).all()
                if len(found) >= limit:
                    present = record(Series, found[0])
                    raise TooMany(present, is_theirs=present.asker == new.asker)
            values = asdict(new) | {"look_at": new.began_at}
            series_id = await add(connection, SeriesRow, values)
            stored = select(SeriesRow).where(SeriesRow.id == series_id)
            return record(Series, (await connection.execute(stored)).one())

    async def find(self, series_id: int) -> Series | None:
        """A series by its id."""
        rows = await self._database.fetch(select(SeriesRow).where(SeriesRow.id == series_id))
        return record(Series, rows[0]) if rows else None

    async def of(self, user_id: int) -> tuple[Series, ...]:
        """The series that a person has asked for, the oldest first."""
        theirs = select(SeriesRow).where(SeriesRow.asker == user_id).order_by(SeriesRow.id)
        return tuple(record(Series, row) for row in await self._database.fetch(theirs))

    async def set_message(self, series_id: int, message_id: int) -> None:
        """Note which message shows a series, in its present state."""
        noted = {"message_id": message_id, "shown": SeriesRow.state}
        await self._change(series_id, **noted)

    async def remove(self, series_id: int) -> None:
        """Delete a series of which no message could be sent."""
        await self._database.change(delete(SeriesRow).where(SeriesRow.id == series_id))

    @retry_on_conflict
    async def claim(self, now: float, limit: int, shards: Shards | None = None) -> list[Series]:
        """Claim series with something to do, the one that has waited longest first."""
        due = due_query(now, self._database, shards).limit(limit)
        if not await self._database.fetch(due):
            return []
        async with self._database.writing() as connection:
            # Rows that another process is claiming at this moment are skipped.
            locked = due.with_for_update(of=SeriesRow, skip_locked=True)
            found = [record(Series, row) for row in await connection.execute(locked)]
            busy = update(SeriesRow).where(SeriesRow.id.in_([one.id for one in found]))
            await connection.execute(busy.values(busy_until=self._database.now + LEASE))
            return found

    async def release(self, series_id: int, look_at: float) -> None:
        """End a claim; there is something to do again from `look_at` on."""
        await self._change(series_id, look_at=look_at, busy_until=0.0)

    async def note_game(
        self, connection: Transaction, game_id: int, series_id: int, number: int, at: float
    ) -> None:
        """Count a game, in the transaction that stores it; the last one ends the series.

        Raises SeriesOver if the series has ended or this is not its next game.
        """
        is_next = (
            SeriesRow.id == series_id,
            SeriesRow.played == number,
            SeriesRow.ended_at.is_(None),
        )
        is_last = SeriesRow.games == number + 1
        counted = update(SeriesRow).where(*is_next)
        values = {
            "played": number + 1,
            "attempts": 0,
            "state": SeriesRow.state + 1,
            "ended_at": case((is_last, at), else_=None),
            "ending": case((is_last, "played"), else_=None),
        }
        if not await change(connection, counted.values(values)):
            raise SeriesOver
        values = {"game_id": game_id, "series_id": series_id, "number": number}
        await connection.execute(insert(SeriesGameRow), values)

    @retry_on_conflict
    async def fail(self, series_id: int, at: float, *, most: int) -> int:
        """Count a failed attempt, and return how many there were since the last game.

        With `most` the game is skipped. If the next one fails as often, the series ends.
        """
        this = SeriesRow.id == series_id
        async with self._database.writing() as connection:
            failed = update(SeriesRow).where(this, SeriesRow.ended_at.is_(None))
            await connection.execute(failed.values(attempts=SeriesRow.attempts + 1))
            read = select(SeriesRow.attempts, SeriesRow.played, SeriesRow.games).where(this)
            found = (await connection.execute(read)).one_or_none()
            if found is None:
                return 0
            if found.attempts == most:
                skipped = {"played": found.played + 1, "state": SeriesRow.state + 1}
                await connection.execute(failed.values(skipped))
                if found.played + 1 == found.games:
                    await connection.execute(_ended(this, "played", at))
            elif found.attempts >= 2 * most:
                await connection.execute(_ended(this, "failed", at))
            return int(found.attempts)

    async def end(self, series_id: int, ending: str, at: float) -> bool:
        """End a series; False, and no change, if it has ended already."""
        ended = _ended(SeriesRow.id == series_id, ending, at)
        return await self._database.change(ended) == 1

    async def stop_all(self, user_id: int, at: float) -> None:
        """Stop every series that a person has asked for."""
        await self._database.change(_ended(SeriesRow.asker == user_id, "stopped", at))

    async def showed(self, series: Series, show_at: float) -> None:
        """Note that a message shows this state, and when it may be edited next.

        A series that has ended is then done.
        """
        is_done = and_(SeriesRow.ended_at.is_not(None), SeriesRow.state == series.state)
        values = {
            "shown": series.state,
            "show_at": show_at,
            "is_open": case((is_done, 0), else_=SeriesRow.is_open),
        }
        await self._change(series.id, **values)

    async def show_later(self, series_id: int, show_at: float) -> None:
        """Postpone the next edit of a message."""
        await self._change(series_id, show_at=show_at)

    async def give_up(self, series_id: int, at: float) -> None:
        """Note that a message cannot be reached any more; a series that goes on is stopped."""
        await self.end(series_id, "stopped", at)
        await self._change(series_id, is_open=0)

    async def tally(self, series: Series) -> Tally:
        """The results of a series' games."""
        rows = await self._database.fetch(tally_query(series.id))
        spent = await self._database.fetch(spent_query(series.id))
        alone = series.first_agent == series.second_agent
        results = Counter(_side(row.number, row.winner, alone=alone) for row in rows)
        nodes, moves = Counter[int | None](), Counter[int | None]()
        for row in spent:
            # An agent against itself has one figure for all its moves.
            side = 1 if alone else _side(row.number, row.player, alone=False)
            nodes[side] += int(row.nodes)
            moves[side] += int(row.moves)
        return Tally(
            results[1],
            results[None],
            results[2],
            tuple(_watched(series, row) for row in rows),
            nodes[1] / max(moves[1], 1),
            nodes[2] / max(moves[2], 1),
        )

    async def _change(self, series_id: int, **values: Any) -> None:
        which = SeriesRow.id == series_id
        await self._database.change(update(SeriesRow).where(which).values(**values))


def due_query(now: float, database: Database, shards: Shards | None) -> Select[Any]:
    """The series that are to be played or shown now, the one that has waited longest first."""
    due = (
        SeriesRow.is_open == 1,
        SeriesRow.look_at <= now,
        SeriesRow.message_id.is_not(None),
        SeriesRow.busy_until < database.now,
        in_shards(SeriesRow.guild_id, shards),
    )
    return select(SeriesRow).where(*due).order_by(SeriesRow.look_at, SeriesRow.id)


def tally_query(series_id: int) -> Select[*tuple[Any, ...]]:
    """The winners of a series' games, in their order."""
    columns = select(SeriesGameRow.game_id, SeriesGameRow.number, GameRow.winner)
    games = columns.join(GameRow, GameRow.id == SeriesGameRow.game_id)
    return games.where(SeriesGameRow.series_id == series_id).order_by(SeriesGameRow.number)


def spent_query(series_id: int) -> Select[*tuple[Any, ...]]:
    """The nodes and moves of each side of a series' games, without moves that were not searched."""
    sums = func.sum(MoveRow.nodes).label("nodes"), func.count().label("moves")
    columns = select(SeriesGameRow.number, MoveRow.player, *sums)
    moves = columns.join(MoveRow, MoveRow.game_id == SeriesGameRow.game_id)
    searched = moves.where(SeriesGameRow.series_id == series_id, MoveRow.nodes.is_not(None))
    return searched.group_by(SeriesGameRow.number, MoveRow.player)


def _side(number: int, player: int | None, *, alone: bool) -> int | None:
    """Whose a result or a move is: 1 for the series' first agent, 2 for the second."""
    return player if player is None or alone or number % 2 == 0 else 3 - player


def _watched(series: Series, row: Any) -> WatchedGame:
    agents = series.first_agent, series.second_agent
    first, second = agents if row.number % 2 == 0 else reversed(agents)
    return WatchedGame(row.game_id, series.variant, first, second, row.winner)


def _ended(which: ColumnElement[bool], ending: str, at: float) -> Any:
    """The statement that ends series which have not ended."""
    values = {"ended_at": at, "ending": ending, "state": SeriesRow.state + 1, "look_at": at}
    return update(SeriesRow).where(which, SeriesRow.ended_at.is_(None)).values(values)


def _in_place(new: NewSeries) -> ColumnElement[bool]:
    if new.guild_id is None:
        return and_(SeriesRow.guild_id.is_(None), SeriesRow.channel_id == new.channel_id)
    return SeriesRow.guild_id == new.guild_id


def _is_unsent(before: float) -> ColumnElement[bool]:
    return and_(SeriesRow.message_id.is_(None), SeriesRow.began_at < before)


async def count_series(transaction: Transaction, user_id: int) -> Mapping[str, int]:
    """How many series a person has asked for, by the key of the text that says so."""
    counted = select(func.count()).select_from(SeriesRow).where(SeriesRow.asker == user_id)
    return {"stored.series": int((await transaction.execute(counted)).scalar_one())}


async def forget_asker(connection: Transaction, user_id: int) -> None:
    """Remove a person from the series that they have asked for; the games are of agents."""
    theirs = update(SeriesRow).where(SeriesRow.asker == user_id)
    await connection.execute(theirs.values(asker=None))


def guilds_query() -> Query:
    """The servers that have series."""
    return select(SeriesRow.guild_id).where(SeriesRow.guild_id.is_not(None)).subquery().select()


async def forget_guild(connection: Transaction, guild_id: int) -> None:
    """Delete the series of a server, whose games are deleted already."""
    theirs = select(SeriesRow.id).where(SeriesRow.guild_id == guild_id).scalar_subquery()
    await connection.execute(delete(SeriesGameRow).where(SeriesGameRow.series_id.in_(theirs)))
    await connection.execute(delete(SeriesRow).where(SeriesRow.guild_id == guild_id))
