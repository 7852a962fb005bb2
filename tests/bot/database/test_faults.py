"""Changes while the database cannot store them, and afterwards."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.database.database import NoteRow
from bot.database.errors import BROKEN, BUSY, FULL, GONE, READ_ONLY, Unavailable
from bot.database.statements import put
from bot.store.store import Store
from tests.bot.databases import address_of

pytestmark = pytest.mark.sqlite


@contextmanager
def locked(file: Path) -> Iterator[sqlite3.Connection]:
    """Another program holds the database's lock."""
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield other
    finally:
        other.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of the open store."""
    return tmp_path / "test.db"


async def write(store: Store, text: str, patience: float = 30.0) -> None:
    """Write the one note of these tests."""
    async with store.database.writing(patience) as connection:
        await put(connection, NoteRow, {"name": "n"}, {"text": text})


async def refused(store: Store, reason: str) -> None:
    """Check that nothing can be stored, and the reason that is given."""
    with pytest.raises(Unavailable) as raised:
        await write(store, "refused", patience=0.0)
    assert raised.value.reason == reason


async def test_a_change_waits_for_a_lock(store: Store, file: Path) -> None:
    """While another program holds the lock, changes wait; afterwards they are stored in order."""
    with locked(file) as other:
        waiting = [asyncio.create_task(write(store, str(number))) for number in range(3)]
        await asyncio.sleep(1.2)
        assert not any(task.done() for task in waiting)
        other.rollback()
        await asyncio.gather(*waiting)
    assert await store.notes.find("n") == "2"
    assert store.database.trouble is None


async def test_a_lock_that_stays_is_named(store: Store, file: Path) -> None:
    """A change that waits too long for a lock fails with that reason and never happens later."""
    await write(store, "before")
    with locked(file):
        await refused(store, BUSY)
        trouble = await store.database.health(patience=0.0)
        assert trouble is not None
        assert trouble.reason == BUSY
        assert await store.notes.find("n") == "before"
    await asyncio.sleep(0.1)
    assert await store.notes.find("n") == "before"
    assert await store.database.health() is None
    assert store.database.trouble is None


async def test_changes_that_wait_are_stored_together(store: Store) -> None:
    """Waiting changes are committed together.

    A failing one is rolled back alone, and a cancelled one leaves no trace.
    """
    begun = asyncio.Event()

    async def slowly() -> None:
        async with store.database.writing() as connection:
            begun.set()
            await asyncio.sleep(0.2)
            await put(connection, NoteRow, {"name": "slow"}, {"text": "kept"})

    async def badly() -> None:
        async with store.database.writing() as connection:
            await put(connection, NoteRow, {"name": "bad"}, {"text": "lost"})
            raise ZeroDivisionError

    first = asyncio.create_task(slowly())
    await begun.wait()
    given_up = asyncio.create_task(store.notes.put("given up", "lost"))
    others = [asyncio.create_task(store.notes.put(f"{n}", "kept")) for n in range(40)]
    bad = asyncio.create_task(badly())
    last = asyncio.create_task(store.notes.put("last", "kept"))
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.gather(first, *others, last)
    with pytest.raises(ZeroDivisionError):
        await bad
    names = ("slow", "0", "39", "last", "bad", "given up")
    found = [await store.notes.find(name) for name in names]
    assert found == ["kept"] * 4 + [None] * 2


@contextmanager
def no_larger_files(most: int) -> Iterator[None]:
    """No file may grow beyond this many bytes, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_a_full_disk_changes_nothing(store: Store, file: Path) -> None:
    """On a full disk nothing is changed, and reading continues."""
    await write(store, "before")
    with no_larger_files(Path(f"{file}-wal").stat().st_size):
        for _ in range(3):
            await refused(store, FULL)
        assert await store.notes.find("n") == "before"
    await write(store, "after")
    assert await store.notes.find("n") == "after"
    assert store.database.trouble is None


async def test_a_failed_commit_fails_all_its_changes(store: Store, file: Path) -> None:
    """If the single commit of several changes fails, none is stored, and each raises the error."""
    await write(store, "before")
    with no_larger_files(Path(f"{file}-wal").stat().st_size):
        changes = [store.notes.put(f"{number}", "x") for number in range(5)]
        ends = await asyncio.gather(*changes, return_exceptions=True)
    assert [end.reason for end in ends if isinstance(end, Unavailable)] == [FULL] * 5
    assert [await store.notes.find(f"{number}") for number in range(5)] == [None] * 5


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A disk of a megabyte."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, check=False).returncode:
        pytest.skip("a small disk can be mounted by root only")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


async def test_a_disk_without_room(tmp_path: Path, migrated: Path) -> None:
    """On a really full file system changes are refused; freeing space is enough to continue."""
    with small_disk(tmp_path / "disk") as disk:
        shutil.copyfile(migrated, disk / "full.db")
        store = Store(address_of(disk / "full.db"))
        await store.open()
        await write(store, "before")
        with (disk / "ballast").open("wb") as ballast, pytest.raises(OSError, match="No space"):
            while True:
                os.write(ballast.fileno(), b"x" * 4096)
        await refused(store, FULL)
        (disk / "ballast").unlink()
        await write(store, "after")
        assert await store.notes.find("n") == "after"
        await store.close()


async def test_an_immutable_file(store: Store, file: Path) -> None:
    """Changes to an immutable file are refused.

    Once it is writable, they succeed without a restart.
    """
    await write(store, "before")
    await store.close()
    immutable = ["chattr", "+i", str(file)]
    if shutil.which("chattr") is None or subprocess.run(immutable, check=False).returncode:
        pytest.skip("only root can make a file immutable, and not on every disk")
    try:
        await refused(store, READ_ONLY)
    finally:
        subprocess.run(["chattr", "-i", str(file)], check=True)
    await write(store, "after")
    assert await store.notes.find("n") == "after"


async def test_a_file_that_is_moved_away_and_back(store: Store, file: Path, tmp_path: Path) -> None:
    """While the file is moved away every change is refused.

    Once it is back, changes succeed after the next check of the database.
    """
    reopened: list[bool] = []
    await store.close()
    await store.open(lambda: reopened.append(True))
    await write(store, "before")
    file.rename(tmp_path / "away.db")
    await refused(store, GONE)
    with pytest.raises(Unavailable):
        await store.notes.find("n")
    trouble = await store.database.check()
    assert trouble is not None
    assert trouble.reason == GONE
    assert not file.exists()
    (tmp_path / "away.db").rename(file)
    await refused(store, GONE)
    assert await store.database.check() is None
    assert reopened == [True]
    assert await store.notes.find("n") == "before"
    await write(store, "after")
    assert await store.notes.find("n") == "after"


async def test_a_change_under_way_when_the_file_goes(store: Store, file: Path) -> None:
    """A change that was written to a file that is gone is not acknowledged."""
    with pytest.raises(Unavailable) as raised:
        async with store.database.writing() as connection:
            await put(connection, NoteRow, {"name": "n"}, {"text": "lost"})
            file.unlink()
    assert raised.value.reason == GONE


async def test_a_file_that_replaces_the_database_is_used(
    store: Store, file: Path, tmp_path: Path, migrated: Path
) -> None:
    """A file that replaces the database is used if it is a database of this program."""
    await write(store, "before")
    file.unlink()
    file.write_bytes(b"")
    assert (await store.database.check() or Unavailable("", "")).reason == GONE
    await refused(store, GONE)
    (tmp_path / "other").write_bytes(b"garbage" * 100)
    (tmp_path / "other").replace(file)
    assert (await store.database.check() or Unavailable("", "")).reason == BROKEN
    await refused(store, BROKEN)
    shutil.copyfile(migrated, tmp_path / "fresh.db")
    (tmp_path / "fresh.db").replace(file)
    assert await store.database.check() is None
    assert await store.notes.find("n") is None
    await write(store, "after")
