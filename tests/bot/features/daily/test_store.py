"""First tries at daily puzzles: each counts once, for its day and one server."""

from __future__ import annotations

from functools import partial

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.features.daily.rules import SolverBoard, Streak, daily_files, solver_board, streak
from bot.features.daily.store import (
    DailyKey,
    DailyPosts,
    DailyTries,
    board_query,
    days_query,
    delete_tries,
    settle_daily,
)
from bot.features.puzzles.store import Puzzles
from bot.store.store import Store
from tests.bot.databases import Conflict, plan
from tests.bot.features.daily.days import (
    ANA,
    BEA,
    CHANNEL,
    HERE,
    LADDER,
    NOON,
    THERE,
    TODAY,
    one_day,
)
from tests.bot.features.puzzles.test_store import solve

pytestmark = pytest.mark.databases


@pytest.fixture
def tries(store: Store) -> DailyTries:
    """The repository."""
    return DailyTries(store.database)


async def test_a_day_is_settled_once(store: Store, tries: DailyTries) -> None:
    """The first answer of a day settles it; a later right or wrong one changes nothing."""
    for day, first in ((1, False), (2, True)):
        await one_day(store, ANA, day, solved=first)
        key = DailyKey("connect4", day)
        also = partial(settle_daily, user_id=ANA, key=key, solved=not first, at=60.0)
        await solve(Puzzles(store.database), ANA, f"D{day}", 60.0, solved=not first, also=also)
        found = await tries.find(ANA, key)
        assert found is not None
        assert (found.solved, found.settled_at) == (first, 50.0)


async def test_a_day_is_settled_again_after_a_conflict(store: Store, tries: DailyTries) -> None:
    """After a conflict the step runs again, and try, rating and server message change only once."""
    puzzles, posts, conflict = Puzzles(store.database), DailyPosts(store.database), Conflict()
    await posts.subscribe(CHANNEL)
    (post,) = await posts.claim_unsent(NOON, 8)
    await posts.posted(post, 9_990_001, NOON.at)
    await tries.begin(ANA, TODAY, "AAAAAA", LADDER, 10.0, HERE)

    async def step(connection: AsyncConnection) -> None:
        await settle_daily(connection, user_id=ANA, key=TODAY, solved=True, at=50.0)
        await conflict(connection)

    settled = await solve(puzzles, ANA, "AAAAAA", also=step)
    assert (conflict.runs, settled.counted) == (2, True)
    found, known = await tries.find(ANA, TODAY), await puzzles.rating(ANA, LADDER)
    assert found is not None
    assert known is not None
    assert (found.solved, found.settled_at) == (True, 50.0)
    assert (known.rating.value, known.rating.games, known.solved) == (1010.0, 1, 1)
    (outdated,) = await posts.claim_outdated(NOON, 8)
    assert outdated.state == post.state + 1


async def test_a_streak_is_of_days_in_a_row(store: Store, tries: DailyTries) -> None:
    """A streak counts solved days; today may be open, a second missed day of a week ends it."""
    # Day 4 is a Monday.
    for day, solved in ((4, True), (5, False), (6, True), (7, True), (9, True)):
        await one_day(store, ANA, day, solved=solved)
    found = [await streak(tries, ANA, DailyKey("connect4", day)) for day in range(4, 12)]
    assert [one.length for one in found] == [1, 1, 2, 3, 3, 1, 1, 0]
    over = await streak(tries, ANA, DailyKey("connect4", 8), is_over=True)
    assert (over.length, over.best, over.rested) == (0, 3, 5)
    assert await streak(tries, ANA, DailyKey("gato", 7)) == Streak()


async def test_the_board_of_a_server_lists_its_solvers(store: Store, tries: DailyTries) -> None:
    """A server's board names people who began there, earliest first.

    Hidden ones are only counted.
    """
    for number, (user, guild) in enumerate([(ANA, HERE), (BEA, THERE), (3, HERE), (4, HERE)]):
        await one_day(store, user, TODAY.day, guild, at=100.0 - number, solved=user != 4)
    await one_day(store, 3, TODAY.day - 1, HERE)
    assert await solver_board(tries, HERE, TODAY) == SolverBoard(3, 2, ((3, 2), (ANA, 1)))
    await store.players.set(3, 0.0, private=True)
    assert await solver_board(tries, HERE, TODAY) == SolverBoard(3, 2, ((ANA, 1),))
    assert await solver_board(tries, THERE, DailyKey("gato", TODAY.day)) == SolverBoard(0, 0)


async def test_a_day_counts_for_the_first_server(store: Store, tries: DailyTries) -> None:
    """A day counts for the server where it was begun, or for the first one if begun in private."""
    for guild in (None, HERE, THERE):
        await tries.begin(ANA, TODAY, "AAAAAA", LADDER, 10.0, guild)
    found = await tries.find(ANA, TODAY)
    assert found is not None
    assert found.guild_id == HERE
    also = partial(settle_daily, user_id=ANA, key=TODAY, solved=True, at=50.0)
    await solve(Puzzles(store.database), ANA, "AAAAAA", also=also)
    assert (await solver_board(tries, HERE, TODAY)).solved == 1


async def test_days_are_exported_and_deleted_with_a_person(store: Store, tries: DailyTries) -> None:
    """A person's days are exported and deleted with them; a person without any gets no file."""
    puzzles = Puzzles(store.database)
    assert await daily_files(tries, puzzles, ANA) == {}
    for user in (ANA, BEA):
        await one_day(store, user, 20_000, at=72.5, solved=False)
    files = await daily_files(tries, puzzles, ANA)
    assert files["days.csv"].splitlines() == [
        "date,family,puzzle,begun,settled,solved,wrong,done",
        "2024-10-04,connect4,D20000,1970-01-01T00:00:10+00:00,1970-01-01T00:01:12+00:00,False,,",
    ]
    async with store.database.writing() as connection:
        await delete_tries(connection, ANA)
    assert (await tries.all_of(ANA), len(await tries.all_of(BEA))) == ((), 1)


@pytest.mark.sqlite
async def test_indexes_find_tries(store: Store) -> None:
    """No query on tries reads a whole table."""
    async with store.database.writing() as connection:
        solvers = await plan(connection, board_query(HERE, TODAY))
        days = await plan(connection, days_query([ANA, BEA], TODAY))
    assert any("ix_daily_tries_guild" in step for step in solvers)
    assert any("sqlite_autoindex_daily_tries_1" in step for step in days)
