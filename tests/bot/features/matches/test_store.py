"""Matches in the database: points, ends, one next game, and forgetting people."""

from __future__ import annotations

import asyncio

import pytest

from bot.features.matches.store import (
    WAIT,
    Match,
    MatchGame,
    MatchStore,
    count_matches,
    forget_person,
    note_end,
)
from bot.store.boards import ShownBoard
from bot.store.people import RequestAnswered
from bot.store.records import Ending, EndRecord, person
from bot.store.rows import OVER
from bot.store.store import Store
from tests.bot.builders import ANA, BEA, HERE, new_game

pytestmark = pytest.mark.databases

ENDED = OVER
"""The state of a game that ended without a move."""


def match_with(length: int, results: str) -> Match:
    """A match with results by `A` (Ana has won), `B`, `=` (draw), `-` (none) and `?` (running)."""
    games = []
    for number, result in enumerate(results):
        seats = (ANA, BEA) if number % 2 == 0 else (BEA, ANA)
        winner = {"A": ANA, "B": BEA}.get(result)
        ending = {"=": Ending.DRAW, "-": Ending.HALTED, "?": None}.get(result, Ending.LINE)
        side = None if winner is None else seats.index(winner) + 1
        games.append(MatchGame(number + 1, *seats, result != "?", ending, side))
    return Match(1, length, tuple(games), None, None)


@pytest.mark.parametrize(
    ("length", "results", "points", "is_decided"),
    [
        (2, "A", (1.0, 0.0), False),
        (2, "AB", (1.0, 1.0), True),
        (2, "=", (0.5, 0.5), False),
        (4, "AA", (2.0, 0.0), False),
        (4, "AA?", (2.0, 0.0), False),
        (4, "AA=", (2.5, 0.5), True),
        (4, "AAB", (2.0, 1.0), False),
        (4, "AAA", (3.0, 0.0), True),
        (4, "--B", (0.0, 1.0), False),
        (4, "--BB", (0.0, 2.0), True),
        (6, "BBBB", (0.0, 4.0), True),
    ],
)
def test_points_and_decisions(
    length: int, results: str, points: tuple[float, float], is_decided: bool
) -> None:
    """A match is over when all games are, or when those that are left cannot change its winner."""
    match = match_with(length, results)
    assert (match.points[ANA], match.points[BEA]) == points
    assert match.is_decided == is_decided


async def play(store: Store, length: int, winner: int | None, match_of: int | None = None) -> int:
    """Store a finished game of a match, which ended at 100; return its id."""
    setup = new_game(second=person(BEA), match=length, match_of=match_of)
    id = await store.games.add(setup, 1.0)
    ending = Ending.AGREED if winner is None else Ending.RESIGNED
    await store.games.finish(id, EndRecord(ending, winner, 100.0))
    async with store.database.writing() as connection:
        await note_end(connection, id)
    return id


async def test_of_two_who_begin_the_next_game_one_does(store: Store) -> None:
    """The step for the next game succeeds once after each game, and not after the time."""
    matches = MatchStore(store.database)
    id = await play(store, 4, 1)
    found = await matches.find(id)
    assert found is not None
    assert (found.waits_until, found.ended_at) == (100.0 + WAIT, None)

    async def begin(at: float) -> None:
        async with store.database.writing() as connection:
            await matches.going_on(id, id, at)(connection)

    with pytest.raises(RequestAnswered):
        await begin(100.0 + WAIT)
    done = await asyncio.gather(begin(200.0), begin(200.0), return_exceptions=True)
    assert sorted(type(one).__name__ for one in done) == ["NoneType", "RequestAnswered"]
    await play(store, 4, None, id)
    await begin(200.0)


async def test_a_match_that_waits_too_long_ends_once(store: Store) -> None:
    """Only the match whose time is up ends, once, and its latest board is shown again.

    That holds even if it is only now noted what the board has shown before.
    """
    matches = MatchStore(store.database)
    id = await play(store, 2, 1)
    latest = await play(store, 2, None, await play(store, 4, 2))
    assert await matches.due(100.0 + WAIT - 1.0, None) == []
    due = await matches.due(100.0 + WAIT, None)
    assert due == [id, latest - 1]
    shown = {game_id: ShownBoard(game_id, ENDED) for game_id in (id, latest - 1, latest)}
    for game_id in shown:
        await store.boards.set_message(game_id, game_id, shown=ENDED)
    assert await matches.end(due[1], 100.0 + WAIT)
    assert not await matches.end(due[1], 100.0 + WAIT)
    await store.boards.note(shown)
    assert [one.id for one in await store.boards.due(5000.0, 9)] == [latest]
    found = await matches.find(due[1])
    assert found is not None
    assert (found.waits_until, found.ended_at) == (None, 100.0 + WAIT)


async def test_the_matches_of_a_person_who_leaves_end(store: Store) -> None:
    """Matches are counted for both; those that wait end when one of the two deletes their data."""
    matches = MatchStore(store.database)
    id = await play(store, 2, 1)
    async with store.database.writing() as connection:
        for user_id, count in ((ANA, 1), (BEA, 1), (3, 0)):
            assert await count_matches(connection, user_id) == {"stored.matches": count}
        await forget_person(connection, 3)
        await forget_person(connection, BEA)
    assert await matches.due(1.0, None) == [id]
    assert (await store.games.running_in(HERE)) is None
