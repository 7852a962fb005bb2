"""Prepared statements: compiled once and run by the driver, with SQLAlchemy's results."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from sqlalchemy import bindparam, select, update
from sqlalchemy.exc import IntegrityError

from bot.database.database import Database, NoteRow
from bot.database.statements import Prepared, add, put
from bot.store.store import Store
from bot.store.tables import PlayerRow

ALL = select(PlayerRow).order_by(PlayerRow.id)
NAMED = Prepared(select(NoteRow.text).where(NoteRow.name == bindparam("wanted")))
HIDE = Prepared(
    update(PlayerRow).where(PlayerRow.id == bindparam("user")).values(private=bindparam("hidden"))
)


async def stored(database: Database, name: str) -> list[str]:
    """The texts of a note."""
    return [row.text for row in await database.fetch(NAMED, {"wanted": name})]


async def test_rows_are_those_of_sqlalchemy(store: Store) -> None:
    """Prepared statements return the columns, values and types that SQLAlchemy returns."""
    async with store.database.writing() as connection:
        for user in (7, 1 << 40):
            assert await add(connection, PlayerRow, {"id": user, "joined_at": 2.5}) == user
        assert await HIDE.change(connection, *({"user": n, "hidden": True} for n in (7, 8))) == 1
    prepared = await store.database.fetch(Prepared(ALL))
    usual = await store.database.fetch(ALL)
    assert [row._asdict() for row in prepared] == [dict(row._mapping) for row in usual]
    assert [row.private for row in prepared] == [True, False]
    assert all(type(row.private) is bool for row in prepared)


async def test_errors_are_those_of_sqlalchemy(store: Store) -> None:
    """Prepared statements raise SQLAlchemy's errors.

    The earlier changes of their transaction are rolled back.
    """

    async def add_twice() -> None:
        async with store.database.writing() as connection:
            await put(connection, NoteRow, {"name": "before"}, {"text": "lost"})
            for _ in range(2):
                await add(connection, PlayerRow, {"id": 7, "joined_at": 0.0})

    with pytest.raises(IntegrityError):
        await add_twice()
    assert await stored(store.database, "before") == []
    assert await store.database.fetch(Prepared(ALL)) == []


async def test_an_undone_transaction_does_not_reach_the_next_one(store: Store) -> None:
    """A rolled back transaction affects no later one, on the same connection or on a new one."""

    async def fail(name: str) -> None:
        async with store.database.writing() as connection:
            await put(connection, NoteRow, {"name": name}, {"text": "lost"})
            raise ZeroDivisionError

    for number in range(3):
        with pytest.raises(ZeroDivisionError):
            await fail(f"undone {number}")
        async with store.database.writing() as connection:
            await put(connection, NoteRow, {"name": f"done {number}"}, {"text": "kept"})
        assert await stored(store.database, f"undone {number}") == []
        assert await stored(store.database, f"done {number}") == ["kept"]


async def test_a_cancelled_write_is_undone(store: Store) -> None:
    """A cancelled write is rolled back, and its connection is returned for other writers."""
    begun = asyncio.Event()

    async def write() -> None:
        async with store.database.writing() as connection:
            await put(connection, NoteRow, {"name": "cancelled"}, {"text": "lost"})
            begun.set()
            await asyncio.Event().wait()

    writing = asyncio.create_task(write())
    await begun.wait()
    writing.cancel()
    await asyncio.wait({writing})
    assert await store.database.health() is None
    assert await stored(store.database, "cancelled") == []


@pytest.mark.sqlite
async def test_a_read_cancelled_as_it_begins_leaves_no_transaction(store: Store) -> None:
    """A read may be cancelled before SQLite has begun its transaction; the next one is as usual."""

    async def read() -> Any:
        async with store.database.reading() as connection:
            raw = await connection.get_raw_connection()
            return raw.driver_connection

    def work() -> None:
        is_busy.set()
        is_free.wait()

    driver, is_busy, is_free = await read(), threading.Event(), threading.Event()
    driver._tx.put_nowait((None, work))
    await asyncio.to_thread(is_busy.wait)
    reading = asyncio.create_task(read())
    while driver._tx.empty():  # noqa: ASYNC110  # there is no event
        await asyncio.sleep(0)
    reading.cancel()
    await asyncio.sleep(0)
    is_free.set()
    await asyncio.wait({reading})
    assert reading.cancelled()
    assert await read() is driver


async def test_kept_connections_are_released_for_other_transactions(store: Store) -> None:
    """If more transactions run than there are connections, idle kept connections are released."""

    async def read() -> int:
        async with store.database.reading() as connection:
            found = (await connection.execute(ALL)).all()
            await asyncio.sleep(0)
            return len(found)

    for _ in range(2):
        await asyncio.gather(*(stored(store.database, "any") for _ in range(12)))
        await asyncio.gather(*(store.database.health() for _ in range(6)))
        assert await asyncio.gather(*(read() for _ in range(24))) == [0] * 24


async def test_a_list_that_is_bound_is_refused(store: Store) -> None:
    """A statement with a bound list is refused. Its text depends on the length of the list."""
    among = Prepared(select(PlayerRow).where(PlayerRow.id.in_(bindparam("ids", expanding=True))))
    with pytest.raises(ValueError, match="cannot be prepared"):
        await store.database.fetch(among, {"ids": [1, 2]})
