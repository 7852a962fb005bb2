"""The commands for opening books."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import pytest

from engine.cli.main import main
from engine.games.connect4.solver.book import Book
from tests.builders import ROOT, Output
from tests.children import Child


def status_of(arguments: list[str]) -> int | str | None:
    """The exit status of a command, whether it returns or raises SystemExit."""
    try:
        return main(arguments)
    except SystemExit as leaving:
        return leaving.code


def test_build_writes_a_book(tmp_path: Path, capsys: Output) -> None:
    """`book build` shows its progress on standard error and prints a summary of the book."""
    path = tmp_path / "4x4.book"
    assert main(["book", "build", "4x4", "4", "--out", str(path), "--threads", "2"]) == 0
    printed = capsys.readouterr()
    assert printed.out == f"{path}: 119 positions\n"
    assert "4x4, 4 plies" in printed.err
    assert "82/82" in printed.err
    assert len(Book.open(path)) == 119
    assert [file.name for file in tmp_path.iterdir()] == ["4x4.book"]


def test_build_uses_all_processors_by_default(tmp_path: Path, capsys: Output) -> None:
    """Without `--threads`, a book is built on all processors."""
    path = tmp_path / "4x4.book"
    assert main(["book", "build", "4x4", "2", "--out", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: 11 positions\n"


def test_info_describes_a_book(capsys: Output) -> None:
    """`book info` prints the size, the plies and the number of positions."""
    path = ROOT / "engine" / "games" / "connect4" / "solver" / "books" / "6x7.book"
    assert main(["book", "info", str(path)]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines == [["size", "6x7"], ["plies", "0-8"], ["positions", "129,498"]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["build", "3x3", "4", "--out", "{}/a.book"], "'3x3' is not a variant"),
        (["build", "4x4", "-1", "--out", "{}/a.book"], "-1"),
        (["build", "4x4", "four", "--out", "{}/a.book"], "'four' is not a whole number"),
        (["build", "4x4", "16", "--out", "{}/a.book"], "0 to 15 plies, not 16"),
        (["build", "4x4", "4"], "--out"),
        (["build", "4x4", "4", "--out", "{}/a.book", "--threads", "0"], "at least one thread"),
        (["build", "4x4", "4", "--out", "{}/missing/a.book"], "missing"),
        (["build", "4x4", "4", "--out", "{}/other.book"], "other.journal is no journal of 4x4"),
        (["info", "{}/missing.book"], "missing.book"),
        (["info", "{}/other.journal"], "other.journal is no book"),
        (["info"], "FILE"),
        ([], "ACTION"),
    ],
    ids=" ".join,
)
def test_input_that_cannot_be_used_exits_with_2(
    arguments: list[str], message: str, tmp_path: Path, capsys: Output
) -> None:
    """Unusable input prints only a message on standard error, and the exit status is 2."""
    (tmp_path / "other.journal").write_text("5 5 3\n", encoding="utf-8")
    assert status_of(["book", *(word.format(tmp_path) for word in arguments)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err.replace("\n", "")
    assert "Traceback" not in printed.err
    assert [file.name for file in tmp_path.iterdir()] == ["other.journal"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no Ctrl-C to one process")
def test_ctrl_c_keeps_the_journal(tmp_path: Path) -> None:
    """An interrupted build reports that, exits with 130 and keeps its results."""
    path, journal = tmp_path / "5x7.book", tmp_path / "5x7.journal"
    command = [sys.executable, "-m", "engine", "book", "build", "5x7", "8", "--out", str(path)]
    with Child(*command, "--threads", "2", cwd=ROOT) as build:
        while build.status is None and not (
            journal.exists() and journal.read_bytes().count(b"\n") > 3
        ):
            time.sleep(0.05)
        build.signal(signal.SIGINT)
        ended = build.wait()
    printed = ended.err
    assert ended.status == 130, printed
    assert "stopped; the same command goes on from here" in printed
    assert "Traceback" not in printed
    head, *lines = journal.read_text(encoding="utf-8").splitlines()
    assert head == "5 7 8"
    assert len(lines) >= 3
    assert not path.exists()
