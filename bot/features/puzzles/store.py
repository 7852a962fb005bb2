"""People's first tries at puzzles, and their ratings at them: tables and repository."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    ForeignKey,
    Index,
    Select,
    String,
    and_,
    delete,
    func,
    select,
    update,
)
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.database import Database
from bot.database.errors import retry_on_conflict
from bot.database.statements import Base, add_missing, change, lock, put, record
from bot.store.people import lock_person
from bot.store.records import Rating
from bot.store.rows import Step, Transaction
from bot.store.tables import PlayerRow

RETURNS = (86_400.0, 3 * 86_400.0, 7 * 86_400.0)
"""Seconds after which a failed puzzle returns, and returns again each time it was solved. A wrong
answer begins anew."""


class PuzzleRatingRow(Base):
    """The table of `PuzzleRecord`."""

    __tablename__ = "puzzle_ratings"

    user_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )
    ladder: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The game and size class, such as `connect4-classic`."""
    value: Mapped[float]
    deviation: Mapped[float]
    volatility: Mapped[float]
    surprise: Mapped[float]
    """The points by which the latest results were beyond expectation."""
    tries: Mapped[int]
    solved: Mapped[int]
    updated_at: Mapped[float]


class PuzzleTryRow(Base):
    """The table of `PuzzleTry`."""

    __tablename__ = "puzzle_tries"
    # By the person, newest first.
    __table_args__ = (Index("ix_puzzle_tries_person", "user_id", "ladder", "had_at"),)

    user_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )
    puzzle: Mapped[str] = mapped_column(String(16), primary_key=True)
    ladder: Mapped[str] = mapped_column(String(64))
    begun_at: Mapped[float]
    had_at: Mapped[float]
    settled_at: Mapped[float | None]
    solved: Mapped[bool | None]
    value_before: Mapped[float | None]
    value_after: Mapped[float | None]
    returns_at: Mapped[float | None]
    returned: Mapped[int] = mapped_column(server_default="0")


@dataclass(frozen=True, slots=True)
class PuzzleRecord:
    """A person's strength at the puzzles of one ladder, apart from games."""

    user_id: int
    ladder: str
    rating: Rating
    """Its `games` are the first tries."""
    solved: int
    """How many of them were right from the first move to the last."""
    updated_at: float


@dataclass(frozen=True, slots=True)
class PuzzleTry:
    """A person's first try at a puzzle: the only one that counts."""

    user_id: int
    puzzle: str
    ladder: str
    begun_at: float
    """The time at which it was first shown."""
    had_at: float
    """The time at which the person last worked on it."""
    settled_at: float | None
    """The time of the first wrong move or of the last right one; None until then."""
    solved: bool | None
    """Whether all moves were right."""
    value_before: float | None
    value_after: float | None
    """The person's rating at puzzles on the ladder."""
    returns_at: float | None = None
    """The time from which it is asked again; None if it is not."""
    returned: int = 0
    """How often it was solved since, each time after a longer pause."""

    def is_due(self, now: float) -> bool:
        """Whether it is to be asked again."""
        return self.returns_at is not None and self.returns_at <= now

    @property
    def seconds(self) -> float | None:
        """How long it took; None while it is open."""
        return None if self.settled_at is None else self.settled_at - self.begun_at


@dataclass(frozen=True, slots=True)
class Settled:
    """The outcome of a first try."""

    attempt: PuzzleTry
    counted: bool
    """Whether this settled it; False if it had been settled before."""


Rate = Callable[[PuzzleRecord | None, PuzzleTry], tuple[Rating, Rating]]
"""The rating before and after a try just settled, from the stored rating; a pure function."""


class Puzzles:
    """The repository of tries. Only a person's first try at a puzzle counts, and it counts once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def rating(self, user_id: int, ladder: str) -> PuzzleRecord | None:
        """A person's rating at puzzles; None before the first try."""
        found = await self._database.fetch(_rating_query(user_id, ladder))
        return _rating_of(found[0]) if found else None

    async def attempt(self, user_id: int, puzzle: str) -> PuzzleTry | None:
        """A person's first try at a puzzle; None if they have not been given it."""
        found = await self._database.fetch(_try_query(user_id, puzzle))
        return record(PuzzleTry, found[0]) if found else None

    async def all_of(self, user_id: int) -> tuple[PuzzleTry, ...]:
        """All tries of a person, oldest first."""
        theirs = select(PuzzleTryRow).where(PuzzleTryRow.user_id == user_id)
        rows = await self._database.fetch(theirs.order_by(PuzzleTryRow.begun_at))
        return tuple(record(PuzzleTry, row) for row in rows)

    async def tries(self, user_id: int, ladder: str) -> tuple[PuzzleTry, ...]:
        """A person's tries on a ladder, in the order in which they last had the puzzles."""
        rows = await self._database.fetch(tries_query(user_id, ladder))
        return tuple(record(PuzzleTry, row) for row in rows)

    @retry_on_conflict
    async def begin(self, user_id: int, puzzle: str, ladder: str, at: float) -> PuzzleTry:
        """Give a person a puzzle: their first try begins now, unless it has begun before."""
        async with self._database.writing() as connection:
            await lock_person(connection, user_id, at)
            return await begin_try(connection, user_id, puzzle, ladder, at)

    @retry_on_conflict
    async def settle(
        self,
        user_id: int,
        puzzle: str,
        at: float,
        rate: Rate,
        *,
        solved: bool,
        also: Step | None = None,
    ) -> Settled | None:
        """Settle a person's first try, and rate it; a try that was settled before stays as it is.

        `also` is a further step of the same transaction, which runs whether or not the try counts.
        Returns None if there is no try, as after everything was deleted.
        """
        async with self._database.writing() as connection:
            await lock(connection, PlayerRow.id, (user_id,))
            counted = await _settle(connection, user_id, puzzle, solved, at, rate)
            if also is not None:
                await also(connection)
            found = (await connection.execute(_try_query(user_id, puzzle))).one_or_none()
            return None if found is None else Settled(record(PuzzleTry, found), counted)


async def begin_try(
    connection: Transaction, user_id: int, puzzle: str, ladder: str, at: float
) -> PuzzleTry:
    """Begin a person's first try at a puzzle, unless it has begun before."""
    begun = {"user_id": user_id, "puzzle": puzzle, "ladder": ladder}
    await add_missing(connection, PuzzleTryRow, {**begun, "begun_at": at, "had_at": at})
    return record(PuzzleTry, (await connection.execute(_try_query(user_id, puzzle))).one())


async def count_tries(connection: Transaction, user_id: int) -> Mapping[str, int]:
    """How many puzzles a person has been given."""
    theirs = PuzzleTryRow.user_id == user_id
    counted: Select[int] = select(func.count()).select_from(PuzzleTryRow).where(theirs)
    return {"stored.puzzles": int((await connection.execute(counted)).scalar_one())}


async def delete_tries(connection: Transaction, user_id: int) -> None:
    """Delete a person's tries and ratings."""
    for table in (PuzzleTryRow, PuzzleRatingRow):
        await connection.execute(delete(table).where(table.user_id == user_id))


def tries_query(user_id: int, ladder: str) -> Select[Any]:
    """A person's tries on a ladder, those that they had longest ago first."""
    theirs = and_(PuzzleTryRow.user_id == user_id, PuzzleTryRow.ladder == ladder)
    return select(PuzzleTryRow).where(theirs).order_by(PuzzleTryRow.had_at)


async def _settle(
    connection: Transaction, user_id: int, puzzle: str, solved: bool, at: float, rate: Rate
) -> bool:
    """Settle a person's first try and rate it; False if that has been done."""
    had = update(PuzzleTryRow).where(_is_try(user_id, puzzle)).values(had_at=at)
    await connection.execute(had)
    is_open = and_(_is_try(user_id, puzzle), PuzzleTryRow.settled_at.is_(None))
    returns_at = None if solved else at + RETURNS[0]
    settled = update(PuzzleTryRow).where(is_open)
    values = {"settled_at": at, "solved": solved, "returns_at": returns_at}
    if not await change(connection, settled.values(values)):
        await _return(connection, user_id, puzzle, solved, at)
        return False
    attempt = record(PuzzleTry, (await connection.execute(_try_query(user_id, puzzle))).one())
    found = (await connection.execute(_rating_query(user_id, attempt.ladder))).one_or_none()
    known = None if found is None else _rating_of(found)
    before, after = rate(known, attempt)
    rated = {"value_before": before.value, "value_after": after.value}
    await connection.execute(update(PuzzleTryRow).where(_is_try(user_id, puzzle)).values(rated))
    rating = {
        "value": after.value,
        "deviation": after.deviation,
        "volatility": after.volatility,
        "surprise": after.surprise,
        "tries": after.games,
        "solved": (known.solved if known else 0) + solved,
        "updated_at": at,
    }
    key = {"user_id": user_id, "ladder": attempt.ladder}
    await put(connection, PuzzleRatingRow, key, rating)
    return True


async def _return(
    connection: Transaction, user_id: int, puzzle: str, solved: bool, at: float
) -> None:
    """Record the first answer to a puzzle that has returned; later answers change nothing."""
    found = (await connection.execute(_try_query(user_id, puzzle))).one_or_none()
    if found is None or not record(PuzzleTry, found).is_due(at):
        return
    returned = found.returned + 1 if solved else 0
    returns_at = at + RETURNS[returned] if returned < len(RETURNS) else None
    again = update(PuzzleTryRow).where(_is_try(user_id, puzzle))
    await connection.execute(again.values(returns_at=returns_at, returned=returned))


def _try_query(user_id: int, puzzle: str) -> Select[Any]:
    return select(PuzzleTryRow).where(_is_try(user_id, puzzle))


def _is_try(user_id: int, puzzle: str) -> ColumnElement[bool]:
    return and_(PuzzleTryRow.user_id == user_id, PuzzleTryRow.puzzle == puzzle)


def _rating_query(user_id: int, ladder: str) -> Select[Any]:
    theirs = and_(PuzzleRatingRow.user_id == user_id, PuzzleRatingRow.ladder == ladder)
    return select(PuzzleRatingRow).where(theirs)


def _rating_of(row: Any) -> PuzzleRecord:
    rating = Rating(row.value, row.deviation, row.volatility, row.tries, row.surprise)
    return PuzzleRecord(row.user_id, row.ladder, rating, row.solved, row.updated_at)
