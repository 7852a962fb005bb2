"""Behaviour of PostgreSQL alone: row locks, and several programs that start at once."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import delete, select, text, update

from bot.database.errors import CopyFailed, retry_on_conflict
from bot.database.schema import newest
from bot.database.statements import Base, lock
from bot.store.games import MoveTaken
from bot.store.records import Ending, EndRecord, GameSetup, MoveRecord, SeatRecord
from bot.store.rows import state_number
from bot.store.store import Store
from bot.store.tables import GameRow, MoveRow
from tests.bot.databases import BLANK, Server, address_of
from tests.builders import ROOT

pytestmark = pytest.mark.postgres
WAITING = text(
    "SELECT count(*) FROM pg_stat_activity "
    "WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


@pytest.fixture
def address(server: Server) -> Iterator[str]:
    """A migrated database on the server."""
    with server.copy() as copied:
        yield copied


def opening(channel: int) -> GameSetup:
    """A game between two people."""
    seats = SeatRecord(1, None), SeatRecord(2, None)
    return GameSetup("connect4", "6x7", channel, None, "en", *seats)


def move(number: int) -> MoveRecord:
    """A move of a game, counted from 1."""
    player = 2 - number % 2
    return MoveRecord(player, player, "4", False, 1.0 + number, 1.0)


async def blocked(store: Store, most: int = 1) -> None:
    """Wait until this many transactions wait for a lock."""
    async with asyncio.timeout(60):
        while (await store.database.fetch(WAITING))[0][0] < most:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_two_programs_that_start_at_once_migrate_once(server: Server) -> None:
    """Of programs that start at once one migrates, and all find exactly the models' tables."""
    with server.copy(BLANK) as address:
        stores = [Store(address) for _ in range(3)]
        await asyncio.gather(*(store.open() for store in stores))
        assert await stores[0].games.running() == []
        async with stores[1].database.reading() as connection:
            found = await connection.execute(text("SELECT version_num FROM alembic_version"))
            assert list(found.scalars()) == [newest()]
            differences = await connection.run_sync(
                lambda c: compare_metadata(MigrationContext.configure(c), Base.metadata)
            )
        assert differences == []
        await asyncio.gather(*(store.close() for store in stores))


async def test_a_move_that_waits_for_an_undo_comes_too_late(store: Store) -> None:
    """A move that waits for an undo sees the remaining moves and leaves no gap in them."""
    game_id = await store.games.add(opening(1), 1.0)
    for number in range(1, 5):
        await store.games.append(game_id, number, move(number), look_at=None)
    async with store.database.writing() as connection:
        await lock(connection, GameRow.id, (game_id,))
        appending = asyncio.create_task(store.games.append(game_id, 5, move(5), look_at=None))
        await blocked(store)
        taken_back = (MoveRow.game_id == game_id) & (MoveRow.number > 2)
        await connection.execute(delete(MoveRow).where(taken_back))
        undone = update(GameRow).where(GameRow.id == game_id)
        await connection.execute(
            undone.values(undos=1, state=state_number(2, 1, is_over=False, is_rated=False))
        )
    with pytest.raises(MoveTaken):
        await appending
    found = await store.games.find(game_id)
    assert found is not None
    assert len(found.moves) == 2


async def test_changes_of_different_games_do_not_wait(store: Store) -> None:
    """A move in one game is stored while another game is locked by a change."""
    first, second = [await store.games.add(opening(channel), 1.0) for channel in (1, 2)]
    async with store.database.writing() as connection:
        await lock(connection, GameRow.id, (first,))
        async with asyncio.timeout(60):
            await store.games.append(second, 1, move(1), look_at=None)


async def test_deadlocked_changes_are_retried(store: Store) -> None:
    """Of two changes that deadlock, the server rolls one back.

    It is retried, and both are stored.
    """
    games = [await store.games.add(opening(channel), 1.0) for channel in (1, 2)]
    both_have_one, one_is_stored, tries = asyncio.Barrier(2), asyncio.Event(), [0]

    @retry_on_conflict
    async def shown(first: int, second: int, message: int) -> None:
        tries[0] += 1
        is_first_time = tries[0] <= 2
        if not is_first_time:
            # PostgreSQL lets a retry take the released row before the process that waits for it
            # has woken up, and the two would deadlock once more.
            await one_is_stored.wait()
        async with store.database.writing() as connection:
            for game_id in (first, second):
                named = text("UPDATE games SET message_id = :message WHERE id = :game")
                await connection.execute(named, {"message": message, "game": game_id})
                if game_id == first and is_first_time:
                    await both_have_one.wait()
        one_is_stored.set()

    await asyncio.gather(shown(*games, 7), shown(*reversed(games), 8))
    assert tries == [3]
    first, second = [await store.boards.message_of(game_id) for game_id in games]
    assert first == second
    assert (store.database.trouble, store.database.faults) == (None, 0)


async def test_an_end_counts_every_move(store: Store) -> None:
    """An end that waits for a move includes that move in its totals."""
    game_id = await store.games.add(opening(1), 1.0)
    async with store.database.writing() as connection:
        await lock(connection, GameRow.id, (game_id,))
        appending = asyncio.create_task(store.games.append(game_id, 1, move(1), look_at=None))
        await blocked(store)
        ending = asyncio.create_task(
            store.games.finish(game_id, EndRecord(Ending.RESIGNED, 1, 9.0))
        )
        await blocked(store, 2)
    ended, (made,) = await asyncio.gather(ending, asyncio.gather(appending, return_exceptions=True))
    counted = await store.database.fetch(select(text("moves")).select_from(text("game_figures")))
    assert ended
    assert counted[0].moves == (0 if isinstance(made, MoveTaken) else 1)


async def test_a_change_that_is_given_up_leaves_nothing(store: Store) -> None:
    """A change that is cancelled half-way stores nothing and releases its locks."""
    game_id = await store.games.add(opening(1), 1.0)
    holds = asyncio.Event()

    async def hold() -> None:
        async with store.database.writing() as connection:
            await lock(connection, GameRow.id, (game_id,))
            await connection.execute(text("UPDATE games SET message_id = 7"))
            holds.set()
            await asyncio.Event().wait()

    holding = asyncio.create_task(hold())
    await holds.wait()
    holding.cancel()
    with pytest.raises(asyncio.CancelledError):
        await holding
    await store.games.append(game_id, 1, move(1), look_at=None)
    assert await store.boards.message_of(game_id) is None


async def test_a_change_that_is_given_up_while_it_waits_is_not_made(store: Store) -> None:
    """A change that is cancelled while it waits for a lock stores nothing."""
    game_id = await store.games.add(opening(1), 1.0)
    async with store.database.writing() as connection:
        await lock(connection, GameRow.id, (game_id,))
        waiting = asyncio.create_task(store.games.append(game_id, 1, move(1), look_at=None))
        await blocked(store)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    found = await store.games.find(game_id)
    assert found is not None
    assert found.moves == ()
    await store.games.append(game_id, 1, move(1), look_at=None)
    assert store.database.trouble is None


async def test_copies_are_made_with_the_servers_tools(store: Store, tmp_path: Path) -> None:
    """The commands for copies of files name the server's own tools instead."""
    for work in (store.database.place.back_up, _restore(store)):
        with pytest.raises(CopyFailed, match="pg_dump"):
            work(tmp_path / "copy")


def _restore(store: Store) -> Callable[[Path], object]:
    return lambda file: store.database.place.restore(file, lambda _: None)


USE = """
import asyncio, sys
from bot.app import open_services
from bot.settings import Settings

async def main(url):
    async with open_services(Settings.read({"DATABASE_URL": url, "CUATRO_WORKERS": "1"})) as opened:
        await opened.store.notes.put("n", "x")

for url, is_server in zip(sys.argv[1:], (False, True), strict=True):
    asyncio.run(main(url))
    assert ("asyncpg" in sys.modules) is is_server
"""


def test_the_driver_is_loaded_only_where_it_is_used(tmp_path: Path, address: str) -> None:
    """A bot on SQLite runs without the packages for PostgreSQL."""
    file = address_of(tmp_path / "new.db")
    subprocess.run([sys.executable, "-c", USE, file, address], cwd=ROOT, check=True)
