"""Positions from boards alone."""

from __future__ import annotations

import pytest

from engine.core.boards import stones_on
from engine.core.game import Cell, NotAPosition, Player
from engine.games.boom.rules import Boom, place_boom
from engine.games.connect4.rules import Connect4, place_connect4
from engine.games.gato.rules import Gato, place_gato


def board_of(*rows: str) -> list[list[Cell]]:
    """A board from its rows."""
    return [[Cell(sign) for sign in row] for row in rows]


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (["....", "....", "....", "...1", "1..2"], "4 rows"),
        (["....", "....", "...1", "1..."], "rests on nothing"),
        (["....", "....", "....", "11.."], "in turn"),
        (["....", "....", "....", "2..."], "in turn"),
        (["....", "....", "....", "12A."], "no bombs"),
        (["....", "....", "1...", "2..."], "no order"),
        # Two in the corner on top of one: the player who moves first has no stone to begin with.
        (["....", "1...", "1...", "22.."], "no order"),
        # Both have four, and the first player had it before the second one's last stone.
        (["....", "....", "2222", "1111"], "no order"),
    ],
)
def test_impossible_boards_are_refused(rows: list[str], why: str) -> None:
    """Floating stones, impossible numbers or orders, and moves after the end are refused."""
    board = board_of(*rows)
    with pytest.raises(NotAPosition, match=why):
        place_connect4(Connect4(4, 4), board, stones_on(board))


def test_a_finished_game_is_over() -> None:
    """A finished board is won if its last stone completed every line, or drawn without a line."""
    four = board_of("1...", "1.2.", "1.2.", "1.2.")
    over = place_connect4(Connect4(4, 4), four, 7).outcome
    assert over is not None
    assert (over.winner, len(over.squares)) == (Player.FIRST, 4)
    drawn = board_of("2121", "2121", "1212", "1212")
    ended = place_connect4(Connect4(4, 4), drawn, 16).outcome
    assert ended is not None
    assert ended.winner is None


def test_a_board_of_gato() -> None:
    """In Gato stones may be in any order; a game that was over before its end is refused."""
    board = board_of("1122", "....", "....", "....")
    assert place_gato(Gato(), board, 4).outcome is None
    crossed = board_of("1111", "122.", "12.2", "122.")
    over = place_gato(Gato(), crossed, stones_on(crossed)).outcome
    assert over is not None
    assert (over.winner, len(over.squares)) == (Player.FIRST, 7)
    late = board_of("1111", "2222", "....", "....")
    with pytest.raises(NotAPosition, match="over before"):
        place_gato(Gato(), late, 8)
    with pytest.raises(NotAPosition, match="4 rows"):
        place_gato(Gato(), board[1:], 4)


def test_a_board_of_boom() -> None:
    """In BOOM stones may be missing once there were bombs; a player has one bomb at most."""
    empty = [["."] * 7 for _ in range(6)]
    board = board_of(*("".join(row) for row in empty), "1221...")
    assert place_boom(Boom(), board, 4).to_move is Player.FIRST
    with pytest.raises(NotAPosition):
        place_boom(Boom(), board, 5)
    later = place_boom(Boom(), board, 20)
    assert later.ply == 20
    assert later.outcome is None
    for bottom, ply in (("1A.....", 3), ("AA.....", 30), ("111....", 2), ("1......", 201)):
        with pytest.raises(NotAPosition):
            place_boom(Boom(), board_of(*("".join(row) for row in empty), bottom), ply)
    assert place_boom(Boom(), board, Boom.MOST_MOVEMENTS).outcome is not None
