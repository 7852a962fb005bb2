"""Steps that features add to the core's transactions."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.database import NoteRow
from bot.store.records import Ending, EndRecord, MoveRecord, SeatRecord, person
from bot.store.store import Store
from bot.store.tables import GameFiguresRow, GameRow, MoveRow, RatingDueRow
from tests.bot.builders import ANA, BEA, new_game
from tests.bot.databases import Conflict

OPENING = new_game(second=person(BEA))
WATCHED = replace(OPENING, first=SeatRecord(None, "easy"), second=SeatRecord(None, "hard"))
MOVE, WON = MoveRecord(1, ANA, "1", False, 1.0, 1.0), EndRecord(Ending.LINE, 1, 2.0)


async def note(connection: AsyncConnection, game_id: int) -> None:
    """A step that may be stored only once for each game."""
    await connection.execute(insert(NoteRow).values(name=f"over {game_id}", text=""))


@pytest.fixture
def conflict() -> Conflict:
    """The last step of each transaction that ends a game."""
    return Conflict()


@pytest.fixture
async def store(address: str, conflict: Conflict) -> AsyncIterator[Store]:
    """A store in which each transaction that ends a game has one conflict."""
    opened = Store(address, at_end=(note, conflict))
    await opened.open()
    yield opened
    await opened.close()


async def count(store: Store, *tables: Any) -> list[int]:
    """The number of rows in each of these tables."""
    counts = [select(func.count()).select_from(table) for table in tables]
    return [(await store.database.fetch(one))[0][0] for one in counts]


async def test_steps_at_the_end_are_retried_with_their_transaction(
    store: Store, conflict: Conflict
) -> None:
    """After a conflict the end of a game, its tally, its due work and all steps are stored once."""
    game_id = await store.games.add(WATCHED, 0.0)
    assert await store.games.finish(game_id, WON, counts=True)
    assert conflict.runs == 2
    rows = (GameFiguresRow, RatingDueRow, NoteRow)
    assert await count(store, *rows) == [1, 1, 1]
    assert not await store.games.finish(game_id, WON, counts=True)
    assert (conflict.runs, await count(store, *rows)) == (2, [1, 1, 1])


async def test_a_final_move_is_retried_with_its_steps(store: Store, conflict: Conflict) -> None:
    """After a conflict a final move, its steps and its due work are stored once."""
    game_id = await store.games.add(OPENING, 0.0)
    await store.games.append(game_id, 1, MOVE, look_at=None, end=WON, counts=True)
    assert conflict.runs == 2
    assert await count(store, MoveRow, GameFiguresRow, NoteRow) == [1, 1, 1]
    game = await store.games.find(game_id)
    assert game is not None
    assert (game.end, game.moves) == (WON, (MOVE,))


async def test_an_undo_is_retried_with_its_step(store: Store, conflict: Conflict) -> None:
    """After a conflict an undo and its step are stored once; a failing step rolls back both."""
    game_id = await store.games.add(OPENING, 0.0)
    await store.games.append(game_id, 1, MOVE, look_at=None)

    async def step(connection: AsyncConnection) -> None:
        await note(connection, game_id)
        await conflict(connection)

    await store.games.take_back(game_id, 0, 2.0, look_at=None, also=step)
    with pytest.raises(IntegrityError):
        await store.games.take_back(game_id, 0, 3.0, look_at=None, also=step)
    game = await store.games.find(game_id)
    assert game is not None
    assert (conflict.runs, game.moves, game.undos, game.undone_at) == (2, (), 1, 2.0)


async def test_a_step_that_fails_leaves_the_game_running(address: str) -> None:
    """A failing step rolls back the end of its game, so nothing of the transaction is stored."""

    async def fail(_connection: AsyncConnection, _game_id: int) -> None:
        raise LookupError

    store = Store(address, at_end=(note, fail))
    await store.open()
    game_id = await store.games.add(OPENING, 0.0)
    with pytest.raises(LookupError):
        await store.games.append(game_id, 1, MOVE, look_at=None, end=WON)
    running = select(GameRow.id).where(GameRow.finished_at.is_(None))
    assert [row.id for row in await store.database.fetch(running)] == [game_id]
    assert await count(store, MoveRow, NoteRow) == [0, 0]
    await store.close()
