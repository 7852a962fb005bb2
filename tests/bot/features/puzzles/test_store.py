"""First tries at puzzles count once, also after repeated presses and in several processes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.database import NoteRow
from bot.features.puzzles.rules import puzzle_files
from bot.features.puzzles.store import (
    RETURNS,
    PuzzleRecord,
    Puzzles,
    PuzzleTry,
    count_tries,
    delete_tries,
    tries_query,
)
from bot.store.records import Rating
from bot.store.store import Store
from tests.bot.databases import Conflict, plan

pytestmark = pytest.mark.databases

ANA, BEA = 5_550_001, 5_550_002
LADDER = "connect4-classic"
NEW = Rating(1000.0, 350.0, 0.06, 0)


def up(known: PuzzleRecord | None, attempt: PuzzleTry) -> tuple[Rating, Rating]:
    """A rating rule: ten points up for a solved puzzle, ten down for a failed one."""
    before = known.rating if known else NEW
    value = before.value + (10 if attempt.solved else -10)
    return before, replace(before, value=value, games=before.games + 1)


async def solve(puzzles: Puzzles, user: int, puzzle: str, at: float = 50.0, **given: Any) -> Any:
    """Settle a try, as solved by default."""
    return await puzzles.settle(user, puzzle, at, up, **{"solved": True, **given})


@pytest.fixture
def puzzles(store: Store) -> Puzzles:
    """The repository."""
    return Puzzles(store.database)


async def test_only_the_first_try_counts(puzzles: Puzzles) -> None:
    """Only the first try counts: its result, time and rating change stay as they were."""
    await puzzles.begin(ANA, "AAAAAA", LADDER, 10.0)
    await puzzles.begin(ANA, "AAAAAA", LADDER, 20.0)
    first = await solve(puzzles, ANA, "AAAAAA", 40.0, solved=False)
    second = await solve(puzzles, ANA, "AAAAAA", 90.0)
    assert (first.counted, second.counted) == (True, False)
    kept = PuzzleTry(
        ANA, "AAAAAA", LADDER, 10.0, 90.0, 40.0, False, 1000.0, 990.0, 40.0 + RETURNS[0]
    )
    assert second.attempt == kept
    assert kept.seconds == 30.0
    known = await puzzles.rating(ANA, LADDER)
    assert known == PuzzleRecord(ANA, LADDER, replace(NEW, value=990.0, games=1), 0, 40.0)


async def test_failed_puzzles_return_after_one_three_and_seven_days(puzzles: Puzzles) -> None:
    """A failed puzzle returns after a day, when solved then after three more, and after seven."""
    await puzzles.begin(ANA, "AAAAAA", LADDER, 0.0)
    await puzzles.begin(ANA, "BBBBBB", LADDER, 0.0)
    assert (await solve(puzzles, ANA, "BBBBBB", 5.0)).attempt.returns_at is None
    at, after = 10.0, (await solve(puzzles, ANA, "AAAAAA", 10.0, solved=False)).attempt
    for number, pause in enumerate(RETURNS):
        assert (after.returned, after.returns_at) == (number, at + pause)
        # Answers before it is due change nothing.
        early = (await solve(puzzles, ANA, "AAAAAA", at + pause - 1.0)).attempt
        assert (early.returned, early.returns_at) == (number, at + pause)
        at += pause
        after = (await solve(puzzles, ANA, "AAAAAA", at)).attempt
    assert (after.returned, after.returns_at, after.solved) == (3, None, False)


async def test_a_puzzle_that_returns_and_is_failed_begins_anew(puzzles: Puzzles) -> None:
    """A puzzle that is failed again when it returns comes back after a day."""
    await puzzles.begin(ANA, "AAAAAA", LADDER, 0.0)
    await solve(puzzles, ANA, "AAAAAA", 0.0, solved=False)
    second = (await solve(puzzles, ANA, "AAAAAA", RETURNS[0])).attempt
    third = await solve(puzzles, ANA, "AAAAAA", second.returns_at, solved=False)
    assert third.attempt.returns_at == second.returns_at + RETURNS[0]
    assert (third.attempt.returned, third.counted) == (0, False)


async def test_two_processes_rate_a_try_once(store: Store, address: str) -> None:
    """Of two processes one rates a try; simultaneous tries at other puzzles are all counted."""
    other = Store(address)
    await other.open()
    both = [Puzzles(one.database) for one in (store, other)]
    names = [f"PPPPP{n}" for n in range(4)]
    try:
        await asyncio.gather(*(one.begin(ANA, name, LADDER, 1.0) for name in names for one in both))
        settled = [solve(one, ANA, name) for name in names for one in both]
        counted = [found.counted for found in await asyncio.gather(*settled)]
    finally:
        await other.close()
    assert [counted[n] + counted[n + 1] for n in range(0, 8, 2)] == [1] * 4
    known = await both[0].rating(ANA, LADDER)
    assert known is not None
    assert (known.rating.value, known.rating.games, known.solved) == (1040.0, 4, 4)


async def test_a_try_is_settled_again_with_its_step(puzzles: Puzzles) -> None:
    """After a conflict the try, its rating and the step are stored only once."""
    conflict = Conflict()

    async def step(connection: AsyncConnection) -> None:
        await connection.execute(insert(NoteRow).values(name="settled", text=""))
        await conflict(connection)

    await puzzles.begin(ANA, "AAAAAA", LADDER, 10.0)
    found = await solve(puzzles, ANA, "AAAAAA", also=step)
    assert (conflict.runs, found.counted) == (2, True)
    known = await puzzles.rating(ANA, LADDER)
    assert known is not None
    assert (known.rating.value, known.rating.games, known.solved) == (1010.0, 1, 1)


async def test_unopened_puzzles_are_not_settled(puzzles: Puzzles) -> None:
    """A try that was never begun, as after a deletion, is not settled."""
    assert await solve(puzzles, ANA, "AAAAAA") is None
    assert await puzzles.all_of(ANA) == ()
    assert await puzzles.rating(ANA, LADDER) is None


async def test_a_person_sees_and_deletes_their_tries(store: Store, puzzles: Puzzles) -> None:
    """A person can see and delete their tries and ratings; other people keep theirs."""
    for user in (ANA, BEA):
        await puzzles.begin(user, "AAAAAA", LADDER, 10.0)
        await solve(puzzles, user, "AAAAAA")
    async with store.database.writing() as connection:
        assert await count_tries(connection, ANA) == {"stored.puzzles": 1}
        await delete_tries(connection, ANA)
        assert await count_tries(connection, ANA) == {"stored.puzzles": 0}
    assert await puzzles.rating(ANA, LADDER) is None
    assert await puzzle_files(puzzles, ANA) == {}
    assert len(await puzzles.all_of(BEA)) == 1
    assert await puzzles.rating(BEA, LADDER) is not None


async def test_the_export_has_a_line_for_each_try(puzzles: Puzzles) -> None:
    """The export has a line for each try, with time and rating change once it is settled."""
    await puzzles.begin(ANA, "AAAAAA", "gato", 60.0)
    await puzzles.settle(
        ANA,
        "AAAAAA",
        72.5,
        lambda _known, _attempt: (replace(NEW, value=1000.04), replace(NEW, value=1093.26)),
        solved=True,
    )
    await puzzles.begin(ANA, "BBBBBB", "gato", 100.0)
    files = await puzzle_files(puzzles, ANA)
    assert files["puzzles.csv"].splitlines() == [
        "puzzle,size_class,begun,settled,seconds,solved,rating_before,rating_after,returns",
        "AAAAAA,gato,1970-01-01T00:01:00+00:00,1970-01-01T00:01:12+00:00,12.5,True,1000.0,1093.3,",
        "BBBBBB,gato,1970-01-01T00:01:40+00:00,,,,,,",
    ]


@pytest.mark.parametrize("ladder", [LADDER, "gato"])
async def test_tries_come_in_the_order_of_their_last_use(puzzles: Puzzles, ladder: str) -> None:
    """Tries of one ladder come in the order of their last use."""
    for number, puzzle in enumerate("ABC"):
        await puzzles.begin(ANA, puzzle, ladder, float(number))
    await puzzles.begin(ANA, "D", "boom", 9.0)
    await solve(puzzles, ANA, "A", 10.0)
    assert [found.puzzle for found in await puzzles.tries(ANA, ladder)] == ["B", "C", "A"]


@pytest.mark.sqlite
async def test_an_index_finds_a_persons_tries(store: Store) -> None:
    """Finding a person's tries reads no whole table."""
    async with store.database.writing() as connection:
        (step,) = await plan(connection, tries_query(ANA, LADDER))
    assert "ix_puzzle_tries_person" in step
