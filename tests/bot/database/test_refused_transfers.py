"""Transfers that are refused, and their messages."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from shutil import copyfile

import pytest

from bot.database.transfer import Step, transfer
from tests.bot.database.transferring import change, cut_short, opened, refused
from tests.bot.databases import BLANK, Server, address_of, file_of


@pytest.mark.postgres
async def test_a_value_that_does_not_fit_is_reported(given: str, server: Server) -> None:
    """A value that fits SQLite but not the server stops the transfer.

    The message names the row's table.
    """
    await change(given, "UPDATE games SET winner = 5000000000 WHERE id = 2")
    with server.copy(BLANK) as target:
        line = await refused(given, target)
        assert "storing the first rows of games" in line
        assert "5000000000" in line
        assert "class" not in line


@pytest.mark.postgres
async def test_a_running_bot_is_found(
    source: str, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A transfer from a database that a running bot uses is refused."""
    monkeypatch.setattr("bot.database.postgres.HOLD_PAUSE", 0.01)
    async with opened(source):
        assert "A running bot or another program has it open" in await refused(source, target)


async def test_a_file_is_kept_from_others_meanwhile(given: str, tmp_path: Path) -> None:
    """A bot that is started during a transfer cannot open the file."""
    seen: list[bool] = []

    def look(step: Step) -> None:
        if not seen:
            seen.append(_is_locked(file_of(given)))

    await transfer(given, address_of(tmp_path / "target.db"), look)
    assert seen == [True]


def _is_locked(file: Path) -> bool:
    connection = sqlite3.connect(file, timeout=0)
    try:
        connection.execute("SELECT * FROM games LIMIT 1").fetchall()
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    finally:
        connection.close()
    return False


async def test_the_same_database_is_refused(given: str) -> None:
    """A transfer from a database to itself is refused, however its address is written."""
    assert "same database" in await refused(given, given)
    assert "same database" in await refused(given, given.replace("given.db", "./given.db"))


@pytest.mark.parametrize(
    ("statements", "reason"),
    [
        (["INSERT INTO notes VALUES ('health', 'written')"], "is not empty (notes)"),
        (["UPDATE alembic_version SET version_num = '9000'"], "newer version"),
        (["DROP TABLE games", "CREATE TABLE songs (id INTEGER)"], "another program"),
        (
            [
                "CREATE TABLE unfinished_transfer (source TEXT, revision TEXT)",
                "INSERT INTO unfinished_transfer VALUES ('/elsewhere.db', '0001')",
            ],
            "a transfer from /elsewhere.db",
        ),
    ],
    ids=["not empty", "newer", "another program's", "another transfer's"],
)
async def test_a_target_that_is_not_empty_is_refused(
    given: str, tmp_path: Path, migrated: Path, statements: list[str], reason: str
) -> None:
    """A target that is not empty is refused and stays unchanged to the byte."""
    file = copyfile(migrated, tmp_path / "target.db")
    for statement in statements:
        await change(address_of(file), statement)
    before = file.read_bytes()
    assert reason in await refused(given, address_of(file))
    assert file.read_bytes() == before


async def test_an_unfinished_target_of_another_version_is_refused(
    given: str, tmp_path: Path
) -> None:
    """An unfinished target of another version is refused, because its tables may differ."""
    target = address_of(tmp_path / "target.db")
    await cut_short(given, target)
    await change(target, "UPDATE unfinished_transfer SET revision = '0001'")
    assert "another version of this program" in await refused(given, target)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("UPDATE alembic_version SET version_num = '0001'", "Start this version of the bot"),
        ("UPDATE alembic_version SET version_num = '9000'", "newer version"),
        ("CREATE TABLE unfinished_transfer (source TEXT)", "unfinished target"),
    ],
    ids=["older", "newer", "unfinished"],
)
async def test_a_source_that_is_not_ready_is_refused(
    given: str, tmp_path: Path, statement: str, reason: str
) -> None:
    """A source that must be migrated first is refused with that advice; no target is created."""
    await change(given, statement)
    assert reason in await refused(given, address_of(tmp_path / "target.db"))
    assert not (tmp_path / "target.db").exists()


async def test_a_source_that_is_not_a_database_is_refused(given: str, tmp_path: Path) -> None:
    """A source that is missing, empty, a folder or not a database is refused."""
    for name, content in (("empty.db", b""), ("garbage.db", bytes(range(256)) * 40)):
        (tmp_path / name).write_bytes(content)
    reasons = {"missing.db": "no such file", "empty.db": "nothing to copy",
               "garbage.db": "not an SQLite database", ".": "a folder"}  # fmt: skip
    for name, reason in reasons.items():
        line = await refused(address_of(tmp_path / name), address_of(tmp_path / "target.db"))
        assert reason in line, name
    assert "folder" in await refused(given, address_of(tmp_path))


async def test_a_server_that_is_not_there_is_named(given: str) -> None:
    """A server that cannot be reached is named without its password."""
    line = await refused(given, "postgresql+asyncpg://me:secret@127.0.0.1:1/none")
    assert line.startswith("The target 127.0.0.1:1/none: ")
    assert "must be running" in line
    assert "secret" not in line
