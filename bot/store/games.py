"""Games: storing them move by move, and finding them again.

Boards: what each game's message last showed, and which do not show what is stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Double,
    Integer,
    Select,
    String,
    and_,
    bindparam,
    case,
    delete,
    func,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.exc import IntegrityError

from bot.database.database import Database
from bot.database.errors import again
from bot.database.statements import Prepared, add, add_missing, change, lock
from bot.store import rows
from bot.store import rows as game_rows
from bot.store.owners import SHARD_UNIT, Owner, may_have
from bot.store.people import accept, enter
from bot.store.records import (
    DueRecord,
    EndRecord,
    GameRecord,
    HintRecord,
    MoveRecord,
    NewGameRecord,
    TimeControl,
)
from bot.store.rows import (
    COUNTDOWN,
    GAMES,
    GRACE,
    NOTHING,
    EndStep,
    Step,
    clock_values,
    lacks_countdown,
)
from bot.store.tables import THE_RESULT, ChallengeRow, GameRow, HintRow, MoveRow, VoteRow


class ChannelTaken(Exception):
    """The channel already has a running game."""


class MoveTaken(Exception):
    """The game has moved on: it is over, another move or an undo came first, or it is not yours.

    A process serialises the changes of its games, so only a second process on the same database
    ever sees this.
    """


class Games:
    """All games, running or over."""

    def __init__(self, database: Database, at_end: Sequence[EndStep] = ()) -> None:
        """Keep games in `database`; the steps in `at_end` run whenever one of them ends."""
        self._database = database
        self._at_end = tuple(at_end)

    @again
    async def add(
        self,
        opening: NewGameRecord,
        *,
        look_at: float | None = None,
        accepting: int | None = None,
        owner: str | None = None,
        vote_until: float | None = None,
    ) -> int:
        """Store a new game and return its id.

        Args:
            opening: The game.
            look_at: When the clock next requires something, if it does.
            accepting: The challenge this game comes from; accepted in the same transaction.
            owner: The process whose game it is.
            vote_until: When the vote ends that it begins with, if it does.

        Raises:
            ChannelTaken: The channel already has a running game.
            RequestAnswered: The challenge is no longer open.
        """
        async with self._database.writing() as connection:
            if accepting is not None:
                await accept(connection, ChallengeRow, accepting)
            people = (opening.first.user_id, opening.second.user_id, opening.started_by)
            await enter(connection, people, opening.started_at)
            clocks = {"look_at": look_at, "vote_until": vote_until}
            values = {**game_rows.game_values(opening, owner), **clocks}
            try:
                return await add(connection, GameRow, values)
            except IntegrityError as error:
                raise ChannelTaken from error

    @again
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
        made: dict[str, Any] = {
            "game": game_id,
            "made": number - 1,
            "following": number,
            "moved_at": move.at,
        }
        made |= {"next_look": look_at, "process": owner}
        async with self._database.writing() as connection:
            if not await change(connection, _moving(owned=owner is not None), made):
                raise MoveTaken
            try:
                await add(connection, MoveRow, game_rows.move_values(game_id, number, move))
            except IntegrityError as error:
                raise MoveTaken from error
            if end is not None:
                await game_rows.end(connection, game_id, end, counts=counts, also=self._at_end)

    @again
    async def finish(
        self, game_id: int, end: EndRecord, *, counts: bool = False, owner: str | None = None
    ) -> bool:
        """End a game without a move; with `counts`, its rating is then due.

        False, and no change, if it has already ended or is not this `owner`'s.
        """
        async with self._database.writing() as connection:
            return await game_rows.end(
                connection, game_id, end, counts=counts, owner=owner, also=self._at_end
            )

    @again
    async def take_back(
        self,
        game_id: int,
        remaining: int,
        at: float,
        *,
        look_at: float | None,
        also: Step | None = None,
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
            running = update(GameRow).where(game_rows.is_running(game_id, owner=owner))
            if not await change(connection, running.values(undone)):
                raise MoveTaken
            taken_back = (MoveRow.game_id == game_id) & (MoveRow.number > remaining)
            await connection.execute(delete(MoveRow).where(taken_back))

    @again
    async def add_hint(self, game_id: int, hint: HintRecord, *, owner: str | None = None) -> None:
        """Store a hint; of one for the same position, only that more of it was said.

        Raises MoveTaken if an `owner` is given and the game is over or another process's.
        """
        async with self._database.writing() as connection:
            if owner is not None:
                await lock(connection, GameRow.id, (game_id,))
                mine = select(GameRow.id).where(game_rows.is_running(game_id, owner=owner))
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

    async def next_look(self, owner: Owner | None = None) -> float | None:
        """The earliest time at which a running game must be looked at, by this process or any."""
        mine = next_look_query().where(may_have(owner, self._database))
        found = await self._database.fetch(mine)
        return found[0].look_at if found else None

    async def to_look_at(self, until: float, owner: Owner | None = None) -> list[DueRecord]:
        """The running games that this process or any must look at by then, oldest first."""
        mine = look_query(until).where(may_have(owner, self._database))
        found = await self._database.fetch(mine)
        return [DueRecord(row.id, row.channel_id) for row in found]

    async def look_again(self, game_id: int, at: float) -> None:
        """Leave a running game that could not be looked at until a later time."""
        await self._set(game_rows.is_running(game_id), look_at=at)

    @again
    async def set_look(
        self,
        game_id: int,
        look_at: float | None,
        *,
        expecting_moves: int,
        owner: str | None = None,
    ) -> bool:
        """Set when a game must next be looked at.

        False, and no change, if it is over, not this `owner`'s, or does not have `expecting_moves`.
        """
        present = game_rows.is_running(game_id, moves=expecting_moves, owner=owner)
        async with self._database.writing() as connection:
            await lock(connection, GameRow.id, (game_id,))
            looked = update(GameRow).where(present)
            return await change(connection, looked.values(look_at=look_at)) == 1

    async def set_default_clock(self, clock: TimeControl) -> None:
        """Give a time control to the running games from before there were any."""
        without = GameRow.finished_at.is_(None) & GameRow.clock_seconds.is_(None)
        await self._set(without, **clock_values(clock))

    async def finished_by(self, user_id: int) -> list[GameRecord]:
        """All games that a person has finished, of every family, the oldest first."""
        seated = or_(GameRow.first_user == user_id, GameRow.second_user == user_id)
        over = GameRow.finished_at.is_not(None)
        return await self._readable(select(GameRow).where(seated, over))

    async def count_finished(self, user_id: int) -> int:
        """How many games a person has finished."""
        seated = or_(GameRow.first_user == user_id, GameRow.second_user == user_id)
        counted = select(func.count().label("games")).where(
            seated, GameRow.finished_at.is_not(None)
        )
        return int((await self._database.fetch(counted))[0].games)

    async def running_of(self, user_id: int) -> list[GameRecord]:
        """The running games that a person plays in or has started."""
        return await self._readable(_running().where(_with(user_id)))

    async def count_by_family(self) -> dict[str, int]:
        """How many games are running, by family; those without any are missing."""
        counted = select(GameRow.family, func.count().label("games"))
        running = counted.where(GameRow.finished_at.is_(None)).group_by(GameRow.family)
        return {row.family: int(row.games) for row in await self._database.fetch(running)}

    async def count_by_shard(self, count: int) -> dict[int, int]:
        """How many games are running on each of so many shards; those without any are missing."""
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

    async def message_of(self, game_id: int) -> int | None:
        """Which message shows a game's board."""
        return await self._read(_MESSAGE, game_id)

    async def set_message(
        self,
        game_id: int,
        message_id: int | None,
        *,
        shown: int = -1,
        owner: str | None = None,
    ) -> bool:
        """Note which message shows a game's board, and how the game stands there.

        False, and no change, if an `owner` is given and the game is over or another process's.
        """
        values = {"game": game_id, "process": owner, "message": message_id, "now_shown": shown}
        return await self._database.change(_showing(owned=owner is not None), values) == 1

    async def ping_of(self, game_id: int) -> int | None:
        """The message that last notified a player of a game, if it is still there."""
        return await self._read(_PING, game_id)

    async def set_ping(self, game_id: int, message_id: int | None) -> None:
        """Note which message last notified a player of a game; None once it is gone."""
        await self._set(GameRow.id == game_id, ping_id=message_id)

    async def forget_messages(self) -> None:
        """Note that the messages of all running games are gone."""
        await self._set(GameRow.finished_at.is_(None), message_id=None, ping_id=None)

    async def note_reminder(
        self,
        game_id: int,
        last_at: float,
        at: float,
        look_at: float | None,
        *,
        owner: str | None = None,
    ) -> bool:
        """Note that a game's mover is reminded at `at`, and when to look at it next.

        False, and no change, if it is over, not this `owner`'s, or its mover has been reminded
        since `last_at`.
        """
        reminded = GameRow.reminded_at
        is_due = game_rows.is_running(game_id, owner=owner) & or_(
            reminded.is_(None), reminded <= last_at
        )
        return await self._set(is_due, reminded_at=at, look_at=look_at) == 1

    async def _read(self, query: Prepared, game_id: int) -> int | None:
        found = await self._database.fetch(query, {"game": game_id})
        return found[0][0] if found else None

    async def _set(self, which: ColumnElement[bool], **values: Any) -> int:
        return await self._database.change(update(GameRow).where(which).values(**values))

    async def _readable(self, statement: Select[GameRow]) -> list[GameRecord]:
        """The games of a query, without those whose rows are damaged."""
        async with self._database.reading() as connection:
            return await game_rows.records_apart(connection, statement)

    async def _records(self, statement: Prepared, **values: int) -> list[GameRecord]:
        async with self._database.reading() as connection:
            return await game_rows.records(connection, statement, values)


@cache
def _moving(*, owned: bool) -> Prepared:
    """The statement that changes the row of a `game` with its next move, built once.

    It changes nothing unless the game is running with `made` moves and, if `owned`, is a
    `process`'s. Its condition is about this row alone, so a server looks at it again after waiting
    for another transaction's lock on the row.
    """
    owner = bindparam("process", type_=String) if owned else None
    running = game_rows.is_running(bindparam("game", type_=Integer), owner=owner)
    stands = rows.has_moves(bindparam("made", type_=Integer))
    following, at = bindparam("following", type_=Integer), bindparam("moved_at", type_=Double)
    return Prepared(
        update(GameRow)
        .where(running, stands)
        .values(
            look_at=bindparam("next_look", type_=Double),
            paused=0.0,
            vote_until=None,
            **rows.moved(following, at),
        )
    )


def next_look_query() -> Select[float | None]:
    """The earliest time at which a running game must be looked at."""
    looks = select(GameRow.look_at).where(GameRow.finished_at.is_(None))
    # Always true, but unlike "is not null" it makes SQLite use the index even after ANALYZE.
    return looks.where(GameRow.look_at >= 0.0).order_by(GameRow.look_at).limit(1)


def look_query(until: float) -> Select[int, int]:
    """The running games that must be looked at by then, the longest overdue first."""
    games = select(GameRow.id, GameRow.channel_id).where(GameRow.finished_at.is_(None))
    return games.where(GameRow.look_at <= until).order_by(GameRow.look_at)


def latest_query(channel_id: int) -> Select[int]:
    """The id of the latest game of a channel."""
    games = select(GameRow.id).where(GameRow.channel_id == channel_id)
    return games.order_by(GameRow.id.desc()).limit(1)


@cache
def _showing(*, owned: bool) -> Prepared:
    """The statement that notes which `message` shows a `game`; if `owned`, only a `process`'s."""
    game = bindparam("game", type_=Integer)
    owner = bindparam("process", type_=String)
    which = game_rows.is_running(game, owner=owner) if owned else GameRow.id == game
    message = bindparam("message", type_=BigInteger)
    shown = bindparam("now_shown", type_=BigInteger)
    return Prepared(update(GameRow).where(which).values(message_id=message, shown=shown))


def _with(user_id: int | ColumnElement[int]) -> ColumnElement[bool]:
    return or_(
        GameRow.first_user == user_id,
        GameRow.second_user == user_id,
        GameRow.started_by == user_id,
    )


def _running() -> Select[GameRow]:
    return select(GameRow).where(GameRow.finished_at.is_(None))


_ONE = Prepared(select(GameRow).where(GameRow.id == bindparam("game")))

_IN_CHANNEL = Prepared(_running().where(GameRow.channel_id == bindparam("channel")))

_MESSAGE, _PING = (
    Prepared(select(column).where(GameRow.id == bindparam("game")))
    for column in (GameRow.message_id, GameRow.ping_id)
)

_COUNT_RUNNING = Prepared(
    select(func.count().label("games")).where(
        _with(bindparam("user", type_=BigInteger)), GameRow.finished_at.is_(None)
    )
)

DAMAGED_PAUSE = 300.0
"""Seconds until the board of a game is due again whose rows could not be read."""


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """A message, and what it shows."""

    message_id: int
    state: int
    """How the game stood, as a number (`bot.store.rows`)."""

    def lacks_countdown(self, state: int) -> bool:
        """Whether it shows a running game in this state, except for the present countdown."""
        return self.state == state - COUNTDOWN


class ShownBoards:
    """What the messages of games show."""

    def __init__(self, database: Database) -> None:
        """Keep that in `database`."""
        self._database = database

    async def of(self, game_id: int) -> ShownBoard | None:
        """The message that shows a game, if there is one."""
        for row in await self._database.fetch(_BOARD, {"game": game_id}):
            if row.message_id is not None:
                return ShownBoard(row.message_id, row.shown)
        return None

    @again
    async def note(self, shown: Mapping[int, ShownBoard], owner: Owner | None = None) -> None:
        """Note what messages show, by the ids of their games; older news changes nothing.

        Nor does news of a message that another one has replaced. Boards of games that have become
        another process's are due again: nobody knows which of the two came last to Discord.
        """
        if not shown:
            return
        async with self._database.writing() as connection:
            await lock(connection, GameRow.id, shown)
            news = [
                {"game": game_id, "message": board.message_id, "state_shown": board.state}
                for game_id, board in shown.items()
            ]
            await _NOTE.change(connection, *news)
            # On a file there is no other process.
            if owner is not None and self._database.is_shared:
                lost = and_(GameRow.id.in_(list(shown)), ~may_have(owner, self._database))
                await change(connection, update(GameRow).where(lost).values(shown=NOTHING))

    async def due(self, now: float, limit: int, owner: Owner | None = None) -> list[GameRecord]:
        """Games whose messages do not show what is stored and should by now.

        The longest due come first, and those in which only the countdown has changed last. With
        `owner` those that this process is to show.
        """
        mine = due_query(now, limit).where(may_have(owner, self._database))
        found = await self._database.fetch(mine)
        if not found:
            return []
        async with self._database.reading() as connection:
            order = {row.id: place for place, row in enumerate(found)}
            due = select(GameRow).where(GameRow.id.in_(order))
            records = await game_rows.records_apart(connection, due)
        # Damaged games would otherwise be the longest due for ever, and take the places of others.
        for game_id in order.keys() - {record.id for record in records}:
            await self.postpone(game_id, now + DAMAGED_PAUSE)
        return sorted(records, key=lambda record: order[record.id])

    async def postpone(self, game_id: int, until: float) -> None:
        """Leave a board as it is until then."""
        later = update(GameRow).where(GameRow.id == game_id).values(show_at=until)
        await self._database.change(later)

    async def hasten(self, now: float, owner: Owner | None = None) -> None:
        """Make every board due that does not show what is stored: nobody else is showing it.

        The latest changes come first. Their edits are the ones that an end without warning has cut
        short; of older changes it may only not have been stored that they were shown. What waited
        for another try comes after these, and mere countdowns come last.
        """
        mine = and_(_differs(), ~lacks_countdown(), may_have(owner, self._database))
        changed = GameRow.show_at <= now + GRACE
        sooner = case((changed, -func.abs(GameRow.show_at)), else_=0.0)
        await self._database.change(update(GameRow).where(mine).values(show_at=sooner))

    async def hasten_in(self, channel_id: int) -> None:
        """Make the boards of a channel due that do not show what is stored."""
        there = and_(GameRow.channel_id == channel_id, _differs())
        await self._database.change(update(GameRow).where(there).values(show_at=0.0))

    async def give_up(self, game_id: int) -> None:
        """Take a board for shown: there is nowhere left to show it."""
        settled = update(GameRow).where(GameRow.id == game_id).values(shown=GameRow.state)
        await self._database.change(settled)

    async def count_due(self, owner: Owner | None = None) -> int:
        """How many boards do not show what is stored, of all or of those a process is to show."""
        mine = and_(_differs(), may_have(owner, self._database))
        found = await self._database.fetch(select(func.count().label("games")).where(mine))
        return int(found[0].games)


_BOARD = Prepared(select(GameRow.message_id, GameRow.shown).where(GameRow.id == bindparam("game")))

_NOTE = Prepared(
    update(GAMES)
    .where(
        GAMES.c.id == bindparam("game"),
        GAMES.c.message_id == bindparam("message"),
        GAMES.c.shown < bindparam("state_shown"),
    )
    .values(shown=bindparam("state_shown"))
)


def due_query(now: float, limit: int) -> Select[int]:
    """The games whose boards are due."""
    due = select(GameRow.id).where(_differs(), GameRow.show_at <= now)
    return due.order_by(lacks_countdown(), GameRow.show_at).limit(limit)


def _differs() -> ColumnElement[bool]:
    # As the index has it.
    return GameRow.shown < GameRow.state


def voting_query(user_id: int) -> Select[int]:
    """The running games on whose moves a person has voted."""
    voted = select(VoteRow.game_id).where(VoteRow.user_id == user_id, VoteRow.number != THE_RESULT)
    return select(GameRow.id).where(GameRow.id.in_(voted), GameRow.finished_at.is_(None))
