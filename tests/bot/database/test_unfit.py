"""A file that is not a database of this program is refused at startup with advice in one line."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.database.errors import Unavailable, Unfit
from bot.store.store import Store
from tests.bot.databases import address_of
from tests.builders import ROOT


def garbage(file: Path) -> None:
    """A file with arbitrary content."""
    file.write_bytes(bytes(range(256)) * 40)


def truncated(file: Path) -> None:
    """A database without its second half."""
    with file.open("r+b") as opened:
        opened.truncate(file.stat().st_size // 8192 * 4096)


def barely_begun(file: Path) -> None:
    """A database without nearly all of its pages."""
    with file.open("r+b") as opened:
        opened.truncate(60)


def newer(file: Path) -> None:
    """A database that a later version has migrated."""
    change(file, "UPDATE alembic_version SET version_num = '9000'")


def foreign(file: Path) -> None:
    """Another program's tables."""
    file.unlink()
    change(file, "CREATE TABLE songs (id INTEGER PRIMARY KEY)")


def with_alembic(file: Path) -> None:
    """Another program's tables, created with Alembic as well."""
    foreign(file)
    change(file, "CREATE TABLE alembic_version (version_num TEXT)")
    change(file, "INSERT INTO alembic_version VALUES ('0001')")


def folder(file: Path) -> None:
    """A folder of that name."""
    file.unlink()
    file.mkdir()


def change(file: Path, statement: str) -> None:
    """Change a file without the bot's knowledge."""
    connection = sqlite3.connect(file)
    connection.execute(statement)
    connection.commit()
    connection.close()


CASES: dict[Callable[[Path], None], tuple[str, str]] = {
    garbage: ("is not an SQLite database", "restore FILE"),
    truncated: ("cut short", "restore FILE"),
    barely_begun: ("cut short", "restore FILE"),
    newer: ("newer version", "Install that version"),
    foreign: ("another program", "Set another file"),
    with_alembic: ("another program", "Set another file"),
    folder: ("is a folder", "name of a file"),
}
"""The content in place of a database, and the expected error and advice."""


@pytest.mark.parametrize("spoil", CASES, ids=lambda spoil: spoil.__name__)
async def test_a_file_that_is_not_our_database_is_refused(
    tmp_path: Path, migrated: Path, spoil: Callable[[Path], None]
) -> None:
    """A file that is not a database of this program is named and left exactly as it was."""
    file = tmp_path / "spoilt.db"
    shutil.copyfile(migrated, file)
    spoil(file)
    before = file.read_bytes() if file.is_file() else b""
    store = Store(address_of(file))
    with pytest.raises(Unfit) as refused:
        await store.open()
    await store.close()
    assert all(part in str(refused.value) for part in CASES[spoil])
    # Opening a database may switch its log on, which changes two bytes of its header.
    after = file.read_bytes() if file.is_file() else b""
    assert (len(after), after[100:]) == (len(before), before[100:])


async def test_a_page_that_is_damaged_is_named(tmp_path: Path, migrated: Path) -> None:
    """A database with a valid header and a damaged first page is named without a traceback."""
    file = tmp_path / "damaged.db"
    shutil.copyfile(migrated, file)
    with file.open("r+b") as opened:
        opened.seek(100)
        opened.write(b"\xff" * 3000)
    store = Store(address_of(file))
    with pytest.raises((Unfit, Unavailable)):
        await store.open()
    await store.close()


async def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    """A missing folder is named, and nothing is created."""
    store = Store(address_of(tmp_path / "none" / "x.db"))
    with pytest.raises(Unfit, match="does not exist"):
        await store.open()
    assert not (tmp_path / "none").exists()


PLAIN = {
    "unreadable": (0o000, 0o755, "readable and writable"),
    "read-only": (0o444, 0o755, "writable"),
    "unwritable folder": (0o644, 0o555, "writable"),
}
"""The modes of a file and its folder that another user owns, and the expected advice."""


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be somebody else"
)
def test_the_command_says_it_in_one_line(migrated: Path, tmp_path: Path) -> None:
    """The command reports every unreadable or unwritable path in one line, without a traceback."""
    files = [Path(shutil.copyfile(migrated, tmp_path / "sound.db"))]
    # Not inside pytest's own folder, which other users may not enter.
    with tempfile.TemporaryDirectory(dir="/tmp") as scratch:
        Path(scratch).chmod(0o755)
        for number, (of_file, of_folder, _) in enumerate(PLAIN.values()):
            folder = Path(scratch, str(number))
            folder.mkdir()
            files.append(Path(shutil.copyfile(migrated, folder / "x.db")))
            files[-1].chmod(of_file)
            folder.chmod(of_folder)
        addresses = [address_of(path) for path in files]
        ended = subprocess.run(
            [sys.executable, "-c", OPEN, *addresses],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
    lines = ended.stdout.splitlines()
    assert len(lines) == len(PLAIN), ended.stderr
    for line, file, (*_, advice) in zip(lines, files[1:], PLAIN.values(), strict=True):
        assert str(file.parent) in line
        assert advice in line
    assert not ended.stderr


OPEN = """
import asyncio, os, sys
from bot.app import open_services
from bot.settings import Settings
from bot.settings import SettingsError

async def main(url):
    async with open_services(Settings(database_url=url, workers=1)):
        pass

# Python may be somewhere that only root can read: whatever is imported late is imported now.
asyncio.run(main(sys.argv[1]))

# Root may do everything; from here on this is somebody who may not.
os.setgroups([])
os.setresgid(65534, 65534, 65534)
os.setresuid(65534, 65534, 65534)

for url in sys.argv[2:]:
    try:
        asyncio.run(main(url))
    except SettingsError as error:
        print(error)
"""
