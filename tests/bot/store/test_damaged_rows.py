"""Games with unreadable rows are skipped in lists and raise an error when they are read alone."""

from __future__ import annotations

import pytest
from sqlalchemy import text, update
from sqlalchemy.exc import OperationalError

from bot.store.boards import DAMAGED_PAUSE
from bot.store.owners import Owner
from bot.store.records import Ending, EndRecord, GameSetup, SeatRecord
from bot.store.store import Store
from bot.store.tables import GameRow

pytestmark = pytest.mark.sqlite
"""PostgreSQL refuses the damaged values that these tests write."""

ANA, ME = 1, "me"


async def games(store: Store) -> tuple[int, int]:
    """Two running games of Ana's; the variant of the first one is damaged."""
    seats = SeatRecord(ANA, None), SeatRecord(None, "easy")
    first, second = [
        await store.games.add(
            GameSetup("connect4", "5x4", n, 9, "en", *seats, auto=True), 0.0, owner=ME
        )
        for n in (1, 2)
    ]
    async with store.database.writing() as connection:
        await connection.execute(
            text("UPDATE games SET variant = CAST(X'FF' AS TEXT) WHERE id = :id"), {"id": first}
        )
    return first, second


async def test_the_other_games_are_read(store: Store) -> None:
    """Lists of a process's or a person's games contain the intact games."""
    first, second = await games(store)
    assert [one.id for one in await store.games.running(ME)] == [second]
    assert [one.id for one in await store.games.running_of(ANA)] == [second]
    for game_id in (first, second):
        await store.games.finish(game_id, EndRecord(Ending.RESIGNED, 2, 5.0))
    assert [one.id for one in await store.results.finished_by(ANA)] == [second]
    assert await store.results.count_finished(ANA) == 2


async def test_a_damaged_game_that_is_read_alone_is_an_error(store: Store) -> None:
    """Reading a damaged game alone raises an error instead of reporting that there is no game."""
    first, _ = await games(store)
    with pytest.raises(OperationalError):
        await store.games.find(first)


async def test_the_board_of_a_damaged_game_is_postponed(store: Store) -> None:
    """The board of a damaged game is postponed for a while, and the others are due meanwhile."""
    first, second = await games(store)
    await store.database.change(update(GameRow).values(show_at=0.0, shown=-1, state=4))
    assert [one.id for one in await store.boards.due(10.0, 2)] == [second]
    await store.boards.postpone(second, 1e9)
    assert await store.boards.due(10.0 + DAMAGED_PAUSE - 1, 2) == []
    assert await store.boards.count_due() == 2
    async with store.database.writing() as connection:
        await connection.execute(text(f"UPDATE games SET variant = '5x4' WHERE id = {first}"))  # noqa: S608
    assert [one.id for one in await store.boards.due(10.0 + DAMAGED_PAUSE, 2)] == [first]


async def test_the_other_games_are_adopted(store: Store) -> None:
    """If no game of a batch can be read, the next batch is adopted as well."""
    _, second = await games(store)
    taken = await store.owners.adopt(Owner("other"), lambda *_: None, 5.0)
    assert [one.id for one in taken] == [second]
    async with store.database.reading() as connection:
        owners = await connection.execute(text("SELECT DISTINCT owner FROM games"))
        assert [row.owner for row in owners] == ["other"]
