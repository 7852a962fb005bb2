"""People's tries at puzzles, and how strong they are at them."""

from __future__ import annotations

from sqlalchemy import Select, and_, select, update

from bot.store import puzzle_rows
from bot.store.collisions import again
from bot.store.database import Database, add_missing
from bot.store.models import PlayerRow
from bot.store.puzzle_models import DailyTryRow, PuzzleRatingRow, PuzzleTryRow
from bot.store.puzzle_records import (
    DailyKey,
    DailyTry,
    PuzzleRecord,
    PuzzleTry,
    Rate,
    Settled,
    Solver,
    SolverBoard,
    streak,
)

MOST_NAMED = 10
"""How many solvers of a day are named."""


class Puzzles:
    """Of each person and puzzle only the first try counts, and counts once."""

    def __init__(self, database: Database) -> None:
        """Keep tries in `database`."""
        self._database = database

    async def rating(self, user_id: int, ladder: str) -> PuzzleRecord | None:
        """A person's rating at puzzles; None before the first one was tried."""
        found = await self._database.fetch(puzzle_rows.rating_query(user_id, ladder))
        return puzzle_rows.record(found[0]) if found else None

    async def ratings(self, user_id: int) -> tuple[PuzzleRecord, ...]:
        """All of a person's ratings at puzzles, by the name of the ladder."""
        theirs = select(PuzzleRatingRow).where(PuzzleRatingRow.user_id == user_id)
        rows = await self._database.fetch(theirs.order_by(PuzzleRatingRow.ladder))
        return tuple(puzzle_rows.record(row) for row in rows)

    async def attempt(self, user_id: int, puzzle: str) -> PuzzleTry | None:
        """A person's first try at a puzzle; None if they have not been given it."""
        found = await self._database.fetch(puzzle_rows.try_query(user_id, puzzle))
        return puzzle_rows.try_of(found[0]) if found else None

    async def daily(self, user_id: int, key: DailyKey) -> DailyTry | None:
        """A person's first try at a puzzle of the day; None if there is none."""
        found = await self._database.fetch(puzzle_rows.daily_query(user_id, key))
        return puzzle_rows.daily_of(found[0]) if found else None

    async def all_of(self, user_id: int) -> tuple[tuple[PuzzleTry, ...], tuple[DailyTry, ...]]:
        """All tries of a person, at puzzles and at puzzles of the day, oldest first."""
        tries = select(PuzzleTryRow).where(PuzzleTryRow.user_id == user_id)
        daily = select(DailyTryRow).where(DailyTryRow.user_id == user_id)
        rows = await self._database.fetch(tries.order_by(PuzzleTryRow.begun_at))
        days = await self._database.fetch(daily.order_by(DailyTryRow.day, DailyTryRow.family))
        return tuple(map(puzzle_rows.try_of, rows)), tuple(map(puzzle_rows.daily_of, days))

    async def tries(self, user_id: int, ladder: str) -> tuple[PuzzleTry, ...]:
        """A person's tries on a ladder, in the order in which they last had the puzzles."""
        rows = await self._database.fetch(puzzle_rows.tries_query(user_id, ladder))
        return tuple(puzzle_rows.try_of(row) for row in rows)

    @again
    async def begin(self, user_id: int, puzzle: str, ladder: str, at: float) -> PuzzleTry:
        """Give a person a puzzle: their first try begins now, unless it has before."""
        async with self._database.writing() as connection:
            await puzzle_rows.hold(connection, user_id, at)
            return await puzzle_rows.begin(connection, user_id, puzzle, ladder, at)

    @again
    async def begin_daily(
        self,
        user_id: int,
        key: DailyKey,
        puzzle: str,
        ladder: str,
        at: float,
        guild_id: int | None = None,
    ) -> DailyTry:
        """Give a person the puzzle of a day; it counts for the server on which it is begun."""
        async with self._database.writing() as connection:
            await puzzle_rows.hold(connection, user_id, at)
            await puzzle_rows.begin(connection, user_id, puzzle, ladder, at)
            begun = {"user_id": user_id, "family": key.family, "day": key.day}
            values = {**begun, "puzzle": puzzle, "guild_id": guild_id, "begun_at": at}
            await add_missing(connection, DailyTryRow, values)
            query = puzzle_rows.daily_query(user_id, key)
            found = puzzle_rows.daily_of((await connection.execute(query)).one())
            if found.guild_id is None and found.settled_at is None and guild_id is not None:
                theirs = [getattr(DailyTryRow, name) == value for name, value in begun.items()]
                here = update(DailyTryRow).where(and_(*theirs)).values(guild_id=guild_id)
                await connection.execute(here)
            return found

    @again
    async def settle(
        self,
        user_id: int,
        puzzle: str,
        at: float,
        rate: Rate,
        *,
        solved: bool,
        daily: DailyKey | None = None,
    ) -> Settled | None:
        """Settle a person's first try, and rate it; what was settled before stays as it is.

        Args:
            user_id: Whose try.
            puzzle: At which puzzle.
            at: Now.
            rate: Says what it changes.
            solved: Whether all was found without a wrong move.
            daily: The day of which it is the puzzle, if it counts for that.

        Returns None where nothing is known of a try, as after everything was deleted.
        """
        async with self._database.writing() as connection:
            await puzzle_rows.hold_known(connection, user_id)
            counted = await puzzle_rows.settle(connection, user_id, puzzle, solved, at, rate)
            if daily is not None:
                await puzzle_rows.settle_daily(connection, user_id, daily, solved, at)
            query = puzzle_rows.try_query(user_id, puzzle)
            found = await puzzle_rows.tries(connection, query)
            return Settled(found[0], counted) if found else None

    async def streak(self, user_id: int, key: DailyKey) -> int:
        """On how many days in a row a person has solved the puzzle of the day, up to this one.

        The day itself is left out while they have not solved it: it is not over.
        """
        days = (await self._days_of([user_id], key)).get(user_id, set())
        return streak(days, key.day if key.day in days else key.day - 1)

    async def board(self, guild_id: int, key: DailyKey) -> SolverBoard:
        """Who of a server has tried the puzzle of a day, the earliest solvers first."""
        rows = await self._database.fetch(board_query(guild_id, key))
        solved = [row for row in rows if row.solved]
        known = [row.user_id for row in solved if not row.private]
        named = known[:MOST_NAMED]
        days = await self._days_of(named, key)
        first = tuple(Solver(user, streak(days[user], key.day)) for user in named)
        return SolverBoard(len(rows), len(solved), first, more=len(known) > len(named))

    @again
    async def outdate(self, user_id: int) -> None:
        """Have the messages edited that may name a person."""
        async with self._database.writing() as connection:
            await puzzle_rows.outdate(connection, DailyTryRow.user_id == user_id)

    async def _days_of(self, people: list[int], key: DailyKey) -> dict[int, set[int]]:
        """The days up to one on which people solved the puzzle of the day."""
        found: dict[int, set[int]] = {}
        for row in await self._database.fetch(days_query(people, key)) if people else ():
            found.setdefault(row.user_id, set()).add(row.day)
        return found


def board_query(guild_id: int, key: DailyKey) -> Select[int, bool | None, bool]:
    """Settled tries at a server's puzzle of the day, the earliest first."""
    here = and_(
        DailyTryRow.guild_id == guild_id,
        DailyTryRow.day == key.day,
        DailyTryRow.family == key.family,
        DailyTryRow.settled_at.is_not(None),
    )
    columns = select(DailyTryRow.user_id, DailyTryRow.solved, PlayerRow.private)
    people = columns.join(PlayerRow, PlayerRow.id == DailyTryRow.user_id)
    return people.where(here).order_by(DailyTryRow.settled_at, DailyTryRow.user_id)


def days_query(people: list[int], key: DailyKey) -> Select[int, int]:
    """The days up to one on which people solved the puzzle of the day."""
    return select(DailyTryRow.user_id, DailyTryRow.day).where(
        DailyTryRow.user_id.in_(people),
        DailyTryRow.family == key.family,
        DailyTryRow.day <= key.day,
        DailyTryRow.solved.is_(True),
    )
