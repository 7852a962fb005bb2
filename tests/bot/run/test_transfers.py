"""The command that copies everything to another database, as it is typed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from shutil import copyfile

import pytest
from rich.console import Console

import bot.__main__ as program
from bot.run import maintenance
from tests.bot.databases import address_of

Migrate = Callable[[Path, Path], int]


@pytest.fixture
def given(migrated: Path, tmp_path: Path) -> Path:
    """A database with one person in it."""
    file = copyfile(migrated, tmp_path / "given.db")
    connection = sqlite3.connect(file)
    connection.executemany(
        "INSERT INTO players (id, joined_at) VALUES (?, 1.5)", [(n,) for n in range(20)]
    )
    connection.commit()
    connection.close()
    return file


@pytest.fixture
def migrate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Migrate:
    """Run the command; returns its exit status."""
    monkeypatch.chdir(tmp_path)

    def run(source: Path, target: Path) -> int:
        addresses = (address_of(file) for file in (source, target))
        given, wanted = addresses
        return program.main(["migrate-data", "--from", given, "--to", wanted])

    return run


def test_copied_tables_are_listed(
    given: Path, migrate: Migrate, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The output lists each table with its rows and progress, and the next step."""
    assert migrate(given, tmp_path / "new.db") == 0
    out = capsys.readouterr().out
    assert "copying players: 100 %\n" in out
    assert "checking players: 100 %\n" in out
    listed = {
        line.split()[0]: line.split()[1] for line in out.splitlines() if len(line.split()) > 1
    }
    assert (listed["players"], listed["games"]) == ("20", "0")
    assert "Everything was copied: 20 rows, all equal. Set DATABASE_URL" in out


def test_a_failure_is_one_line(
    given: Path, migrate: Migrate, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A target that is already complete is refused in one line on stderr with status 1."""
    assert migrate(given, tmp_path / "new.db") == 0
    capsys.readouterr()
    assert migrate(given, tmp_path / "new.db") == 1
    printed = capsys.readouterr()
    assert printed.err.startswith(f"cuatro: The target {tmp_path / 'new.db'} cannot be used.")
    assert printed.err.count("\n") == 1
    assert printed.out == ""


@pytest.mark.parametrize(("option", "wrong"), [("--from", "x.db"), ("--to", "mysql://h/d")])
def test_a_wrong_address_names_its_option(
    option: str, wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An invalid address is named with its option and status 2, as for settings."""
    addresses = {"--from": "sqlite+aiosqlite:///a.db", "--to": "sqlite+aiosqlite:///b.db"}
    addresses[option] = wrong
    words = [word for pair in addresses.items() for word in pair]
    assert program.main(["migrate-data", *words]) == 2
    assert capsys.readouterr().err.startswith(f"cuatro: {option} ")


def test_a_terminal_is_shown_a_bar(given: Path, tmp_path: Path) -> None:
    """On a terminal a progress bar shows the table that is copied or checked."""
    console = Console(
        force_terminal=True, record=True, width=100, file=(tmp_path / "out").open("w")
    )
    addresses = [address_of(file) for file in (given, tmp_path / "new.db")]
    assert maintenance.migrate_data(addresses[0], addresses[1], console) == 0
    console.file.close()
    assert "Everything was copied: 20 rows" in console.export_text()


def test_ctrl_c_explains_how_to_continue(
    given: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C ends the command with status 1 and explains how to continue."""

    class Interrupted(Console):
        """A console on which Ctrl-C is pressed as the first line appears."""

        def print(self, *_things: object, **_how: object) -> None:
            """Raise the interrupt."""
            raise KeyboardInterrupt

    addresses = [address_of(file) for file in (given, tmp_path / "new.db")]
    status = maintenance.migrate_data(addresses[0], addresses[1], Interrupted(force_terminal=False))
    assert status == 1
    assert capsys.readouterr().err == "cuatro: Stopped. Run the same command again to continue.\n"
