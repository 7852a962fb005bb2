"""Opening books: their keys, their files, and the values in the shipped ones."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from engine.core.game import replay
from engine.core.values import Value
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver import Solver
from engine.games.connect4.solver.book import BOOKS, Book, DeepBook, keys_of, write_book
from tests.builders import CLASSIC

SMALL = Connect4(4, 4)


def after(moves: str, game: Connect4 = CLASSIC) -> Connect4Position:
    """The position after some moves."""
    return replay(game, game.moves(moves))


@pytest.fixture(scope="module")
def shipped() -> Book:
    """The book of the classic board."""
    return Book.open(BOOKS / "6x7.book")


@pytest.fixture(scope="module")
def deep() -> DeepBook:
    """The positions of the classic board with twelve stones."""
    return DeepBook.open()


@pytest.mark.parametrize(
    ("moves", "keys"),
    [
        ("", (0, 0)),
        ("1", (0b10_0_0_0_0, 0b0_0_0_10_0)),
        ("11", (0b1011_0_0_0_0, 0b0_0_0_1011_0)),
        ("12", (0b10_0_11_0_0_0, 0b0_0_11_0_10_0)),
        ("2321", (0b11_0_1010_0_11_0_0, 0b0_11_0_1010_0_11_0)),
    ],
)
def test_a_key_writes_the_columns_from_the_left_and_from_the_bottom(
    moves: str, keys: tuple[int, int]
) -> None:
    """A key has 10 and 11 for the players' stones and 0 for the end of each column."""
    assert keys_of(after(moves, SMALL)) == keys


def test_mirroring_swaps_the_keys() -> None:
    """Mirroring a position swaps its two keys, and a symmetric position has two equal ones."""
    key, mirror = keys_of(after("1223"))
    assert keys_of(after("7665")) == (mirror, key)
    assert key != mirror
    key, mirror = keys_of(after("44"))
    assert key == mirror


def test_written_entries_are_read_back(tmp_path: Path) -> None:
    """Entries in any order are found again, for a position and its mirror image alike."""
    path = tmp_path / "small.book"
    moves = {"": 0, "1": -12, "2": 13, "12": -128, "13": 127, "22": 1}
    write_book(path, 4, 4, 2, [(min(keys_of(after(m, SMALL))), e) for m, e in moves.items()][::-1])
    book = Book.open(path)
    assert (book.rows, book.columns, book.plies, len(book)) == (4, 4, range(3), 6)
    assert {m: book.end_of(after(m, SMALL)) for m in moves} == moves
    turned = str.maketrans("1234", "4321")
    assert {m: book.end_of(after(m.translate(turned), SMALL)) for m in moves} == moves
    assert [file.name for file in tmp_path.iterdir()] == ["small.book"]


def test_a_position_outside_the_book_is_unknown(tmp_path: Path) -> None:
    """A book answers None below, between and above its entries, and an empty book always."""
    path = tmp_path / "small.book"
    write_book(path, 4, 4, 2, [(min(keys_of(after("12", SMALL))), 3)])
    book = Book.open(path)
    assert [book.end_of(after(moves, SMALL)) for moves in ("", "1", "11", "13", "22")] == [None] * 5
    write_book(path, 4, 4, 2, [])
    assert Book.open(path).end_of(SMALL.start()) is None


@pytest.mark.parametrize("content", [b"", b"CUATRO1\0", b"Connect 4 openings, one a line\n"])
def test_another_file_is_not_a_book(content: bytes, tmp_path: Path) -> None:
    """Opening a file that is not a book raises ValueError with its name."""
    path = tmp_path / "other.book"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"other\.book is no book"):
        Book.open(path)


def test_a_book_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    """Opening a book whose last entry is incomplete raises ValueError."""
    path = tmp_path / "short.book"
    path.write_bytes((BOOKS / "6x7.book").read_bytes()[:1001])
    with pytest.raises(ValueError, match=r"short\.book is cut off"):
        Book.open(path)


def test_the_shipped_book_holds_the_opening(shipped: Book) -> None:
    """The book of 6x7 contains all positions with at most eight stones, one of each mirror pair."""
    assert (shipped.rows, shipped.columns, shipped.plies) == (6, 7, range(9))
    assert len(shipped) == 129_498


def test_the_first_moves_of_the_classic_board(shipped: Book) -> None:
    """The first player wins by the middle, draws beside it and loses by the other columns."""
    assert shipped.end_of(CLASSIC.start()) == 41
    ends = [shipped.end_of(after(move)) for move in "1234567"]
    assert ends == [-40, -42, 0, 41, 0, -42, -40]


def test_the_second_player_answers_the_middle_with_the_middle(shipped: Book) -> None:
    """Only on top of the first stone does the second player last until the 41st."""
    ends = [shipped.end_of(after("4" + move)) for move in "1234567"]
    assert ends == [35, 39, 39, 41, 39, 39, 35]


@pytest.mark.parametrize(
    ("moves", "end"),
    [
        ("121212", 7),  # three on one another, and the fourth is free
        ("1232526", -8),  # the same for the other side
        ("44375", 7),  # three on the ground with both ends free
        ("4437", 7),  # which two stones with free ends grow into
    ],
)
def test_the_shipped_book_sees_short_wins(moves: str, end: int, shipped: Book) -> None:
    """A short win is in the book with the number of its last stone."""
    assert shipped.end_of(after(moves)) == end


def test_the_deep_book_holds_twelve_stones(deep: DeepBook) -> None:
    """The deep book has the 4,200,899 positions without an immediate win, one per mirror pair."""
    assert len(deep) == 4_200_899
    keys, ends = deep.table()
    assert keys.size == ends.size == 4_200_899
    assert (keys[1:] > keys[:-1]).all()
    assert set(ends[ends > 0] % 2) == {1}
    assert set(ends[ends < 0] % 2) == {0}
    assert (ends.min(), ends.max()) == (-42, 41)


def test_the_deep_book_sees_a_double_threat(deep: DeepBook) -> None:
    """Three in the bottom row with both ends free win two stones later, on either side."""
    assert deep.end_of(after("733445577777")) == -14
    assert deep.end_of(after("155443311111")) == -14


def test_the_deep_book_agrees_with_the_solver(deep: DeepBook) -> None:
    """Random positions with twelve stones have the solver's result, or an immediate win."""
    rng, solver, checked = Random(12), Solver(CLASSIC), 0
    while checked < 20:
        position = CLASSIC.start()
        while position.ply < 12 and position.outcome is None:
            position = position.play(rng.choice(position.legal_moves()))
        if position.outcome is not None:
            continue
        if any(position.play(move).outcome is not None for move in position.legal_moves()):
            assert deep.end_of(position) is None
            continue
        score = solver.solve(position).score
        assert score is not None
        assert deep.end_of(position) == Value.from_score(score, position.to_move, 42).end
        checked += 1


@pytest.mark.parametrize("moves", ["", "44444", "121212"])
def test_the_deep_book_has_only_twelve_stones(moves: str, deep: DeepBook) -> None:
    """Positions with fewer stones are not in the deep book."""
    assert deep.end_of(after(moves)) is None
