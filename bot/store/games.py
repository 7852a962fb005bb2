"""Games: begun, played on, taken back, ended, found again."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, delete, func, or_, select, update
from sqlalchemy.exc import IntegrityError

from bot.store import challenges, game_rows, rating_rows, undo_requests
from bot.store.database import Database, add, add_missing
from bot.store.models import GameRow, HintRow, MoveRow
from bot.store.players import enter
from bot.store.rating_records import RatedEnd, RatingChange
from bot.store.records import EndRecord, GameRecord, MoveRecord, NewGameRecord


class ChannelTaken(Exception):
    """The channel already has a running game."""


class MoveTaken(Exception):
    """The game already has a move with this number, or does not exist.

    One process stores the moves of a channel one after the other, so only a second process on the
    same database sees this: the other one moved first.
    """


class Games:
    """All games, running or over."""

    def __init__(self, database: Database) -> None:
        """Keep games in `database`."""
        self._database = database

    async def add(self, opening: NewGameRecord, *, accepting: int | None = None) -> int:
        """Store a game that begins, and return its id.

        With `accepting` it is the game that this challenge offered, which is accepted in the same
        transaction. Raises ChannelTaken, or ChallengeAnswered if the challenge was not open.
        """
        async with self._database.writing() as connection:
            if accepting is not None:
                await challenges.accept(connection, accepting)
            people = (opening.first.user_id, opening.second.user_id, opening.started_by)
            await enter(connection, people, opening.started_at)
            try:
                return await add(connection, GameRow, game_rows.game_values(opening))
            except IntegrityError as error:
                raise ChannelTaken from error

    async def append(
        self,
        game_id: int,
        number: int,
        move: MoveRecord,
        end: EndRecord | None = None,
        rated: RatedEnd | None = None,
    ) -> tuple[RatingChange, ...]:
        """Append a move and, if it ends the game, the end and what that changes in ratings.

        Returns those changes. Raises MoveTaken.
        """
        async with self._database.writing() as connection:
            try:
                await add(connection, MoveRow, game_rows.move_values(game_id, number, move))
            except IntegrityError as error:
                raise MoveTaken from error
            if end is None or not await game_rows.end(connection, game_id, end) or rated is None:
                return ()
            return await rating_rows.apply(connection, game_id, rated, end.at)

    async def finish(
        self, game_id: int, end: EndRecord, rated: RatedEnd | None = None
    ) -> tuple[RatingChange, ...]:
        """End a game without a move; returns what that changed in ratings.

        A game that has ended already keeps its first end, and nothing changes.
        """
        async with self._database.writing() as connection:
            if not await game_rows.end(connection, game_id, end) or rated is None:
                return ()
            return await rating_rows.apply(connection, game_id, rated, end.at)

    async def take_back(
        self, game_id: int, remaining: int, at: float, accepting: int | None = None
    ) -> None:
        """Remove all but a game's first `remaining` moves, with the hints given for them.

        With `accepting` that request is granted in the same transaction; raises UndoAnswered if it
        was not open.
        """
        async with self._database.writing() as connection:
            if accepting is not None:
                await undo_requests.accept(connection, accepting)
            undone = {"undos": GameRow.undos + 1, "undone_at": at}
            await connection.execute(update(GameRow).where(GameRow.id == game_id).values(undone))
            for table in (MoveRow, HintRow):
                await connection.execute(
                    delete(table).where(table.game_id == game_id, table.number > remaining)
                )

    async def add_hint(self, game_id: int, number: int, user_id: int, move: str, at: float) -> None:
        """Store a hint for a move; a second one for the same move changes nothing."""
        hint = {"game_id": game_id, "number": number, "user_id": user_id, "move": move, "at": at}
        async with self._database.writing() as connection:
            await add_missing(connection, HintRow, hint)

    async def find(self, game_id: int) -> GameRecord | None:
        """Any game by its id."""
        found = await self._records(select(GameRow).where(GameRow.id == game_id))
        return found[0] if found else None

    async def running_in(self, channel_id: int) -> GameRecord | None:
        """The running game of a channel."""
        found = await self._records(_running().where(GameRow.channel_id == channel_id))
        return found[0] if found else None

    async def running(self) -> list[GameRecord]:
        """All running games."""
        return await self._records(_running())

    async def silent(self, until: float) -> list[GameRecord]:
        """The running games in which nothing has happened since `until`, whoever is to move."""
        return await self._records(silent_query(until))

    async def to_remind(self, until: float) -> list[GameRecord]:
        """The games that have been silent since `until` and whose mover nobody has reminded."""
        return await self._records(reminder_query(until))

    async def finished_by(self, user_id: int) -> list[GameRecord]:
        """All games that a person has finished, of every family, the oldest first."""
        seated = or_(GameRow.first_user == user_id, GameRow.second_user == user_id)
        return await self._records(select(GameRow).where(seated, GameRow.finished_at.is_not(None)))

    async def count_running(self, user_id: int) -> int:
        """How many running games a person sits in or has asked for."""
        theirs = or_(
            GameRow.first_user == user_id,
            GameRow.second_user == user_id,
            GameRow.started_by == user_id,
        )
        statement = select(func.count().label("games")).where(theirs, GameRow.finished_at.is_(None))
        return int((await self._database.fetch(statement))[0].games)

    async def latest_in(self, channel_id: int) -> int | None:
        """The id of the game that was begun last in a channel, running or over."""
        found = await self._database.fetch(latest_query(channel_id))
        return int(found[0].id) if found else None

    async def message_of(self, game_id: int) -> int | None:
        """Which message shows a game's board."""
        return await self._read(game_id, GameRow.message_id)

    async def set_message(self, game_id: int, message_id: int | None) -> None:
        """Note which message shows the board."""
        await self._set(GameRow.id == game_id, message_id=message_id)

    async def ping_of(self, game_id: int) -> int | None:
        """The message that last told somebody of their turn in a game, if it is still there."""
        return await self._read(game_id, GameRow.ping_id)

    async def set_ping(self, game_id: int, message_id: int | None) -> None:
        """Note which message told somebody of their turn in a game; None for none."""
        await self._set(GameRow.id == game_id, ping_id=message_id)

    async def forget_messages(self) -> None:
        """Note that no running game's messages exist any more."""
        await self._set(GameRow.finished_at.is_(None), message_id=None, ping_id=None)

    async def note_reminder(self, game_id: int, last_at: float, at: float) -> bool:
        """Note that a game's mover is reminded; False if that was done since `last_at`."""
        reminded = GameRow.reminded_at
        is_due = (
            (GameRow.id == game_id)
            & GameRow.finished_at.is_(None)
            & or_(reminded.is_(None), reminded <= last_at)
        )
        return await self._set(is_due, reminded_at=at) == 1

    async def _read(self, game_id: int, column: Any) -> int | None:
        found = await self._database.fetch(select(column).where(GameRow.id == game_id))
        return found[0][0] if found else None

    async def _set(self, which: ColumnElement[bool], **values: Any) -> int:
        return await self._database.change(update(GameRow).where(which).values(**values))

    async def _records(self, statement: Select[GameRow]) -> list[GameRecord]:
        async with self._database.reading() as connection:
            return await game_rows.records(connection, statement)


def silent_query(until: float) -> Select[GameRow]:
    """The running games in which nothing was played or taken back after `until`, nor begun."""
    last = select(func.max(MoveRow.at)).where(MoveRow.game_id == GameRow.id).scalar_subquery()
    return _running().where(
        # Follows from the next line, but there is an index for it.
        GameRow.started_at <= until,
        func.coalesce(last, GameRow.started_at) <= until,
        func.coalesce(GameRow.undone_at, GameRow.started_at) <= until,
    )


def reminder_query(until: float) -> Select[GameRow]:
    """The silent games whose mover has not been reminded since the last thing that happened."""
    last = select(func.max(MoveRow.at)).where(MoveRow.game_id == GameRow.id).scalar_subquery()
    return silent_query(until).where(
        or_(
            GameRow.reminded_at.is_(None),
            GameRow.reminded_at <= func.coalesce(last, GameRow.started_at),
            GameRow.reminded_at <= GameRow.undone_at,
        )
    )


def latest_query(channel_id: int) -> Select[int]:
    """The id of the latest game of a channel."""
    games = select(GameRow.id).where(GameRow.channel_id == channel_id)
    return games.order_by(GameRow.id.desc()).limit(1)


def _running() -> Select[GameRow]:
    return select(GameRow).where(GameRow.finished_at.is_(None))
