"""Everything that outlives the process: games, moves, hints and results, in SQLite."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import Connection, Select, event, func, insert, or_, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.store import rating_rows, rows
from bot.store.challenge_rows import answer
from bot.store.figure_rows import note_figures
from bot.store.migrate import upgrade
from bot.store.models import GameRow, HintRow, MoveRow, NoteRow, PlayerRow, RatingChangeRow
from bot.store.records import (
    EndRecord,
    GameRecord,
    MoveRecord,
    NewGameRecord,
    RatedEnd,
    RatingChange,
)


class ChannelTaken(Exception):
    """The channel already has a running game."""


class ChallengeAnswered(Exception):
    """The challenge is no longer open."""


class MoveTaken(Exception):
    """The game already has a move with this number: somebody else moved first."""


class Store:
    """The database; every method is one transaction, finished on disk when it returns."""

    def __init__(self, url: str) -> None:
        """Prepare for the database at an SQLAlchemy address; `open` connects."""
        self._engine: AsyncEngine = create_async_engine(url)
        event.listen(self._engine.sync_engine, "connect", _configure)
        event.listen(self._engine.sync_engine, "begin", _begin)
        # The same engine; what it begins is begun for writing.
        self._writer = self._engine.execution_options(writes=True)

    async def open(self) -> None:
        """Connect and run the migrations that the database has not had."""
        migrating = self._writer.execution_options(migrates=True)
        async with migrating.begin() as connection:
            await connection.run_sync(upgrade)
        # Foreign keys are off on that connection: it is used for nothing else.
        await self._engine.dispose()

    async def close(self) -> None:
        """Disconnect."""
        await self._engine.dispose()

    async def add_game(self, game: NewGameRecord, *, accepting: int | None = None) -> int:
        """Store a game that begins, and return its id.

        With `accepting` it is the game that this challenge offered, which is then accepted in the
        same transaction. Raises ChannelTaken, or ChallengeAnswered where that was not open.
        """
        async with self._writer.begin() as connection:
            if accepting is not None and not await answer(connection, accepting, "accepted"):
                raise ChallengeAnswered
            people = (game.first.user_id, game.second.user_id, game.started_by)
            await add_players(connection, people, game.started_at)
            try:
                result = await connection.execute(insert(GameRow).values(rows.game_values(game)))
            except IntegrityError as error:
                raise ChannelTaken from error
            assert result.inserted_primary_key is not None
            return int(result.inserted_primary_key[0])

    async def add_move(
        self,
        game_id: int,
        number: int,
        move: MoveRecord,
        end: EndRecord | None = None,
        rated: RatedEnd | None = None,
    ) -> tuple[RatingChange, ...]:
        """Append a move and, if it ends the game, the end with what that changes in ratings.

        Returns those changes. Raises MoveTaken.
        """
        async with self._writer.begin() as connection:
            try:
                await connection.execute(
                    insert(MoveRow).values(rows.move_values(game_id, number, move))
                )
            except IntegrityError as error:
                raise MoveTaken from error
            return await _finish(connection, game_id, end, rated) if end is not None else ()

    async def finish(
        self, game_id: int, end: EndRecord, rated: RatedEnd | None = None
    ) -> tuple[RatingChange, ...]:
        """End a game without a move; returns what that changed in ratings.

        Nothing changes where it had ended before.
        """
        async with self._writer.begin() as connection:
            return await _finish(connection, game_id, end, rated)

    async def add_hint(self, game_id: int, number: int, user_id: int, move: str, at: float) -> None:
        """Store a hint given for a move; a second one for the same move counts as the same."""
        async with self._writer.begin() as connection:
            hint = insert_or(HintRow).values(
                game_id=game_id, number=number, user_id=user_id, move=move, at=at
            )
            await connection.execute(hint.on_conflict_do_nothing())

    async def set_message(self, game_id: int, message_id: int | None) -> None:
        """Note which message shows the board."""
        async with self._writer.begin() as connection:
            await connection.execute(
                update(GameRow).where(GameRow.id == game_id).values(message_id=message_id)
            )

    async def message_of(self, game_id: int) -> int | None:
        """Which message shows a game's board."""
        async with self._engine.connect() as connection:
            statement = select(GameRow.message_id).where(GameRow.id == game_id)
            return (await connection.execute(statement)).scalar_one_or_none()

    async def forget_messages(self) -> None:
        """Note that no running game's message exists any more."""
        async with self._writer.begin() as connection:
            await connection.execute(
                update(GameRow)
                .where(GameRow.finished_at.is_(None))
                .values(message_id=None, ping_id=None)
            )

    async def running_game(self, channel_id: int) -> GameRecord | None:
        """The running game of a channel."""
        found = await self._games(
            select(GameRow).where(GameRow.channel_id == channel_id, GameRow.finished_at.is_(None))
        )
        return found[0] if found else None

    async def running_games(self) -> list[GameRecord]:
        """All running games."""
        return await self._games(select(GameRow).where(GameRow.finished_at.is_(None)))

    async def silent_games(self, until: float) -> list[GameRecord]:
        """The running games in which nothing has happened since `until`, whoever is to move."""
        return await self._games(silent_query(until))

    async def game(self, game_id: int) -> GameRecord | None:
        """Any game by its id."""
        found = await self._games(select(GameRow).where(GameRow.id == game_id))
        return found[0] if found else None

    async def games_of(self, user_id: int) -> list[GameRecord]:
        """All games that a person has finished, of every family, the oldest first."""
        seated = or_(GameRow.first_user == user_id, GameRow.second_user == user_id)
        return await self._games(select(GameRow).where(seated, GameRow.finished_at.is_not(None)))

    async def is_private(self, user_id: int) -> bool:
        """Whether others may not see a person's statistics."""
        async with self._engine.connect() as connection:
            statement = select(PlayerRow.private).where(PlayerRow.id == user_id)
            return bool((await connection.execute(statement)).scalar_one_or_none())

    async def set_private(self, user_id: int, private: bool, at: float) -> None:
        """Note whether others may see a person's statistics."""
        async with self._writer.begin() as connection:
            await add_players(connection, (user_id,), at)
            await connection.execute(
                update(PlayerRow).where(PlayerRow.id == user_id).values(private=private)
            )

    async def count_running(self, user_id: int) -> int:
        """How many running games a person sits in or has asked for."""
        async with self._engine.connect() as connection:
            seated = or_(
                GameRow.first_user == user_id,
                GameRow.second_user == user_id,
                GameRow.started_by == user_id,
            )
            statement = select(func.count()).where(seated, GameRow.finished_at.is_(None))
            return int((await connection.execute(statement)).scalar_one())

    async def note(self, name: str) -> str | None:
        """What the bot noted under a name."""
        async with self._engine.connect() as connection:
            statement = select(NoteRow.text).where(NoteRow.name == name)
            return (await connection.execute(statement)).scalar_one_or_none()

    async def set_note(self, name: str, text: str) -> None:
        """Note a small fact under a name."""
        async with self._writer.begin() as connection:
            note = insert_or(NoteRow).values(name=name, text=text)
            await connection.execute(
                note.on_conflict_do_update(index_elements=["name"], set_={"text": text})
            )

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """A transaction, on disk when the block ends; for the other files of this package."""
        async with self._writer.begin() as connection:
            yield connection

    async def fetch(self, statement: Select[*tuple[Any, ...]]) -> list[Any]:
        """Run a query of `bot.store.history` and return its rows."""
        async with self._engine.connect() as connection:
            return list((await connection.execute(statement)).all())

    async def _games(self, statement: Select[GameRow]) -> list[GameRecord]:
        """Read games with all that belongs to them: three more queries for however many."""
        async with self._engine.connect() as connection:
            games = (await connection.execute(statement.order_by(GameRow.id))).all()
            ids = [game.id for game in games]
            moves = await connection.execute(
                select(MoveRow).where(MoveRow.game_id.in_(ids)).order_by(MoveRow.number)
            )
            hints = await connection.execute(
                select(HintRow.game_id, HintRow.number).where(HintRow.game_id.in_(ids))
            )
            changes = await connection.execute(
                select(RatingChangeRow).where(RatingChangeRow.game_id.in_(ids))
            )
            return rows.game_records(games, moves.all(), hints.all(), changes.all())


def silent_query(until: float) -> Select[GameRow]:
    """The running games in which nothing was played or taken back after `until`, nor begun."""
    last = select(func.max(MoveRow.at)).where(MoveRow.game_id == GameRow.id).scalar_subquery()
    return select(GameRow).where(
        GameRow.finished_at.is_(None),
        # Says nothing new, but there is an index for it.
        GameRow.started_at <= until,
        func.coalesce(last, GameRow.started_at) <= until,
        func.coalesce(GameRow.undone_at, GameRow.started_at) <= until,
    )


def _configure(connection: Any, _record: object) -> None:
    """Set up one SQLite connection."""
    # Python's driver begins transactions by itself, but not for changes of tables: a migration
    # that is killed would be left half done. `_begin` begins them instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    # Write-ahead log: readers never wait for the writer.
    cursor.execute("PRAGMA journal_mode=WAL")
    # A transaction is on the disk itself when it returns, so a power cut loses nothing either.
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA busy_timeout=5000")
    cursor.close()


def _begin(connection: Connection) -> None:
    # What will write takes its turn at once: were it to read first, somebody else could write
    # between, and it would have to give up.
    options = connection.get_execution_options()
    if options.get("migrates", False):
        # A migration may copy a table and drop the old one, whose rows others refer to. SQLite
        # takes this before a transaction only.
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes", False) else "BEGIN")


async def add_players(connection: AsyncConnection, people: Iterable[int | None], at: float) -> None:
    """Enter the people who are not known yet, as having joined at a time."""
    for user_id in people:
        if user_id is not None:
            row = insert_or(PlayerRow).values(id=user_id, joined_at=at)
            await connection.execute(row.on_conflict_do_nothing())


async def _finish(
    connection: AsyncConnection, game_id: int, end: EndRecord, rated: RatedEnd | None
) -> tuple[RatingChange, ...]:
    """End a game that is running, and rate it; a game that has ended keeps its first end."""
    ended = await connection.execute(
        update(GameRow)
        .where(GameRow.id == game_id, GameRow.finished_at.is_(None))
        .values(finished_at=end.at, ending=end.ending, winner=end.winner)
    )
    if not ended.rowcount:
        return ()
    await note_figures(connection, game_id)
    if rated is None:
        return ()
    return await rating_rows.apply(connection, game_id, rated, end.at)
