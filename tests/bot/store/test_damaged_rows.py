"""Games whose rows cannot be read are left out where many are read, and raised where one is."""

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
"""PostgreSQL stores no text that is none."""

ANA, ME = 1, "me"


async def games(store: Store) -> tuple[int, int]:
    """Two running games of Ana's; of the first one, the text of the variant is damaged."""
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
    """Whether they are a process's, a person's, or a person's that are over."""
    first, second = await games(store)
    assert [one.id for one in await store.games.running(ME)] == [second]
    assert [one.id for one in await store.games.running_of(ANA)] == [second]
    for game_id in (first, second):
        await store.games.finish(game_id, EndRecord(Ending.RESIGNED, 2, 5.0))
    assert [one.id for one in await store.games.finished_by(ANA)] == [second]
    assert await store.games.count_finished(ANA) == 2


async def test_a_game_that_is_asked_for_alone_is_no_missing_one(store: Store) -> None:
    """A game that cannot be read differs from a missing one."""
    first, _ = await games(store)
    with pytest.raises(OperationalError):
        await store.games.find(first)


async def test_its_board_gives_way_to_others(store: Store) -> None:
    """It is due again after a while."""
    first, second = await games(store)
    await store.database.change(update(GameRow).values(show_at=0.0, shown=-1, state=4))
    assert [one.id for one in await store.boards.due(10.0, 2)] == [second]
    await store.boards.postpone(second, 1e9)
    assert await store.boards.due(10.0 + DAMAGED_PAUSE - 1, 2) == []
    assert await store.boards.count_due() == 2
    async with store.database.writing() as connection:
        await connection.execute(text(f"UPDATE games SET variant = '5x4' WHERE id = {first}"))  # noqa: S608
    assert [one.id for one in await store.boards.due(10.0 + DAMAGED_PAUSE, 2)] == [first]


async def test_the_other_games_are_inherited(store: Store) -> None:
    """Where none of those that are taken at a time can be read, the next ones are taken too."""
    _, second = await games(store)
    taken = await store.owners.adopt(Owner("other"), lambda *_: None, 5.0)
    assert [one.id for one in taken] == [second]
    async with store.database.reading() as connection:
        owners = await connection.execute(text("SELECT DISTINCT owner FROM games"))
        assert [row.owner for row in owners] == ["other"]
