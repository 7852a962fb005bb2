"""The types that describe every game."""

from __future__ import annotations

import dataclasses

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
)
from engine.games.connect4.rules import Connect4


def test_each_player_is_the_others_opponent() -> None:
    """The opponent of the first player is the second, and the other way round."""
    assert Player.FIRST.other is Player.SECOND
    assert Player.SECOND.other is Player.FIRST
    assert (int(Player.FIRST), int(Player.SECOND)) == (1, 2)


def test_a_cell_knows_the_owner_of_its_stone() -> None:
    """A stone belongs to its player, and an empty square has no owner."""
    assert {cell: cell.owner for cell in Cell} == {
        Cell.EMPTY: None,
        Cell.FIRST: Player.FIRST,
        Cell.SECOND: Player.SECOND,
        Cell.FIRST_BOMB: Player.FIRST,
        Cell.SECOND_BOMB: Player.SECOND,
    }
    assert "".join(Cell) == ".12AB"
    assert [cell for cell in Cell if cell.is_bomb] == [Cell.FIRST_BOMB, Cell.SECOND_BOMB]


def test_an_outcome_has_a_reason() -> None:
    """A game ends by a line, because a player cannot move, or in a draw."""
    assert Outcome(Player.FIRST, frozenset({Square(0, 0)})).ending == "line"
    assert Outcome(Player.SECOND).ending == "stuck"
    assert Outcome(None).ending == "draw"


def test_a_square_is_a_row_and_a_column() -> None:
    """A square names its row first."""
    assert Square(2, 5) == (2, 5)
    assert (Square(2, 5).row, Square(2, 5).column) == (2, 5)


def test_an_outcome_cannot_be_changed() -> None:
    """An outcome is an immutable, hashable value; that of a draw has no squares."""
    assert Outcome(None) == Outcome(None, frozenset())
    assert len({Outcome(Player.FIRST), Outcome(Player.FIRST), Outcome(Player.SECOND)}) == 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        Outcome(None).winner = Player.FIRST  # type: ignore[misc]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (NotAMove("9", "1-7"), "'9' is not a move: expected 1-7"),
        (
            IllegalMove("3", "full", "the column is full"),
            "move 3 is not allowed: the column is full",
        ),
        (IllegalMove("3", "over"), "move 3 is not allowed: the game is over"),
        (UnknownVariant("3x3", "4x4"), "'3x3' is not a variant: expected 4x4"),
    ],
)
def test_errors_say_what_is_wrong(error: ValueError, message: str) -> None:
    """Each error of a game is a ValueError whose message names the input and the problem."""
    assert isinstance(error, ValueError)
    assert str(error) == message


def test_errors_have_fields() -> None:
    """Errors have fields for callers that write their own messages."""
    wrong, barred, unknown = (
        NotAMove("9", "1-7"),
        IllegalMove("3", "full"),
        UnknownVariant("a", "b"),
    )
    assert (wrong.text, wrong.expected) == ("9", "1-7")
    assert (barred.label, barred.reason) == ("3", "full")
    assert (unknown.text, unknown.expected) == ("a", "b")


def test_replay_plays_the_moves_in_order() -> None:
    """Replaying moves gives the same position as playing them one by one."""
    game = Connect4()
    moves = game.moves("4453")
    by_hand = game.start().play(Move(3)).play(Move(3)).play(Move(4)).play(Move(2))
    assert replay(game, moves) == by_hand
    assert replay(game, ()) == game.start()


def test_replay_stops_at_the_first_illegal_move() -> None:
    """Replaying a game with an illegal move raises IllegalMove for that move."""
    game = Connect4(4, 4)
    with pytest.raises(IllegalMove) as caught:
        replay(game, game.moves("111112"))
    assert (caught.value.label, caught.value.reason) == ("1", "full")
