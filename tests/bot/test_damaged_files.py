"""Damaged pages of a database file are reported in one sentence with advice, not a traceback."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from shutil import copyfile

import pytest

from bot.__main__ import main
from tests.bot.databases import address_of

Capture = pytest.CaptureFixture[str]

GARBAGE = b"\xa5"
TABLES = ("games", "processes", "notes", "alembic_version", "ix_games_owner")
"""Each of these is read at a different time of a start, or only during a game."""
DAMAGED_PARTS = ("all", "half", "schema")


@pytest.fixture
def damaged(tmp_path: Path, migrated: Path, request: pytest.FixtureRequest) -> Path:
    """A database with a valid header and some damaged pages."""
    file = Path(copyfile(migrated, tmp_path / "damaged.db"))
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        roots = dict(connection.execute("SELECT name, rootpage FROM sqlite_master"))
    raw, what = bytearray(file.read_bytes()), request.param
    if what == "half":
        raw = raw[: len(raw) // 2]
    elif what == "all":
        raw[size:] = GARBAGE * (len(raw) - size)
    elif what == "schema":
        raw[100:size] = GARBAGE * (size - 100)
    else:
        begin = (roots[what] - 1) * size
        raw[begin : begin + size] = GARBAGE * size
    file.write_bytes(raw)
    return file


def use(patch: pytest.MonkeyPatch, database: Path, **others: str) -> None:
    """Set the database's address and further settings."""
    patch.setenv("DATABASE_URL", address_of(database))
    for name, value in others.items():
        patch.setenv(name, value)


def said(capsys: Capture) -> str:
    """The only line on stderr besides those of the log."""
    lines = [one for one in capsys.readouterr().err.splitlines() if one.startswith("cuatro: ")]
    assert len(lines) == 1, lines
    return lines[0]


@pytest.mark.parametrize("damaged", DAMAGED_PARTS + TABLES, indirect=True)
def test_a_backup_of_a_damaged_file_is_refused(
    damaged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """A backup of a damaged file writes nothing and advises to restore an earlier one."""
    use(monkeypatch, damaged)
    target = tmp_path / "copy.db"
    assert main(["backup", str(target)]) == 2
    assert "is damaged. Put a backup in its place with `cuatro restore FILE`" in said(capsys)
    assert not target.exists()


@pytest.mark.parametrize("damaged", DAMAGED_PARTS + TABLES, indirect=True)
def test_a_damaged_backup_is_not_restored_and_a_good_one_is(
    damaged: Path,
    tmp_path: Path,
    migrated: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    """A damaged backup is refused and a good one restored; the damaged file is kept."""
    before, present = damaged.read_bytes(), copyfile(migrated, tmp_path / "present.db")
    use(monkeypatch, Path(present))
    assert main(["restore", str(damaged)]) == 2
    assert "is damaged, and nothing has changed. Restore another backup" in said(capsys)
    use(monkeypatch, damaged)
    assert main(["restore", str(migrated)]) == 0
    (kept,) = tmp_path.glob("damaged.replaced-*.db")
    assert kept.read_bytes()[100:] == before[100:]
    assert main(["backup", str(tmp_path / "copy.db")]) == 0


@pytest.mark.parametrize("damaged", [*DAMAGED_PARTS, "games", "alembic_version"], indirect=True)
def test_a_damaged_source_is_not_migrated(damaged: Path, tmp_path: Path, capsys: Capture) -> None:
    """Migrating from a damaged source ends with advice, like a wrong address."""
    address = "sqlite+aiosqlite:///"
    target = tmp_path / "target.db"
    ends = ("--from", f"{address}{damaged.as_posix()}", "--to", f"{address}{target.as_posix()}")
    assert main(["migrate-data", *ends]) == 2
    assert "Put a backup in its place with `cuatro restore FILE`" in said(capsys)


@pytest.mark.parametrize("damaged", [*DAMAGED_PARTS, "alembic_version"], indirect=True)
def test_commands_are_not_sent_with_a_damaged_file(
    damaged: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """`sync` reports a damaged database before it connects to Discord."""
    unreachable = {"DISCORD_TOKEN": "a.b.c", "DISCORD_API_URL": "http://127.0.0.1:9"}
    use(monkeypatch, damaged, **unreachable)
    assert main(["sync"]) == 2
    assert "Put a backup in its place with `cuatro restore FILE`" in said(capsys)


@pytest.mark.parametrize("damaged", ["games", "processes", "notes"], indirect=True)
def test_a_start_that_meets_damage_ends_with_one_sentence(
    damaged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """A start ends with one sentence, even if the damage is found after the check of the tables."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    use(monkeypatch, damaged, CUATRO_PORT="0", CUATRO_HEALTH_PORT="0")
    assert main([]) == 2
    printed = capsys.readouterr().err
    assert "Traceback" not in printed
    assert "Put a backup in its place with `cuatro restore FILE`" in printed
