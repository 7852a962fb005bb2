"""The plain rules of Gato."""

from __future__ import annotations

import pytest

from engine.core.game import (
    Cell,
    IllegalMove,
    Move,
    NotAMove,
    Outcome,
    Player,
    Square,
    UnknownVariant,
    replay,
    target,
)
from engine.games.gato.compiled import lines as compiled_lines
from engine.games.gato.rules import LINES, SQUARES, Gato, GatoPosition, squares_of

DRAWN = "b4b1c2c1c4c3a1b2d2a4d1d3b3d4a3a2"
WON = "a1a2b1b2c1c2d1"


def play(moves: str) -> GatoPosition:
    """The position after a game as text."""
    return replay(Gato(), Gato().moves(moves))  # type: ignore[return-value]


def test_there_are_ten_lines() -> None:
    """Four rows, four columns and two diagonals of four squares each are the lines."""
    squares = [{tuple(square) for square in squares_of(line)} for line in LINES]
    rows = [{(n, step) for step in range(4)} for n in range(4)]
    columns = [{(step, n) for step in range(4)} for n in range(4)]
    diagonals = [{(n, n) for n in range(4)}, {(n, 3 - n) for n in range(4)}]
    assert squares == rows + columns + diagonals


@pytest.mark.parametrize(
    ("moves", "squares"),
    [
        ("a2a1b2b1c2c1d2", {(1, 0), (1, 1), (1, 2), (1, 3)}),
        ("c1a1c2b1c3d1c4", {(0, 2), (1, 2), (2, 2), (3, 2)}),
        ("a1b1b2c1c3d1d4", {(0, 0), (1, 1), (2, 2), (3, 3)}),
        ("a4a1b3b1c2c1d1", {(3, 0), (2, 1), (1, 2), (0, 3)}),
        ("a2a1b2b1c2c1d4d1", {(0, 0), (0, 1), (0, 2), (0, 3)}),
        ("a4b3c2d2b2c4d4b1b4c3c1a2a1a3d1d3", {(2, n) for n in range(4)}),
        (
            "d3b3b4d1d2a4a3c1d4c4a2c3b2c2",
            {(0, 3), (1, 2), (2, 1), (3, 0), (0, 2), (2, 2), (3, 2)},
        ),
    ],
    ids=[
        "row",
        "column",
        "falling",
        "rising",
        "second player",
        "on the last square",
        "column and diagonal",
    ],
)
def test_four_in_line_wins(moves: str, squares: set[tuple[int, int]]) -> None:
    """Four in line end the game, and the outcome holds every square of every completed line."""
    position = play(moves)
    winner = Player.FIRST if position.ply % 2 else Player.SECOND
    assert position.outcome == Outcome(winner, frozenset(Square(*square) for square in squares))
    assert play(moves[:-2]).outcome is None
    assert position.legal_moves() == ()


def test_a_full_board_without_a_line_is_a_draw() -> None:
    """If the last square is taken and neither player has four in line, the game is drawn."""
    position = play(DRAWN)
    assert position.ply == 16
    assert position.outcome == Outcome(None, frozenset())
    assert play(DRAWN[:-2]).outcome is None


@pytest.mark.parametrize(
    ("moves", "move", "reason"),
    [
        ("a1", 0, "taken"),
        ("a1d4", 15, "taken"),
        ("", 16, "outside"),
        ("", -1, "outside"),
        ("a1", 100, "outside"),
        (WON, 15, "over"),
        (WON, 0, "over"),
        (WON, 16, "over"),
        (DRAWN, 3, "over"),
    ],
)
def test_moves_that_are_not_allowed_are_refused(moves: str, move: int, reason: str) -> None:
    """A stone needs an empty square of the board and an undecided game."""
    position = play(moves)
    with pytest.raises(IllegalMove) as caught:
        position.play(Move(move))
    assert caught.value.reason == reason
    assert target(position, Move(move)) is None


def test_equal_positions_are_reached_in_any_order() -> None:
    """Positions with the same stones are equal for any order of the moves."""
    assert play("a1b2c3") == play("c3b2a1") != play("b2a1c3")


def test_cells_show_the_board_from_the_top_left() -> None:
    """The first row of cells is row 1 at the top, its first cell in column a at the left."""
    position = play("a1d1a4b2")
    assert ["".join(row) for row in position.cells()] == ["1..2", ".2..", "....", "1..."]
    assert position.cells()[0][3] is Cell.SECOND
    assert position.remarks() == ()


@pytest.mark.parametrize(
    ("label", "move", "square"),
    [
        ("a1", 0, (0, 0)),
        ("d1", 3, (0, 3)),
        ("b3", 9, (2, 1)),
        ("a4", 12, (3, 0)),
        ("d4", 15, (3, 3)),
    ],
)
def test_a_move_is_a_column_letter_and_a_row_digit(
    label: str, move: int, square: tuple[int, int]
) -> None:
    """Columns are lettered from the left, rows counted from the top; the square is the target."""
    game = Gato()
    assert game.parse(label) == move
    assert game.label(Move(move)) == label
    assert target(game.start(), Move(move)) == Square(*square)
    for loose in (label.upper(), f"  {label}\n", f"{label[0]} {label[1]}"):
        assert game.parse(loose) == move


@pytest.mark.parametrize(
    "text", ["", "a", "1", "a0", "a5", "e1", "1a", "a1b2", "a11", "a٣", "a²", "aa", "5", "a-1"]
)
def test_other_text_is_not_a_move(text: str) -> None:
    """Text that names no square raises NotAMove with what is expected."""
    with pytest.raises(NotAMove) as caught:
        Gato().parse(text)
    assert caught.value.expected == "a1-d4"


@pytest.mark.parametrize("text", ["b2c3a1", " B2 c3 A1 ", "b2c3\na1"])
def test_a_game_is_its_squares_in_order(text: str) -> None:
    """A whole game is written as a sequence of squares; spaces are ignored."""
    assert Gato().moves(text) == (5, 10, 0)


@pytest.mark.parametrize("text", ["b2c", "b2c5", "2b", "b2,c3"])
def test_half_a_square_is_not_a_game(text: str) -> None:
    """A game with anything but squares in it raises NotAMove."""
    with pytest.raises(NotAMove):
        Gato().moves(text)


def test_controls_are_laid_out_as_the_board() -> None:
    """There are four rows of four buttons, named like the columns and rows."""
    game = Gato()
    assert game.buttons() == tuple(tuple(range(start, start + 4)) for start in (0, 4, 8, 12))
    assert (game.column_names, game.row_names) == (tuple("abcd"), tuple("1234"))
    for row, buttons in zip(game.row_names, game.buttons(), strict=True):
        assert [game.label(move) for move in buttons] == [c + row for c in game.column_names]


@pytest.mark.parametrize("text", ["4x4", "4×4", " 4X4 ", "4 x 4", "4*4"])
def test_the_size_is_read_in_any_spelling(text: str) -> None:
    """Spaces, a capital X and the signs of multiplication are accepted in the size."""
    assert Gato.from_variant(text) == Gato()
    assert Gato().variant == "4x4"


@pytest.mark.parametrize("text", ["3x3", "4x5", "5x4", "4", "44", "14x4", "4x44", "", "٤x٤"])
def test_other_sizes_are_unknown(text: str) -> None:
    """Any text but the one size raises UnknownVariant."""
    with pytest.raises(UnknownVariant) as caught:
        Gato.from_variant(text)
    assert (caught.value.text, caught.value.expected) == (text, "4x4")


def test_compiled_code_has_the_same_lines() -> None:
    """The lines in compiled code are those of the rules, in the same order."""
    assert compiled_lines.LINES == LINES
    assert compiled_lines.SQUARES == SQUARES
