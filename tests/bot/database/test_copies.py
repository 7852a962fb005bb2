"""Copies of the database: made while it is written to, and restored while it is in use."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from pathlib import Path

import pytest

from bot.database.errors import CopyFailed
from bot.database.schema import newest, require_ours
from bot.database.sqlite_files import KEPT
from bot.store.store import Store
from tests.bot.database.test_migrations import old_database
from tests.bot.databases import address_of

pytestmark = pytest.mark.sqlite


def notes(file: Path) -> dict[str, str]:
    """The notes in a database file."""
    connection = sqlite3.connect(file)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    found = dict(connection.execute("SELECT name, text FROM notes").fetchall())
    connection.close()
    return found


async def test_a_copy_made_during_writes_is_complete(store: Store, tmp_path: Path) -> None:
    """A copy that is made during writes is one complete file, and the writes continue meanwhile."""
    copy = tmp_path / "copy.db"
    await store.notes.put("before", "kept")
    copying = asyncio.create_task(asyncio.to_thread(store.database.place.back_up, copy))
    written = 0
    while not copying.done():
        await store.notes.put(f"{written}", "x")
        written += 1
    await copying
    assert notes(copy)["before"] == "kept"
    assert sorted(file.name for file in tmp_path.glob("copy*")) == ["copy.db"]


async def test_a_running_store_uses_a_restored_copy(store: Store, tmp_path: Path) -> None:
    """A running store switches to a restored copy at its next check.

    The file that was replaced is kept complete.
    """
    place, copy = store.database.place, tmp_path / "copy.db"
    await store.notes.put("n", "copied")
    place.back_up(copy)
    await store.notes.put("n", "later")
    kept = await asyncio.to_thread(place.restore, copy, require_ours)
    assert kept is not None
    assert await store.database.check() is None
    assert await store.notes.find("n") == "copied"
    await store.notes.put("n", "after")
    assert notes(kept)["n"] == "later"
    assert notes(copy)["n"] == "copied"
    await store.close()
    assert notes(tmp_path / "test.db")["n"] == "after"


async def test_changes_during_a_restoration(store: Store, tmp_path: Path) -> None:
    """Every change acknowledged during a restoration is in the file before or in the one after."""
    place, copy = store.database.place, tmp_path / "copy.db"
    place.back_up(copy)
    acknowledged = []
    restoring = asyncio.create_task(asyncio.to_thread(place.restore, copy, require_ours))
    for number in range(40):
        ended = await asyncio.gather(store.notes.put(f"{number}", "x"), return_exceptions=True)
        acknowledged += [] if ended[0] else [f"{number}"]
        await store.database.check()
    kept = await restoring
    assert kept is not None
    await store.close()
    assert {*notes(kept), *notes(tmp_path / "test.db")} >= {*acknowledged}


async def test_an_older_copy_is_migrated(store: Store, tmp_path: Path) -> None:
    """A copy from before an update is migrated as at a start."""
    old_database(tmp_path / "old.db", "0009")
    await asyncio.to_thread(store.database.place.restore, tmp_path / "old.db", require_ours)
    assert await store.database.check() is None
    game = await store.games.find(7)
    assert game is not None


@pytest.mark.parametrize("wrong", ["garbage", "damaged", "missing", "folder", "empty", "newer"])
async def test_a_wrong_copy_changes_nothing(
    store: Store, tmp_path: Path, migrated: Path, wrong: str
) -> None:
    """An invalid copy is refused with a reason, and the store continues unchanged."""
    copy = tmp_path / "wrong.db"
    shutil.copyfile(migrated, copy)
    if wrong == "garbage":
        copy.write_bytes(b"garbage" * 1000)
    elif wrong == "damaged":
        with copy.open("r+b") as opened:
            opened.seek(4096)
            opened.write(b"\x99" * 20_000)
    elif wrong in ("missing", "folder", "empty"):
        copy.unlink()
        if wrong == "folder":
            copy.mkdir()
        elif wrong == "empty":
            copy.write_bytes(b"")
    else:
        connection = sqlite3.connect(copy)
        connection.execute("UPDATE alembic_version SET version_num = '9000'")
        connection.commit()
        connection.close()
    await store.notes.put("n", "mine")
    with pytest.raises(CopyFailed):
        store.database.place.restore(copy, require_ours)
    assert await store.database.check() is None
    assert await store.notes.find("n") == "mine"
    assert not list(tmp_path.glob("*replaced*"))
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("target", ["test.db", "notes.txt", "folder", "none/copy.db"])
async def test_a_copy_is_not_written_over_something_else(
    store: Store, tmp_path: Path, target: str
) -> None:
    """A copy overwrites neither the database itself nor a file that is not a database."""
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    await store.notes.put("n", "mine")
    with pytest.raises(CopyFailed):
        store.database.place.back_up(tmp_path / target)
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "mine"
    assert await store.notes.find("n") == "mine"


async def test_a_copy_is_kept_before_a_migration(tmp_path: Path) -> None:
    """Before a migration a copy with the revision in its name is kept beside the database.

    The oldest are deleted.
    """
    for day in range(KEPT + 1):
        (tmp_path / f"old.revision-0001.2026010{day}-000000.db").write_bytes(b"")
    old_database(tmp_path / "old.db", "0011")
    store = Store(address_of(tmp_path / "old.db"))
    await store.open()
    await store.close()
    assert newest() != "0011"
    copies = list(tmp_path.glob("old.revision-*.db"))
    assert len(copies) == KEPT
    (kept,) = (copy for copy in copies if "revision-0011" in copy.name)
    connection = sqlite3.connect(kept)
    assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("0011",)]
    assert connection.execute("SELECT id FROM games").fetchall() == [(7,)]
    connection.close()


async def test_a_new_database_needs_no_copy(tmp_path: Path) -> None:
    """No copy is kept when a new database is created."""
    store = Store(address_of(tmp_path / "new.db"))
    await store.open()
    await store.close()
    assert [file.name for file in tmp_path.iterdir()] == ["new.db"]
