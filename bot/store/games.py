"""Games: storing them move by move, ending them, and finding them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Double,
    Integer,
    Select,
    String,
    bindparam,
    delete,
    func,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.database import Database
from bot.database.errors import retry_on_conflict
from bot.database.statements import Prepared, add, add_missing, change, lock
from bot.store import people, rows
from bot.store.owners import SHARD_UNIT, Owner, may_own
from bot.store.records import (
    DueRecord,
    EndRecord,
    GameRecord,
    GameSetup,
    HintRecord,
    MoveRecord,
    TimeControl,
)
from bot.store.tables import (
    THE_RESULT,
    GameRow,
    HintRow,
    MoveRow,
    RatingDueRow,
    VoteRow,
)


class ChannelTaken(Exception):
    """The channel already has a running game."""


class MoveTaken(Exception):
    """The game has changed: it is over, a move or an undo came first, or another process owns it.

    A process serializes the changes of its games, so this occurs only with a second process on the
    same database.
    """


class Games:
    """All games, running or over."""

    def __init__(self, database: Database, at_end: Sequence[rows.EndStep] = ()) -> None:
        """Keep games in `database`; the steps in `at_end` run whenever one of them ends."""
        self._database = database
        self._at_end = tuple(at_end)

    @retry_on_conflict
    async def add(
        self,
        setup: GameSetup,
        at: float,
        *,
        look_at: float | None = None,
        accepting: rows.Step | None = None,
        message_id: int | None = None,
        owner: str | None = None,
        vote_until: float | None = None,
        opening: Sequence[MoveRecord] = (),
    ) -> int:
        """Store a new game and return its id.

        Args:
            setup: The game.
            at: When it begins.
            look_at: When the clock next requires something, if it does.
            accepting: A step that runs first in the same transaction and accepts the offer that
                this game comes from.
            message_id: The message that its board replaces, if it does.
            owner: The process whose game it is.
            vote_until: When the vote ends that it begins with, if it does.
            opening: Moves that are made already, as many as the setup's `opening`.

        Raises:
            ChannelTaken: The channel already has a running game.

        What the step raises is raised as well, and nothing is stored then.
        """
        async with self._database.writing() as connection:
            if accepting is not None:
                await accepting(connection)
            persons = (setup.first.user_id, setup.second.user_id, setup.started_by)
            await people.add_people(connection, persons, at)
            values = rows.game_values(setup, at, owner)
            values |= {"look_at": look_at, "vote_until": vote_until, "message_id": message_id}
            if opening:
                values["state"] = rows.state_number(len(opening), 0, is_over=False, is_rated=False)
            try:
                game_id = await add(connection, GameRow, values)
            except IntegrityError as error:
                raise ChannelTaken from error
            await rows.add_moves(connection, game_id, opening)
            return game_id

    @retry_on_conflict
    async def append(
        self,
        game_id: int,
        number: int,
        move: MoveRecord,
        *,
        look_at: float | None,
        end: EndRecord | None = None,
        counts: bool = False,
        owner: str | None = None,
    ) -> None:
        """Append a move, and the end if the move ends the game.

        Args:
            game_id: Which game.
            number: The move's number, counted from 1.
            move: The move.
            look_at: When the clock next requires something, if it does.
            end: How the move ends the game, if it does.
            counts: Whether the end counts for ratings; its rating is then due.
            owner: The process that does this; it must be its game.

        Raises:
            MoveTaken: This is not the game's next move, or the game is over or another process's.
        """
        made: dict[str, Any] = {"game": game_id, "made": number - 1, "following": number}
        made |= {"moved_at": move.at, "next_look": look_at, "process": owner}
        async with self._database.writing() as connection:
            if not await change(connection, _move_statement(owned=owner is not None), made):
                raise MoveTaken
            try:
                values = {"game_id": game_id, "number": number, **asdict(move)}
                await add(connection, MoveRow, values)
            except IntegrityError as error:
                raise MoveTaken from error
            if end is not None:
                await self._end(connection, game_id, end, counts=counts)

    @retry_on_conflict
    async def finish(
        self, game_id: int, end: EndRecord, *, counts: bool = False, owner: str | None = None
    ) -> bool:
        """End a game without a move; with `counts`, its rating is then due.

        False, and no change, if it has already ended or is not this `owner`'s.
        """
        async with self._database.writing() as connection:
            return await self._end(connection, game_id, end, counts=counts, owner=owner)

    @retry_on_conflict
    async def take_back(
        self,
        game_id: int,
        remaining: int,
        at: float,
        *,
        look_at: float | None,
        also: rows.Step | None = None,
        owner: str | None = None,
    ) -> None:
        """Remove a game's latest moves; the hints that were given for them stay.

        Args:
            game_id: Which game.
            remaining: How many moves to keep.
            at: When this happens.
            look_at: When the clock next requires something, if it does.
            also: A step that runs first in the same transaction, such as granting a request.
            owner: The process that does this; it must be its game.

        Raises:
            MoveTaken: The game is over or another process's.

        What the step raises is raised as well, and nothing is changed then.
        """
        async with self._database.writing() as connection:
            if also is not None:
                await also(connection)
            await lock(connection, GameRow.id, (game_id,))
            undone = {"undos": GameRow.undos + 1, "undone_at": at, "look_at": look_at}
            undone |= {"paused": 0.0, **rows.taken_back(remaining, at)}
            running = update(GameRow).where(rows.is_running(game_id, owner=owner))
            if not await change(connection, running.values(undone)):
                raise MoveTaken
            taken_back = (MoveRow.game_id == game_id) & (MoveRow.number > remaining)
            await connection.execute(delete(MoveRow).where(taken_back))

    @retry_on_conflict
    async def add_hint(self, game_id: int, hint: HintRecord, *, owner: str | None = None) -> None:
        """Store a hint; for a position with a stored hint, only record the further level of detail.

        Raises MoveTaken if an `owner` is given and the game is over or another process's.
        """
        async with self._database.writing() as connection:
            if owner is not None:
                await lock(connection, GameRow.id, (game_id,))
                mine = select(GameRow.id).where(rows.is_running(game_id, owner=owner))
                if (await connection.execute(mine)).first() is None:
                    raise MoveTaken
            await add_missing(connection, HintRow, {"game_id": game_id, **asdict(hint)})
            same = (
                HintRow.game_id == game_id,
                HintRow.number == hint.number,
                HintRow.position == hint.position,
            )
            said = update(HintRow).where(*same, HintRow.level < hint.level)
            await connection.execute(said.values(level=hint.level, given=hint.given))

    async def find(self, game_id: int) -> GameRecord | None:
        """Any game by its id."""
        found = await self._records(_ONE, game=game_id)
        return found[0] if found else None

    async def running_in(self, channel_id: int) -> GameRecord | None:
        """The running game of a channel."""
        found = await self._records(_IN_CHANNEL, channel=channel_id)
        return found[0] if found else None

    async def running(self, owner: str | None = None) -> list[GameRecord]:
        """All running games, or those of one process."""
        whose = true() if owner is None else GameRow.owner == owner
        return await self._readable(_running().where(whose))

    async def voted_in(self, user_id: int) -> list[int]:
        """The ids of the running games on whose moves a person has voted."""
        theirs = (VoteRow.user_id == user_id, VoteRow.number != THE_RESULT)
        voted = GameRow.id.in_(select(VoteRow.game_id).where(*theirs))
        running = select(GameRow.id).where(voted, GameRow.finished_at.is_(None))
        return [row.id for row in await self._database.fetch(running)]

    async def next_due(self, owner: Owner | None = None) -> float | None:
        """The earliest time at which a running game is due, of this process or of all."""
        mine = next_due_query().where(may_own(owner, self._database))
        found = await self._database.fetch(mine)
        return found[0].look_at if found else None

    async def due(self, until: float, owner: Owner | None = None) -> list[DueRecord]:
        """The running games that are due by a time, of this process or of all, oldest first."""
        mine = due_games_query(until).where(may_own(owner, self._database))
        return [DueRecord(row.id, row.channel_id) for row in await self._database.fetch(mine)]

    async def postpone(self, game_id: int, at: float) -> None:
        """Postpone a running game whose check has failed."""
        await self._set(rows.is_running(game_id), look_at=at)

    @retry_on_conflict
    async def set_due(
        self, game_id: int, look_at: float | None, *, expecting_moves: int, owner: str | None = None
    ) -> bool:
        """Set when a game is next due.

        False, and no change, if it is over, not this `owner`'s, or does not have `expecting_moves`.
        """
        present = rows.is_running(game_id, moves=expecting_moves, owner=owner)
        async with self._database.writing() as connection:
            await lock(connection, GameRow.id, (game_id,))
            looked = update(GameRow).where(present)
            return await change(connection, looked.values(look_at=look_at)) == 1

    @retry_on_conflict
    async def set_held(
        self,
        game_id: int,
        at: float,
        held_at: float | None,
        *,
        made: int,
        paused: float,
        look_at: float | None,
        owner: str | None = None,
    ) -> None:
        """Let a running game wait, or go on.

        Args:
            game_id: Which game.
            at: When this happens.
            held_at: Since when it waits; None if it goes on.
            made: How many moves have been made in the game.
            paused: The seconds since the latest event that do not count against clocks.
            look_at: When the game is next due.
            owner: The process that does this; it must be its game.

        Raises:
            MoveTaken: The game has moved on, or is another process's.
        """
        columns = {"held_at": held_at, "paused": paused, "look_at": look_at}
        present = rows.is_running(game_id, moves=made, owner=owner)
        async with self._database.writing() as connection:
            await lock(connection, GameRow.id, (game_id,))
            waits = update(GameRow).where(present).values(**columns, **rows.other_event(at))
            if not await change(connection, waits):
                raise MoveTaken

    async def set_default_clock(self, clock: TimeControl) -> None:
        """Set a time control for running games that were stored before time controls existed."""
        without = GameRow.finished_at.is_(None) & GameRow.clock_seconds.is_(None)
        await self._set(without, **rows.clock_values(clock))

    async def running_of(self, user_id: int) -> list[GameRecord]:
        """The running games that a person plays in or has started."""
        return await self._readable(_running().where(_involving(user_id)))

    async def count_by_family(self) -> dict[str, int]:
        """How many games are running, by family; those without any are missing."""
        counted = select(GameRow.family, func.count().label("games"))
        running = counted.where(GameRow.finished_at.is_(None)).group_by(GameRow.family)
        return {row.family: int(row.games) for row in await self._database.fetch(running)}

    async def count_by_shard(self, count: int) -> dict[int, int]:
        """How many games are running on each of `count` shards; those without any are missing."""
        shard = (func.coalesce(GameRow.guild_id // SHARD_UNIT, 0) % count).label("shard")
        counted = select(shard, func.count().label("games"))
        running = counted.where(GameRow.finished_at.is_(None)).group_by(shard)
        return {int(row.shard): int(row.games) for row in await self._database.fetch(running)}

    async def count_running(self, user_id: int) -> int:
        """How many running games a person plays in or has started."""
        found = await self._database.fetch(_COUNT_RUNNING, {"user": user_id})
        return int(found[0].games)

    async def latest_in(self, channel_id: int) -> int | None:
        """The id of the latest game of a channel, running or over."""
        found = await self._database.fetch(latest_query(channel_id))
        return int(found[0].id) if found else None

    @retry_on_conflict
    async def move(self, game_id: int, channel_id: int, *, owner: str | None = None) -> bool:
        """Move a running game to another channel, where no message shows it yet.

        False, and no change, if it is over or not this `owner`'s. Raises ChannelTaken if that
        channel has a game.
        """
        values = {"channel_id": channel_id, "message_id": None, "ping_id": None, "shown": -1}
        try:
            return await self._set(rows.is_running(game_id, owner=owner), **values) == 1
        except IntegrityError as error:
            raise ChannelTaken from error

    async def note_notice(
        self,
        column: str,
        game_id: int,
        last_at: float,
        at: float,
        look_at: float | None,
        *,
        owner: str | None = None,
    ) -> bool:
        """Record that a game's mover is notified at `at`, and when the game is next due.

        `column` is `reminded_at` or `pinged_at`. False, and no change, if the game is over, not
        this `owner`'s, or its mover has been notified so since `last_at`.
        """
        noted = getattr(GameRow, column)
        not_since = or_(noted.is_(None), noted <= last_at)
        is_due = rows.is_running(game_id, owner=owner) & not_since
        return await self._set(is_due, look_at=look_at, **{column: at}) == 1

    async def _end(
        self,
        connection: AsyncConnection,
        game_id: int,
        end: EndRecord,
        *,
        counts: bool,
        owner: str | None = None,
    ) -> bool:
        """End a running game: sum it up unless it was called off, and note what is due.

        False, and no change, if it has already ended or is not this owner's.
        """
        how = {"ended_at": end.at, "how": end.ending, "won": end.winner}
        ending = _end_statement(owned=owner is not None)
        if not await change(connection, ending, {"game": game_id, "process": owner, **how}):
            return False
        if end.ending.counts:
            await rows.add_tally(connection, game_id)
        if counts:
            await add(connection, RatingDueRow, {"game_id": game_id})
        for step in self._at_end:
            await step(connection, game_id)
        return True

    async def _set(self, which: ColumnElement[bool], **values: Any) -> int:
        return await self._database.change(update(GameRow).where(which).values(**values))

    async def _readable(self, statement: Select[GameRow]) -> list[GameRecord]:
        """The games of a query, without those whose rows are damaged."""
        async with self._database.reading() as connection:
            return await rows.readable_records(connection, statement)

    async def _records(self, statement: Prepared, **values: int) -> list[GameRecord]:
        async with self._database.reading() as connection:
            return await rows.records(connection, statement, values)


@cache
def _move_statement(*, owned: bool) -> Prepared:
    """The statement that changes the row of a `game` with its next move, built once.

    It changes nothing unless the game is running with `made` moves and, if `owned`, is a
    `process`'s. Its condition is about this row alone, so a server evaluates it again after waiting
    for another transaction's lock on the row.
    """
    owner = bindparam("process", type_=String) if owned else None
    running = rows.is_running(bindparam("game", type_=Integer), owner=owner)
    has_moves = rows.has_moves(bindparam("made", type_=Integer))
    following, at = bindparam("following", type_=Integer), bindparam("moved_at", type_=Double)
    return Prepared(
        update(GameRow)
        .where(running, has_moves)
        .values(
            look_at=bindparam("next_look", type_=Double),
            paused=0.0,
            vote_until=None,
            **rows.moved(following, at),
        )
    )


def next_due_query() -> Select[float | None]:
    """The earliest time at which a running game is due."""
    looks = select(GameRow.look_at).where(GameRow.finished_at.is_(None))
    # Always true, but unlike "is not null" it makes SQLite use the index even after ANALYZE.
    return looks.where(GameRow.look_at >= 0.0).order_by(GameRow.look_at).limit(1)


def due_games_query(until: float) -> Select[int, int]:
    """The running games that are due by a time, the longest overdue first."""
    games = select(GameRow.id, GameRow.channel_id).where(GameRow.finished_at.is_(None))
    return games.where(GameRow.look_at <= until).order_by(GameRow.look_at)


def latest_query(channel_id: int) -> Select[int]:
    """The id of the latest game of a channel."""
    games = select(GameRow.id).where(GameRow.channel_id == channel_id)
    return games.order_by(GameRow.id.desc()).limit(1)


def _involving(user_id: int | ColumnElement[int]) -> ColumnElement[bool]:
    return or_(
        GameRow.first_user == user_id, GameRow.second_user == user_id, GameRow.started_by == user_id
    )


def _running() -> Select[GameRow]:
    return select(GameRow).where(GameRow.finished_at.is_(None))


_ONE = Prepared(select(GameRow).where(GameRow.id == bindparam("game")))

_IN_CHANNEL = Prepared(_running().where(GameRow.channel_id == bindparam("channel")))

_COUNT_RUNNING = Prepared(
    select(func.count().label("games")).where(
        _involving(bindparam("user", type_=BigInteger)), GameRow.finished_at.is_(None)
    )
)


@cache
def _end_statement(*, owned: bool) -> Prepared:
    """The statement that ends a running `game`; if `owned`, only a `process`'s."""
    owner = bindparam("process", type_=String) if owned else None
    at = bindparam("ended_at", type_=Double)
    return Prepared(
        update(GameRow)
        .where(rows.is_running(bindparam("game", type_=Integer), owner=owner))
        .values(
            finished_at=at,
            ending=bindparam("how", type_=String),
            winner=bindparam("won", type_=Integer),
            look_at=None,
            held_at=None,
            **rows.ended(at),
        )
    )
