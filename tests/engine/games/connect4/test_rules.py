"""The plain rules of Connect 4."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.core.boards import bit_of, fours
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
from engine.games.connect4.rules import Connect4, Connect4Position
from tests.builders import SIZES
from tests.engine.games.counts import counts_of


def play(moves: str, rows: int = 6, columns: int = 7) -> Connect4Position:
    """The position after a game string."""
    game = Connect4(rows, columns)
    return replay(game, game.moves(moves))  # type: ignore[return-value]


@pytest.mark.parametrize(("size", "deepest"), [("6x7", 5), ("4x4", 8), ("5x4", 7)])
def test_positions_and_games_are_as_many_as_published(size: str, deepest: int) -> None:
    """At each ply there are as many positions, won positions and move sequences as published."""
    layer: dict[Connect4Position, int] = {Connect4.from_variant(size).start(): 1}
    for row in [row for row in counts_of("connect4") if row["variant"] == size][: deepest + 1]:
        won = sum(p.outcome is not None and p.outcome.winner is not None for p in layer)
        counts = {"positions": len(layer), "won": won, "sequences": sum(layer.values())}
        assert counts == {name: int(row[name]) for name in counts}, row
        following: Counter[Connect4Position] = Counter()
        for position, sequences in layer.items():
            for move in position.legal_moves():
                following[position.play(move)] += sequences
        layer = following


@pytest.mark.parametrize("game", SIZES, ids=Connect4.SIZES)
def test_the_number_of_lines(game: Connect4) -> None:
    """Each board has all its lines of four exactly once, each of four squares on the board."""
    high, wide = game.rows - 3, game.columns - 3
    straight = game.columns * high + game.rows * wide
    assert len(set(game.fours)) == len(game.fours) == straight + 2 * high * wide
    assert all(len(game.squares(four)) == four.bit_count() == 4 for four in game.fours)
    assert len(fours(6, 7)) == 69


@pytest.mark.parametrize(
    ("moves", "squares"),
    [
        ("1212121", {(2, 0), (3, 0), (4, 0), (5, 0)}),
        ("1122334", {(5, 0), (5, 1), (5, 2), (5, 3)}),
        ("12233434464", {(5, 0), (4, 1), (3, 2), (2, 3)}),
        ("76655454424", {(5, 6), (4, 5), (3, 4), (2, 3)}),
        ("1122335566774", {(5, column) for column in range(7)}),
        (
            "2552354651517435227466447223",
            {(2, 1), (3, 2), (3, 3), (3, 4), (3, 5), (4, 3), (5, 4)},
        ),
    ],
    ids=["column", "row", "rising", "falling", "seven in a row", "row and diagonal"],
)
def test_four_in_line_wins(moves: str, squares: set[tuple[int, int]]) -> None:
    """Four in line end the game, and the outcome holds every square of every completed line."""
    position = play(moves)
    winner = Player.FIRST if len(moves) % 2 else Player.SECOND
    assert position.outcome == Outcome(winner, frozenset(Square(*square) for square in squares))
    assert play(moves[:-1]).outcome is None
    assert position.legal_moves() == ()


def test_a_full_board_without_a_line_is_a_draw() -> None:
    """If the last square is filled and neither player has four in line, the game is drawn."""
    position = play("1113233214423442", 4, 4)
    assert position.ply == 16
    assert position.outcome == Outcome(None, frozenset())
    assert play("111323321442344", 4, 4).outcome is None


@pytest.mark.parametrize("rows", range(4, 9))
def test_a_column_holds_as_many_stones_as_there_are_rows(rows: int) -> None:
    """A move into a full column is refused as `full`, and the column is not a legal move."""
    position = play("1" * rows, rows, 5)
    assert position.legal_moves() == (1, 2, 3, 4)
    assert target(position, Move(0)) is None
    with pytest.raises(IllegalMove) as caught:
        position.play(Move(0))
    assert (caught.value.label, caught.value.reason) == ("1", "full")


@pytest.mark.parametrize("move", [-9, -1, 7, 8, 100])
def test_a_column_beside_the_board_is_refused(move: int) -> None:
    """A move outside the board is refused as `outside`."""
    with pytest.raises(IllegalMove) as caught:
        play("").play(Move(move))
    assert caught.value.reason == "outside"


@pytest.mark.parametrize(
    ("position", "move"),
    [(play("1212121"), 1), (play("1212121"), 9), (play("1113233214423442", 4, 4), 0)],
    ids=["won", "won, beside the board", "drawn"],
)
def test_a_game_that_is_over_takes_no_move(position: Connect4Position, move: int) -> None:
    """Once the game is won or drawn, every move is refused as `over`."""
    with pytest.raises(IllegalMove) as caught:
        position.play(Move(move))
    assert caught.value.reason == "over"


def test_equal_positions_have_equal_hashes() -> None:
    """Positions reached by different orders of moves are equal with equal hashes."""
    assert play("1526") == play("2516") != play("1562")
    assert len({play("1526"), play("2516"), play("1625"), play("1562")}) == 2
    assert Connect4(5, 6).start() != Connect4(6, 5).start()


def test_sizes_are_rows_by_columns() -> None:
    """The first number of a size counts rows, the second columns; 6x7 is the usual size."""
    game = Connect4.from_variant("5x8")
    assert (game.rows, game.columns, game.variant) == (5, 8, "5x8")
    cells = game.start().cells()
    assert (len(cells), {len(row) for row in cells}) == (5, {8})
    assert Connect4() == Connect4(6, 7)
    assert len(Connect4.SIZES) == len(set(Connect4.SIZES)) == 25


def test_cells_show_the_board_from_the_top_left() -> None:
    """The first row of cells is the top of the board and its first cell the left edge."""
    text = ["".join(row) for row in play("1712", 4, 7).cells()]
    assert text == [".......", ".......", "1......", "12....2"]
    assert play("1712", 4, 7).cells()[3][0] is Cell.FIRST


@pytest.mark.parametrize("text", ["5×4", " 5X4 ", "5 x 4", "5*4", "\t5x4\n"])
def test_sizes_are_read_in_any_spelling(text: str) -> None:
    """Spaces, a capital X and the signs of multiplication are accepted in a size."""
    assert Connect4.from_variant(text) == Connect4(5, 4)


@pytest.mark.parametrize(
    "text",
    [
        "3x4",
        "4x3",
        "9x9",
        "4x9",
        "6",
        "6x7x8",
        "",
        "axb",
        "x7",
        "6x",
        "-6x7",
        "16x7",
        "6x 7x",
        "\u0666x\u0667",
        "6 7",
    ],
)
def test_other_sizes_are_unknown(text: str) -> None:
    """A size outside 4..8, or other text, raises UnknownVariant with what is expected."""
    with pytest.raises(UnknownVariant) as caught:
        Connect4.from_variant(text)
    assert caught.value.expected == "ROWSxCOLUMNS, each 4-8"


@pytest.mark.parametrize(("rows", "columns"), [(3, 7), (6, 9), (0, 0), (-6, 7)])
def test_a_game_of_unknown_size_cannot_be_made(rows: int, columns: int) -> None:
    """A game of another size cannot be constructed."""
    with pytest.raises(UnknownVariant):
        Connect4(rows, columns)


@pytest.mark.parametrize("text", ["0", "8", "", " ", "a", "1.5", "-1", "+1", "٣", "²", "77", "1 2"])
def test_other_text_is_not_a_move(text: str) -> None:
    """Text other than the number of a column in ASCII digits raises NotAMove."""
    with pytest.raises(NotAMove) as caught:
        Connect4().parse(text)
    assert caught.value.expected == "1-7"


def test_a_move_is_read_as_a_column_from_one() -> None:
    """Columns are written from 1; surrounding spaces are ignored."""
    game = Connect4()
    assert [game.parse(text) for text in ("1", " 4\n", "7")] == [0, 3, 6]
    assert game.label(Move(0)) == "1"


def test_a_game_is_read_as_a_string_of_columns() -> None:
    """A game is written without separators; an impossible column in it raises NotAMove."""
    game = Connect4(4, 5)
    assert game.moves(" 1525\n") == (0, 4, 1, 4)
    assert game.moves("") == ()
    for text in ("156", "1,2", "1 2", "10"):
        with pytest.raises(NotAMove):
            game.moves(text)


def test_columns_are_named_and_rows_are_not() -> None:
    """Columns are named by numbers, rows have no names; one row of buttons has all columns."""
    game = Connect4(8, 5)
    assert game.column_names == ("1", "2", "3", "4", "5")
    assert game.row_names == ()
    assert game.buttons() == ((0, 1, 2, 3, 4),)


def test_a_word_holds_eight_squares_a_column() -> None:
    """The bit of a square is eight times its column plus its height from the bottom."""
    assert [bit_of(0, 0), bit_of(0, 7), bit_of(1, 0), bit_of(7, 7)] == [1, 1 << 7, 1 << 8, 1 << 63]
    game = Connect4(6, 7)
    assert game.squares(bit_of(0, 0) | bit_of(6, 5)) == (Square(5, 0), Square(0, 6))
