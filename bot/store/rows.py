"""The rows of games: conditions on them, changes of them, reading and deleting them.

Everything here runs inside a caller's transaction.

The state of a game is stored as a number that grows with every change: undos, votes and other
events that are not moves weigh most, then moves, then the end and its rating. So a message is out
of date exactly if it shows a smaller number.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Integer,
    Select,
    and_,
    bindparam,
    case,
    cast,
    func,
    insert,
    or_,
    select,
)
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.schema import delete_rows, undeclared_tables
from bot.database.statements import Base, Prepared
from bot.store.records import (
    Ending,
    EndRecord,
    GameRecord,
    GameSetup,
    HintRecord,
    MoveRecord,
    Rating,
    RatingChange,
    SeatRecord,
    TimeControl,
    VoteRecord,
)
from bot.store.tables import (
    MAX_ATTEMPTS,
    THE_RESULT,
    GameFiguresRow,
    GameRow,
    HintRow,
    MoveRow,
    RatingChangeRow,
    RatingDueRow,
    VoteRow,
)

Transaction = AsyncConnection
"""An open transaction, as it is passed to the steps of features."""

Query = Select[Any]
"""A query that has not been run."""

Step = Callable[[Transaction], Awaitable[None]]
"""One part of a transaction. It may run again if the transaction is retried: it keeps no state."""

EndStep = Callable[[Transaction, int], Awaitable[None]]
"""One part of the transaction that ends a game, whose id it gets; see `Step`."""


logger = logging.getLogger(__name__)

GAMES = Base.metadata.tables["games"]

PEOPLE = frozenset({"first_user", "second_user", "started_by", "user_id", "asker"})
"""The columns that name people, in all tables."""

GRACE = 3.0
"""Seconds for which only the process that changed a game shows it."""

NOTHING = -1
"""The shown state of a message that shows nothing yet."""

OVER, RATED = 1, 2

COUNTDOWN = 2
"""The difference between the state of a running game and that of a message that lacks only the
present countdown. No two states of a running game are so close."""

PER_MOVE = 4

PER_UNDO = 1000 * PER_MOVE
"""No game has a thousand moves."""

UNREADABLE = (TypeError, ValueError, LookupError, DBAPIError)
"""The errors raised by reading damaged rows."""

UNDECODABLE = "Could not decode to UTF-8"
"""SQLite's error message for invalid text."""

AT_ONCE = 1000
"""The most games that are read together, because databases limit the ids in a query."""


def state_number(moves: int, undos: int, *, is_over: bool, is_rated: bool, asides: int = 0) -> int:
    """The state of a game, as a number that grows with every change."""
    return PER_UNDO * (undos + asides) + PER_MOVE * moves + OVER * is_over + RATED * is_rated


def moved(number: ColumnElement[int], at: ColumnElement[float]) -> dict[str, Any]:
    """The columns of a game after its move with this number."""
    return _changed(_running(number), at)


def has_moves(number: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether a running game has exactly `number` moves, according to its state."""
    return GameRow.state == _running(number)


def taken_back(remaining: int, at: float) -> dict[str, Any]:
    """The columns of a game after an undo that leaves `remaining` moves."""
    return _changed(PER_UNDO * (GameRow.undos + 1 + GameRow.asides) + PER_MOVE * remaining, at)


def other_event(at: float) -> dict[str, Any]:
    """The columns of a game whose board is to say something new that is no move, such as a vote.

    Its board is due at once; one edit shows all changes until then. A board that is being shown
    meanwhile has an older state, so that it stays due.
    """
    state = GameRow.state + PER_UNDO
    return {"asides": GameRow.asides + 1, "state": state, "show_at": at}


def ended(at: ColumnElement[float]) -> dict[str, Any]:
    """The columns of a game that has ended."""
    return _changed(GameRow.state + OVER, at)


def rated() -> dict[str, Any]:
    """The columns of a game whose end has been rated."""
    return {"state": GameRow.state + RATED, "show_at": GameRow.finished_at + GRACE}


def countdown_moved(at: float) -> dict[str, Any]:
    """The columns of a running game whose countdown has changed, and nothing else.

    A board that is due because of another change keeps its time.
    """
    was_right = GameRow.shown == GameRow.state
    return {
        "shown": case((was_right, GameRow.state - COUNTDOWN), else_=GameRow.shown),
        "show_at": case((was_right, at), else_=GameRow.show_at),
    }


def lacks_countdown() -> ColumnElement[bool]:
    """Whether a message differs from its game in nothing but the countdown."""
    return and_(GameRow.finished_at.is_(None), GameRow.shown == GameRow.state - COUNTDOWN)


def _running(moves: ColumnElement[int]) -> ColumnElement[int]:
    """The state of a running game after `moves` moves."""
    return PER_UNDO * (GameRow.undos + GameRow.asides) + PER_MOVE * moves


def _changed(state: ColumnElement[int], at: ColumnElement[float] | float) -> dict[str, Any]:
    return {"state": state, "show_at": at + GRACE}


def clock_values(clock: TimeControl | None) -> dict[str, Any]:
    """The columns of a time control, or of none."""
    return {
        "clock_seconds": clock.seconds if clock else None,
        "clock_per": clock.per if clock else None,
    }


async def delete_games(connection: AsyncConnection, which: ColumnElement[bool]) -> None:
    """Delete games, and the rows of every table that refer to them."""
    await delete_rows(connection, GAMES, which)


async def delete_undeclared(connection: AsyncConnection, user_id: int) -> None:
    """Delete a person's rows in the tables of features that have been removed from the code."""
    for table in await undeclared_tables(connection):
        theirs = [
            column == user_id
            for column in table.columns
            if column.name in PEOPLE
            or any(key.column.table.name == "players" for key in column.foreign_keys)
        ]
        if theirs:
            await delete_rows(connection, table, or_(*theirs))


_SHARED_FIELDS = frozenset(field.name for field in fields(GameSetup)) - {"first", "second", "clock"}
"""The fields of a setup that are columns of the same name, in every table that has them."""


def setup_values(setup: GameSetup, table: Any) -> dict[str, Any]:
    """The columns of a setup in a table, except those of the seats."""
    same = {
        name: getattr(setup, name) for name in _SHARED_FIELDS if name in table.__table__.columns
    }
    return same | clock_values(setup.clock)


def setup_of(row: Any, table: Any, **others: Any) -> GameSetup:
    """The setup in a row of a table, with what the table stores in columns of other names."""
    same = {name: getattr(row, name) for name in _SHARED_FIELDS if name in table.__table__.columns}
    timed = row.clock_seconds is not None
    clock = TimeControl(row.clock_seconds, row.clock_per) if timed else None
    return GameSetup(**same, **others, clock=clock)


def game_values(setup: GameSetup, at: float, owner: str | None = None) -> dict[str, Any]:
    """The columns of a new game."""
    return {
        **setup_values(setup, GameRow),
        "first_user": setup.first.user_id,
        "first_agent": setup.first.agent,
        "second_user": setup.second.user_id,
        "second_agent": setup.second.agent,
        "started_at": at,
        "shown": NOTHING,
        "show_at": at + GRACE,
        "owner": owner,
    }


def is_running(
    game_id: int | ColumnElement[int],
    *,
    moves: int | None = None,
    owner: str | ColumnElement[str] | None = None,
) -> ColumnElement[bool]:
    """Whether a game is running, has exactly this number of `moves`, and is this `owner`'s."""
    running = and_(GameRow.id == game_id, GameRow.finished_at.is_(None))
    if owner is not None:
        running = and_(running, GameRow.owner == owner)
    if moves is None:
        return running
    made = select(func.coalesce(func.max(MoveRow.number), 0)).where(MoveRow.game_id == game_id)
    return and_(running, made.scalar_subquery() == moves)


async def records(
    connection: AsyncConnection,
    statement: Select[GameRow] | Prepared,
    values: Mapping[str, Any] | None = None,
) -> list[GameRecord]:
    """Read games with their moves, hints and ratings: at most five queries for a thousand games.

    Two of them, about ratings, are made only if games are over. Each game with votes takes one
    query more. `values` are bound to the statement's parameters.
    """
    if isinstance(statement, Prepared):
        found = await statement.rows(connection, values or {})
    else:
        found = list((await connection.execute(statement, values)).all())
    games = sorted(found, key=lambda row: row.id)
    records: list[GameRecord] = []
    for begin in range(0, len(games), AT_ONCE):
        records += await _complete_records(connection, games[begin : begin + AT_ONCE])
    return records


async def readable_records(
    connection: AsyncConnection, statement: Select[GameRow]
) -> list[GameRecord]:
    """Read games like `records`, but leave out those with damaged rows.

    They are read together and, only if that fails, one by one. Errors of an unavailable database
    are raised.
    """
    try:
        return await records(connection, statement)
    except UNREADABLE as error:
        _require_damage(error)
    found: list[GameRecord] = []
    ids = await connection.execute(statement.with_only_columns(GameRow.id).order_by(GameRow.id))
    for (game_id,) in ids.all():
        try:
            found += await records(connection, select(GameRow).where(GameRow.id == game_id))
        except UNREADABLE as error:
            _require_damage(error)
            logger.exception("the rows of game %s cannot be read: it is left out", game_id)
    return found


def _require_damage(error: Exception) -> None:
    """Raise an error unless damaged values caused it."""
    if isinstance(error, DBAPIError) and UNDECODABLE not in str(error.orig):
        raise error


async def _complete_records(connection: AsyncConnection, games: list[Any]) -> list[GameRecord]:
    """Games with their moves, hints, votes and changes of ratings."""
    ids = [game.id for game in games]
    over = [game.id for game in games if game.finished_at is not None]
    voted = [game.id for game in games if game.vote_seconds is not None]
    parts = _Parts()
    for row in await _rows(connection, _MOVES, ids):
        before = parts.moves[row.game_id]
        if row.number != len(before) + 1:
            parts.gapped.add(row.game_id)
        before.append(_fields(MoveRecord, row))
    for row in await _rows(connection, _HINTS, ids):
        parts.hints[row.game_id].append(_fields(HintRecord, row))
    if over:
        for row in await _rows(connection, _CHANGES, over):
            parts.changes[row.game_id].append(change_of(row))
        for row in await _rows(connection, _DUE, over):
            (parts.parked if row.attempts >= MAX_ATTEMPTS else parts.due).add(row.game_id)
    for game_id in voted:
        about = (THE_RESULT, len(parts.moves[game_id]) + 1)
        votes = select(VoteRow).where(VoteRow.game_id == game_id, VoteRow.number.in_(about))
        given = await connection.execute(votes.order_by(VoteRow.at, VoteRow.user_id))
        parts.votes[game_id] += (_fields(VoteRecord, row) for row in given)
    return [_record(game, parts) for game in games]


async def _rows(connection: AsyncConnection, query: _GameQuery, ids: list[int]) -> list[Any]:
    if len(ids) == 1:
        return await query.of_one.rows(connection, {"game": ids[0]})
    return list((await connection.execute(query.of_many, {"ids": ids})).all())


class _GameQuery:
    """A query for rows that belong to games; for a single game, the usual case, it is prepared."""

    def __init__(self, statement: Select[*tuple[Any, ...]], game_id: Any) -> None:
        ids = bindparam("ids", expanding=True, type_=Integer)
        self.of_many = statement.where(game_id.in_(ids))
        self.of_one = Prepared(statement.where(game_id == bindparam("game", type_=Integer)))


_MOVES = _GameQuery(select(MoveRow).order_by(MoveRow.number), MoveRow.game_id)

_HINTS = _GameQuery(select(HintRow).order_by(HintRow.at), HintRow.game_id)

_CHANGES = _GameQuery(select(RatingChangeRow), RatingChangeRow.game_id)

_DUE = _GameQuery(select(RatingDueRow.game_id, RatingDueRow.attempts), RatingDueRow.game_id)


@dataclass
class _Parts:
    """The data of games from other tables, by the id of the game."""

    moves: dict[int, list[MoveRecord]] = field(default_factory=lambda: defaultdict(list))
    hints: dict[int, list[HintRecord]] = field(default_factory=lambda: defaultdict(list))
    changes: dict[int, list[RatingChange]] = field(default_factory=lambda: defaultdict(list))
    due: set[int] = field(default_factory=set)
    parked: set[int] = field(default_factory=set)
    gapped: set[int] = field(default_factory=set)
    """Games with missing numbers among their moves."""
    votes: dict[int, list[VoteRecord]] = field(default_factory=lambda: defaultdict(list))


def _record(row: Any, parts: _Parts) -> GameRecord:
    first = SeatRecord(row.first_user, row.first_agent)
    second = SeatRecord(row.second_user, row.second_agent)
    return GameRecord(
        setup=setup_of(row, GameRow, first=first, second=second),
        moves=tuple(parts.moves[row.id]),
        hints=tuple(parts.hints[row.id]),
        end=_end(row),
        changes=tuple(parts.changes[row.id]),
        rating_due=row.id in parts.due,
        rating_failed=row.id in parts.parked,
        votes=tuple(parts.votes[row.id]),
        lacks_moves=row.id in parts.gapped,
        **{name: getattr(row, name) for name in _COLUMNS},
    )


_COLUMNS = frozenset(field.name for field in fields(GameRecord)) & frozenset(GAMES.columns.keys())
"""The fields of a game's record that are columns of the same name."""


def _fields(kind: type[Any], row: Any) -> Any:
    """A record whose fields are columns of the same names."""
    return kind(**{name: getattr(row, name) for name in kind.__dataclass_fields__})


def _end(row: Any) -> EndRecord | None:
    if row.finished_at is None:
        return None
    return EndRecord(Ending.read(row.ending), row.winner, row.finished_at)


def change_of(row: Any) -> RatingChange:
    """The change of a rating, from its row."""
    return RatingChange(
        user_id=row.user_id,
        before=_rating(row, "before", row.games_after - 1),
        after=_rating(row, "after", row.games_after),
        opponent=row.opponent,
    )


def _rating(row: Any, when: str, games: int) -> Rating:
    """The rating before or after a game."""
    columns = ("value", "deviation", "volatility", "shown")
    return Rating(**{name: getattr(row, f"{name}_{when}") for name in columns}, games=games)


async def add_moves(connection: AsyncConnection, game_id: int, moves: Sequence[MoveRecord]) -> None:
    """Store the first moves of a new game."""
    if moves:
        made = ({"number": number, **asdict(move)} for number, move in enumerate(moves, 1))
        await connection.execute(insert(MoveRow), [{"game_id": game_id, **one} for one in made])


async def add_tally(connection: AsyncConnection, game_id: int) -> None:
    """Store the sums over a game's moves, in the transaction that ends it."""
    await _tally_statement().change(connection, {"game": game_id})


@cache
def _tally_statement() -> Prepared:
    """The statement that stores the sums over a `game`'s moves, built once."""
    by_person = MoveRow.user_id.is_not(None)
    sums = (
        select(
            GameRow.id,
            func.count(MoveRow.number),
            total(case((by_person, 1), else_=0)),
            total(case((and_(by_person, MoveRow.hinted), 1), else_=0)),
            total(case((and_(~by_person, MoveRow.number.is_not(None)), 1), else_=0)),
            total(case((~by_person, MoveRow.nodes), else_=0)),
            total(case((~by_person, MoveRow.seconds), else_=0.0)),
        )
        .select_from(GameRow)
        .outerjoin(MoveRow, MoveRow.game_id == GameRow.id)
    )
    sums = sums.where(GameRow.id == bindparam("game")).group_by(GameRow.id)
    names = [column.name for column in GameFiguresRow.__table__.columns]
    return Prepared(insert(GameFiguresRow).from_select(names, sums))


def total(column: Any) -> ColumnElement[Any]:
    """The sum of a column, 0 over no rows."""
    summed = func.coalesce(func.sum(column), 0)
    # PostgreSQL's sums of large integers are decimals.
    return cast(summed, BigInteger) if isinstance(summed.type, Integer) else summed
