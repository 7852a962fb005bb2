"""Building books: from the solver or from a deeper book, in one run or in several."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.values import Value
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver import Solver
from engine.games.connect4.solver.book import BOOKS, Book
from engine.games.connect4.solver.building import build_book
from engine.games.connect4.solver.retrograde import list_layers

pytestmark = pytest.mark.long

SMALL = Connect4(4, 4)


class EnoughResults(Exception):
    """Raised when a build has reported enough results."""


class Reports:
    """Records what a build reports, and stops it after a number of results."""

    def __init__(self, most: int | None = None) -> None:
        self.heard: list[tuple[int, int]] = []
        self._most = most

    def __call__(self, done: int, total: int) -> None:
        """Record the progress."""
        self.heard.append((done, total))
        if done == self._most:
            raise EnoughResults


def stopped(path: Path, results: int, threads: int = 1) -> list[str]:
    """Build 4x4 with six plies until a number of results, and return the journal's lines.

    How far the threads run ahead of the reports depends on the machine: the surplus is cut off.
    """
    with pytest.raises(EnoughResults):
        build_book(SMALL, 6, path, threads, Reports(results))
    assert not path.exists()
    journal = path.with_suffix(".journal")
    lines = journal.read_text(encoding="utf-8").splitlines()
    assert len(lines) > results
    del lines[results + 1 :]
    journal.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return lines


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The book of 4x4 with six plies, built in one run."""
    path = tmp_path_factory.mktemp("whole") / "4x4.book"
    build_book(SMALL, 6, path, 1, Reports())
    return path.read_bytes()


@pytest.mark.parametrize(("size", "plies"), [("4x4", 4), ("4x5", 3), ("4x4", 0)])
def test_a_book_agrees_with_the_solver(size: str, plies: int, tmp_path: Path) -> None:
    """Every position of the opening is in the book, with the end that the solver finds."""
    game, path = Connect4.from_variant(size), tmp_path / "some.book"
    reports = Reports()
    positions = build_book(game, plies, path, 1, reports)
    book, solver, layers = Book.open(path), Solver(game), list_layers(game, plies)
    assert (book.rows, book.columns, book.plies) == (game.rows, game.columns, range(plies + 1))
    assert positions == len(book) == sum(layer.keys.size for layer in layers)
    for layer in layers:
        for first, second in zip(layer.firsts.tolist(), layer.seconds.tolist(), strict=True):
            position = Connect4Position(game, first, second)
            score = solver.solve(position).score
            assert score is not None
            assert (
                book.end_of(position)
                == Value.from_score(score, position.to_move, game.rows * game.columns).end
            )
    total = int((~layers[-1].wins).sum())
    assert reports.heard == [(done, total) for done in range(total + 1)]
    assert [file.name for file in tmp_path.iterdir()] == ["some.book"]


def test_the_classic_opening_comes_from_the_deep_book(tmp_path: Path) -> None:
    """Up to twelve plies of 6x7 are copied from the shipped data without a search."""
    path, reports = tmp_path / "6x7.book", Reports()
    positions = build_book(Connect4(6, 7), 4, path, 1, reports)
    assert reports.heard == [(positions, positions)]
    assert [file.name for file in tmp_path.iterdir()] == ["6x7.book"]
    assert records(path) <= records(BOOKS / "6x7.book")
    assert len(records(path)) == positions > 700


def records(path: Path) -> set[tuple[int, int]]:
    """The keys and ends of a book file: a header of 16 bytes, and each end in one byte."""
    data = path.read_bytes()
    size = data[11] + 1
    found = (data[at : at + size] for at in range(16, len(data), size))
    return {(int.from_bytes(one[:-1]), one[-1]) for one in found}


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stopped_build_resumes(threads: int, whole: bytes, tmp_path: Path) -> None:
    """A resumed build solves only what is missing from the journal, and gives the same book."""
    path = tmp_path / "4x4.book"
    head, *lines = stopped(path, 20, threads)
    assert head == "4 4 6"
    kept = len(lines)
    assert kept >= 20
    reports = Reports()
    build_book(SMALL, 6, path, threads, reports)
    total = reports.heard[0][1]
    assert kept < total
    assert reports.heard == [(done, total) for done in range(kept, total + 1)]
    assert path.read_bytes() == whole
    assert not path.with_suffix(".journal").exists()


def test_journal_entries_are_not_verified(whole: bytes, tmp_path: Path) -> None:
    """A result in the journal is copied into the book without being verified."""
    path = tmp_path / "4x4.book"
    *lines, last = stopped(path, 20)
    key = last.split()[0]
    text = "".join(f"{line}\n" for line in [*lines, f"{key} 99"])
    path.with_suffix(".journal").write_text(text, encoding="utf-8")
    build_book(SMALL, 6, path, 1, Reports())
    key_bytes = (2 * 6 + 4 + 7) // 8
    assert int(key).to_bytes(key_bytes, "big") + bytes([99]) in path.read_bytes()
    assert path.read_bytes() != whole


@pytest.mark.parametrize("rest", [b"1", b"1234", b"9 ", b"65535 1"])
def test_a_broken_last_line_is_ignored(rest: bytes, whole: bytes, tmp_path: Path) -> None:
    """An incomplete last line, which a kill during a write leaves, is ignored."""
    path = tmp_path / "4x4.book"
    kept = len(stopped(path, 20)) - 1
    with path.with_suffix(".journal").open("ab") as file:
        file.write(rest)
    reports = Reports()
    build_book(SMALL, 6, path, 1, reports)
    assert reports.heard[0][0] == kept
    assert path.read_bytes() == whole


@pytest.mark.parametrize("head", [b"", b"4", b"4 4 6"])
def test_a_journal_with_a_broken_first_line_is_begun_again(
    head: bytes, whole: bytes, tmp_path: Path
) -> None:
    """A journal with an incomplete first line is begun again."""
    path = tmp_path / "4x4.book"
    path.with_suffix(".journal").write_bytes(head)
    build_book(SMALL, 6, path, 1, Reports())
    assert path.read_bytes() == whole


@pytest.mark.parametrize("content", [b"4 5 6\n", b"4 4 5\n12 0\n", b"4 4 66", b"My diary\n"])
def test_another_journal_is_refused(content: bytes, tmp_path: Path) -> None:
    """The journal of another size or depth raises ValueError and is left unchanged."""
    path = tmp_path / "4x4.book"
    journal = path.with_suffix(".journal")
    journal.write_bytes(content)
    with pytest.raises(ValueError, match=r"4x4\.journal is no journal of 4x4 with 6 plies"):
        build_book(SMALL, 6, path, 1, Reports())
    assert journal.read_bytes() == content
    assert not path.exists()


def test_a_damaged_journal_is_refused(tmp_path: Path) -> None:
    """A complete line that is not a result raises ValueError."""
    path = tmp_path / "4x4.book"
    path.with_suffix(".journal").write_bytes(b"4 4 6\n12 0\nhello\n13 0\n")
    with pytest.raises(ValueError, match=r"4x4\.journal is damaged"):
        build_book(SMALL, 6, path, 1, Reports())


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_build_the_same_book(threads: int, whole: bytes, tmp_path: Path) -> None:
    """Any number of threads builds the same file."""
    path = tmp_path / "4x4.book"
    build_book(SMALL, 6, path, threads, Reports())
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("size", "plies", "threads", "message"),
    [
        ("4x4", 16, 1, "0 to 15 plies, not 16"),
        ("8x8", 29, 1, "0 to 28 plies, not 29"),
        ("4x4", -1, 1, "0 to 15 plies, not -1"),
        ("4x4", 2, 0, "at least one thread, not 0"),
    ],
)
def test_impossible_books_are_refused(
    size: str, plies: int, threads: int, message: str, tmp_path: Path
) -> None:
    """Too many plies for the board or its keys, and fewer than one thread, raise ValueError."""
    with pytest.raises(ValueError, match=message):
        build_book(Connect4.from_variant(size), plies, tmp_path / "a.book", threads, Reports())
    assert list(tmp_path.iterdir()) == []
