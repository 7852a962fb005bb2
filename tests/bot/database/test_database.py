"""Opening the database, and the behaviour of its transactions."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import select

from bot.database.database import NoteRow
from bot.database.statements import put
from bot.store.store import Store
from tests.bot.databases import address_of
from tests.builders import ROOT

OPEN = """
import asyncio, sys
from bot.store.store import Store

async def main(url):
    store = Store(url)
    await store.open()
    await store.close()

asyncio.run(main(sys.argv[1]))
sys.exit("alembic" in sys.modules)
"""


async def test_opening_again_keeps_everything(store: Store, address: str) -> None:
    """A second start on the same file finds the rows of the first one."""
    await store.notes.put("n", "kept")
    again = Store(address)
    await again.open()
    assert await again.notes.find("n") == "kept"
    await again.close()


def test_a_start_without_migrations_does_not_load_them(tmp_path: Path) -> None:
    """The first start creates the tables.

    The second sees that they are current and loads no migrations.
    """
    url = address_of(tmp_path / "new.db")
    start = [sys.executable, "-c", OPEN, url]
    assert [subprocess.run(start, cwd=ROOT, check=False).returncode for _ in (1, 2)] == [1, 0]


async def test_an_exception_undoes_the_whole_transaction(store: Store) -> None:
    """A block that fails leaves nothing behind and does not block the next one."""

    async def fail() -> None:
        async with store.database.writing() as connection:
            await put(connection, NoteRow, {"name": "n"}, {"text": "half"})
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert await store.notes.find("n") is None
    await store.notes.put("n", "whole")
    assert await store.notes.find("n") == "whole"


async def test_a_reader_sees_one_state(store: Store) -> None:
    """A transaction that has begun to read does not see later writes."""
    await store.notes.put("n", "before")
    text = select(NoteRow.text)
    async with store.database.reading() as connection:
        assert (await connection.execute(text)).scalar_one() == "before"
        await store.notes.put("n", "after")
        assert (await connection.execute(text)).scalar_one() == "before"
    assert await store.notes.find("n") == "after"


@pytest.mark.sqlite
async def test_the_journal_is_a_write_ahead_log(store: Store, tmp_path: Path) -> None:
    """SQLite uses a write-ahead log, so that readers and the writer do not wait for each other."""
    connection = sqlite3.connect(tmp_path / "test.db")
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
