"""First tries at puzzles: each counts once, whatever is pressed twice and wherever."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.features.puzzles.store import DailyKey, PuzzleRecord, PuzzleTry, Solver, SolverBoard
from bot.store.records import Rating
from bot.store.store import Store
from tests.bot.features.privacy.erasing import people
from tests.bot.features.privacy.test_store import ANA, BEA, HERE, THERE, mentions

LADDER = "connect4-classic"
NEW = Rating(1000.0, 350.0, 0.06, 0)
TODAY = DailyKey("connect4", 20_000)


def up(known: PuzzleRecord | None, attempt: PuzzleTry) -> tuple[Rating, Rating]:
    """Ten points up for what was solved, ten down for what was not."""
    before = known.rating if known else NEW
    value = before.value + (10 if attempt.solved else -10)
    return before, replace(before, value=value, games=before.games + 1)


async def solve(store: Store, user: int, puzzle: str, at: float = 50.0, **given: Any) -> Any:
    """Settle a try, as solved unless told otherwise."""
    return await store.puzzles.settle(user, puzzle, at, up, **{"solved": True, **given})


async def test_only_the_first_try_counts(store: Store) -> None:
    """What came of it, how long it took and what it changed stay as they were."""
    await store.puzzles.begin(ANA, "AAAAAA", LADDER, 10.0)
    await store.puzzles.begin(ANA, "AAAAAA", LADDER, 20.0)
    first = await solve(store, ANA, "AAAAAA", 40.0, solved=False)
    second = await solve(store, ANA, "AAAAAA", 90.0)
    assert (first.counted, second.counted) == (True, False)
    kept = PuzzleTry(ANA, "AAAAAA", LADDER, 10.0, 90.0, 40.0, False, 1000.0, 990.0)
    assert second.attempt == kept
    assert kept.seconds == 30.0
    known = await store.puzzles.rating(ANA, LADDER)
    assert known == PuzzleRecord(ANA, LADDER, replace(NEW, value=990.0, games=1), 0, 40.0)


async def test_two_processes_rate_a_try_once(store: Store, address: str) -> None:
    """Whoever comes first; tries at other puzzles at the same time are all counted."""
    other = Store(address)
    await other.open()
    puzzles = [f"PPPPP{n}" for n in range(4)]
    try:
        begun = [one.puzzles.begin(ANA, p, LADDER, 1.0) for p in puzzles for one in (store, other)]
        await asyncio.gather(*begun)
        settled = [solve(one, ANA, p) for p in puzzles for one in (store, other)]
        counted = [found.counted for found in await asyncio.gather(*settled)]
    finally:
        await other.close()
    assert [counted[n] + counted[n + 1] for n in range(0, 8, 2)] == [1] * 4
    known = await store.puzzles.rating(ANA, LADDER)
    assert known is not None
    assert (known.rating.value, known.rating.games, known.solved) == (1040.0, 4, 4)


async def test_what_nobody_has_begun_is_not_settled(store: Store) -> None:
    """As after everything about a person has been deleted."""
    await store.puzzles.begin(ANA, "AAAAAA", LADDER, 10.0)
    await people(store).forget(ANA)
    assert await solve(store, ANA, "AAAAAA", daily=TODAY) is None
    assert not await mentions(store, ANA)


async def test_a_day_is_settled_once(store: Store) -> None:
    """A right answer after a wrong one makes nothing good, nor the other way round."""
    for day, first in ((1, False), (2, True)):
        await one_day(store, ANA, day, solved=first)
        await solve(store, ANA, f"D{day}", 60.0, solved=not first, daily=DailyKey("connect4", day))
        found = await store.puzzles.daily(ANA, DailyKey("connect4", day))
        assert found is not None
        assert (found.solved, found.settled_at) == (first, 50.0)


async def test_a_streak_is_of_days_in_a_row(store: Store) -> None:
    """Today may still be missing; a wrong try ends it, and so does a day left out."""
    for day, solved in ((1, True), (2, False), (3, True), (4, True), (6, True)):
        await one_day(store, ANA, day, solved=solved)
    streaks = [await store.puzzles.streak(ANA, DailyKey("connect4", day)) for day in range(1, 9)]
    assert streaks == [1, 1, 1, 2, 2, 1, 1, 0]
    assert await store.puzzles.streak(ANA, DailyKey("gato", 4)) == 0


async def test_the_board_of_a_server_has_who_began_there(store: Store) -> None:
    """The earliest first; who hides their statistics is counted and not named."""
    for number, (user, guild) in enumerate([(ANA, HERE), (BEA, THERE), (3, HERE), (4, HERE)]):
        await one_day(store, user, TODAY.day, guild, at=100.0 - number, solved=user != 4)
    await one_day(store, 3, TODAY.day - 1, HERE)
    board = await store.puzzles.board(HERE, TODAY)
    assert board == SolverBoard(3, 2, (Solver(3, 2), Solver(ANA, 1)))
    await store.players.set_private(3, True, 0.0)
    assert await store.puzzles.board(HERE, TODAY) == SolverBoard(3, 2, (Solver(ANA, 1),))
    assert await store.puzzles.board(THERE, DailyKey("gato", TODAY.day)) == SolverBoard(0, 0)


async def test_a_day_counts_for_the_first_server(store: Store) -> None:
    """Where it was begun in private, for the first one where it goes on."""
    for guild in (None, HERE, THERE):
        begun = await store.puzzles.begin_daily(ANA, TODAY, "AAAAAA", LADDER, 10.0, guild)
    assert begun.guild_id == HERE
    await solve(store, ANA, "AAAAAA", daily=TODAY)
    assert (await store.puzzles.board(HERE, TODAY)).solved == 1


async def test_puzzles_are_deleted_with_a_person(store: Store) -> None:
    """Tries, days and ratings; other people keep theirs."""
    for user in (ANA, BEA):
        await one_day(store, user, TODAY.day)
    record = await people(store).record(ANA)
    assert record is not None
    assert record.counts["puzzles"] == 1
    await people(store).forget(ANA)
    assert not await mentions(store, ANA)
    assert [len(found) for found in await store.puzzles.all_of(BEA)] == [1, 1]


@pytest.mark.parametrize("ladder", [LADDER, "gato"])
async def test_tries_come_in_the_order_of_their_last_use(store: Store, ladder: str) -> None:
    """Those of one ladder alone."""
    for number, puzzle in enumerate("ABC"):
        await store.puzzles.begin(ANA, puzzle, ladder, float(number))
    await store.puzzles.begin(ANA, "D", "boom", 9.0)
    await solve(store, ANA, "A", 10.0)
    assert [found.puzzle for found in await store.puzzles.tries(ANA, ladder)] == ["B", "C", "A"]


async def one_day(
    store: Store, user: int, day: int, guild: int = HERE, *, at: float = 50.0, solved: bool = True
) -> None:
    """Somebody tries the puzzle of a day."""
    key, puzzle = DailyKey("connect4", day), f"D{day}"
    await store.puzzles.begin_daily(user, key, puzzle, LADDER, 10.0, guild)
    await solve(store, user, puzzle, at, solved=solved, daily=key)
