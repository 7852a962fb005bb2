"""What people have solved in lessons is kept once, and goes with them."""

from __future__ import annotations

import asyncio

from bot.features.lessons.store import LessonPart, SolvedPart
from bot.store.store import Store
from tests.bot.store.test_erasure import ANA, BEA, mentions

FIRST, SECOND = LessonPart("line", 1), LessonPart("line", 2)


async def test_what_is_solved_stays_solved(store: Store) -> None:
    """Each part once and with its first time, however often it is solved, and for each person."""
    assert await store.lessons.solved(ANA, "connect4") == set()
    assert await store.erasure.record(ANA) is None
    await store.lessons.note(ANA, "connect4", SECOND, 20.0)
    again = (store.lessons.note(ANA, "connect4", part, 30.0) for part in (FIRST, SECOND, FIRST))
    await asyncio.gather(*again)
    await store.lessons.note(BEA, "connect4", FIRST, 40.0)
    assert await store.lessons.solved(ANA, "connect4") == {FIRST, SECOND}
    assert await store.lessons.solved(ANA, "gato") == set()
    assert await store.lessons.all_of(ANA) == [
        SolvedPart("connect4", SECOND, 20.0),
        SolvedPart("connect4", FIRST, 30.0),
    ]


async def test_a_deleted_person_has_solved_nothing(store: Store) -> None:
    """It is counted among what is stored of them, and goes with it; others keep theirs."""
    for person in (ANA, BEA):
        await store.lessons.note(person, "connect4", FIRST, 20.0)
    found = await store.erasure.record(ANA)
    assert found is not None
    assert (found.joined_at, found.lesson_parts) == (20.0, 1)
    await store.erasure.forget(ANA)
    assert not await mentions(store, ANA)
    assert await store.lessons.solved(BEA, "connect4") == {FIRST}
