"""Solved parts of lessons are stored once and deleted with the person."""

from __future__ import annotations

import asyncio

import pytest

from bot.features.lessons.rules import lesson_files
from bot.features.lessons.store import (
    LessonPart,
    LessonProgress,
    SolvedPart,
    count_parts,
    delete_parts,
    solved_query,
)
from bot.store.store import Store
from tests.bot.databases import plan

pytestmark = pytest.mark.databases

ANA, BEA = 5_550_001, 5_550_002
FIRST, SECOND = LessonPart("line", 1), LessonPart("line", 2)


@pytest.fixture
def progress(store: Store) -> LessonProgress:
    """The repository."""
    return LessonProgress(store.database)


async def test_solved_parts_stay_solved(progress: LessonProgress) -> None:
    """Each part is stored once per person, with the time of its first solution."""
    assert await progress.solved(ANA, "connect4") == set()
    await progress.note(ANA, "connect4", SECOND, 20.0)
    again = (progress.note(ANA, "connect4", part, 30.0) for part in (FIRST, SECOND, FIRST))
    await asyncio.gather(*again)
    await progress.note(BEA, "connect4", FIRST, 40.0)
    assert await progress.solved(ANA, "connect4") == {FIRST, SECOND}
    assert await progress.solved(ANA, "gato") == set()
    assert await progress.all_of(ANA) == [
        SolvedPart("connect4", SECOND, 20.0),
        SolvedPart("connect4", FIRST, 30.0),
    ]


async def test_a_person_sees_exports_and_deletes_it(store: Store, progress: LessonProgress) -> None:
    """A person can see, export and delete their progress; a person without any gets no file."""
    for person in (ANA, BEA):
        await progress.note(person, "connect4", SECOND, 1_800_000_000.0)
    table = "family,lesson,part,solved\nconnect4,line,2,2027-01-15T08:00:00+00:00\n"
    assert await lesson_files(progress, ANA) == {"lessons.csv": table}
    async with store.database.writing() as connection:
        assert await count_parts(connection, ANA) == {"stored.lessons": 1}
        await delete_parts(connection, ANA)
        assert await count_parts(connection, ANA) == {"stored.lessons": 0}
    assert await lesson_files(progress, ANA) == {}
    assert await progress.solved(BEA, "connect4") == {SECOND}


@pytest.mark.sqlite
async def test_an_index_finds_solved_parts(store: Store) -> None:
    """The query of solved parts uses an index."""
    async with store.database.writing() as connection:
        (step,) = await plan(connection, solved_query(ANA, "connect4"))
    assert "sqlite_autoindex_lesson_parts_1" in step
