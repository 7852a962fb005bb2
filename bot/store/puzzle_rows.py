"""Reading and writing the rows of puzzles, inside a caller's transaction."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.database import add_missing, change, lock, put
from bot.store.models import PlayerRow
from bot.store.players import enter
from bot.store.puzzle_models import DailyPostRow, DailyTryRow, PuzzleRatingRow, PuzzleTryRow
from bot.store.puzzle_records import (
    DailyKey,
    DailyPost,
    DailyTry,
    PuzzleRecord,
    PuzzleTry,
    Rate,
)
from bot.store.rating_records import Rating

LATEST = 30
"""How many of a person's latest tries messages may still show."""
_TRY = (
    "user_id",
    "puzzle",
    "ladder",
    "begun_at",
    "had_at",
    "settled_at",
    "solved",
    "value_before",
    "value_after",
)


async def hold(connection: AsyncConnection, user_id: int, at: float) -> None:
    """Enter a person, and keep others from changing what is theirs until this is stored."""
    await enter(connection, (user_id,), at)
    await hold_known(connection, user_id)


async def hold_known(connection: AsyncConnection, user_id: int) -> None:
    """Keep others from changing what is a person's until this is stored."""
    await lock(connection, PlayerRow.id, (user_id,))


async def begin(
    connection: AsyncConnection, user_id: int, puzzle: str, ladder: str, at: float
) -> PuzzleTry:
    """Begin a person's first try at a puzzle, unless it has begun before."""
    begun = {"user_id": user_id, "puzzle": puzzle, "ladder": ladder}
    await add_missing(connection, PuzzleTryRow, {**begun, "begun_at": at, "had_at": at})
    return (await tries(connection, try_query(user_id, puzzle)))[0]


async def settle(
    connection: AsyncConnection, user_id: int, puzzle: str, solved: bool, at: float, rate: Rate
) -> bool:
    """Settle a person's first try and rate it; False if that has been done."""
    had = update(PuzzleTryRow).where(_is_try(user_id, puzzle)).values(had_at=at)
    await connection.execute(had)
    is_open = and_(_is_try(user_id, puzzle), PuzzleTryRow.settled_at.is_(None))
    settled = update(PuzzleTryRow).where(is_open).values(settled_at=at, solved=solved)
    if not await change(connection, settled):
        return False
    (attempt,) = await tries(connection, try_query(user_id, puzzle))
    found = (await connection.execute(rating_query(user_id, attempt.ladder))).one_or_none()
    known = None if found is None else record(found)
    before, after = rate(known, attempt)
    values = {"value_before": before.value, "value_after": after.value}
    await connection.execute(update(PuzzleTryRow).where(_is_try(user_id, puzzle)).values(values))
    count = (known.solved if known else 0) + solved
    key = {"user_id": user_id, "ladder": attempt.ladder}
    await put(connection, PuzzleRatingRow, key, _rating_values(after, count, at))
    return True


async def settle_daily(
    connection: AsyncConnection, user_id: int, key: DailyKey, solved: bool, at: float
) -> None:
    """Settle a person's first try at a puzzle of the day; their server's message is outdated."""
    is_open = and_(_is_daily(user_id, key), DailyTryRow.settled_at.is_(None))
    settled = update(DailyTryRow).where(is_open).values(settled_at=at, solved=solved)
    if await change(connection, settled):
        await outdate(connection, _is_daily(user_id, key))


async def outdate(connection: AsyncConnection, which: ColumnElement[bool]) -> None:
    """Have the latest messages edited that show these tries at puzzles of the day."""
    columns = select(DailyTryRow.guild_id, DailyTryRow.day, DailyTryRow.family)
    latest = columns.where(which, DailyTryRow.guild_id.is_not(None))
    found = await connection.execute(latest.order_by(DailyTryRow.day.desc()).limit(LATEST))
    keys = [tuple(row) for row in found]
    if keys:
        posts = tuple_(DailyPostRow.guild_id, DailyPostRow.day, DailyPostRow.family)
        shown = update(DailyPostRow).where(posts.in_(keys))
        await connection.execute(shown.values(state=DailyPostRow.state + 1))


async def tries(connection: AsyncConnection, statement: Select[Any]) -> list[PuzzleTry]:
    """The tries that a query finds."""
    return [try_of(row) for row in await connection.execute(statement)]


def try_query(user_id: int, puzzle: str) -> Select[Any]:
    """A person's first try at a puzzle."""
    return select(PuzzleTryRow).where(_is_try(user_id, puzzle))


def tries_query(user_id: int, ladder: str) -> Select[Any]:
    """A person's tries on a ladder, those that they had longest ago first."""
    theirs = and_(PuzzleTryRow.user_id == user_id, PuzzleTryRow.ladder == ladder)
    return select(PuzzleTryRow).where(theirs).order_by(PuzzleTryRow.had_at)


def rating_query(user_id: int, ladder: str) -> Select[Any]:
    """A person's rating at the puzzles of a ladder."""
    theirs = and_(PuzzleRatingRow.user_id == user_id, PuzzleRatingRow.ladder == ladder)
    return select(PuzzleRatingRow).where(theirs)


def daily_query(user_id: int, key: DailyKey) -> Select[Any]:
    """A person's first try at a puzzle of the day."""
    return select(DailyTryRow).where(_is_daily(user_id, key))


def try_of(row: Any) -> PuzzleTry:
    """A try from its row."""
    return PuzzleTry(**{name: getattr(row, name) for name in _TRY})


def record(row: Any) -> PuzzleRecord:
    """A person's rating at puzzles from its row."""
    rating = Rating(row.value, row.deviation, row.volatility, row.tries, row.surprise)
    return PuzzleRecord(row.user_id, row.ladder, rating, row.solved, row.updated_at)


def daily_of(row: Any) -> DailyTry:
    """A try at a puzzle of the day from its row."""
    key = DailyKey(row.family, row.day)
    return DailyTry(
        row.user_id, key, row.puzzle, row.guild_id, row.begun_at, row.settled_at, row.solved
    )


def post_of(row: Any) -> DailyPost:
    """A server's message from its row."""
    return DailyPost(
        guild_id=row.guild_id,
        key=DailyKey(row.family, row.day),
        puzzle=row.puzzle,
        channel_id=row.channel_id,
        locale=row.locale,
        message_id=row.message_id,
        sent_at=row.sent_at,
        state=row.state,
    )


def _rating_values(rating: Rating, solved: int, at: float) -> dict[str, Any]:
    return {
        "value": rating.value,
        "deviation": rating.deviation,
        "volatility": rating.volatility,
        "surprise": rating.surprise,
        "tries": rating.games,
        "solved": solved,
        "updated_at": at,
    }


def _is_try(user_id: int, puzzle: str) -> ColumnElement[bool]:
    return and_(PuzzleTryRow.user_id == user_id, PuzzleTryRow.puzzle == puzzle)


def _is_daily(user_id: int, key: DailyKey) -> ColumnElement[bool]:
    return and_(
        DailyTryRow.user_id == user_id,
        DailyTryRow.family == key.family,
        DailyTryRow.day == key.day,
    )
