"""The rules of Pop Out."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.game import Cell, IllegalMove, NotAMove, Player, Square, UnknownVariant, replay
from engine.core.registry import game_of
from popout.rules import LONGEST, ROWS, PopOut, PopOutPosition, evaluate

GAME = PopOut()


def after(moves: str) -> PopOutPosition:
    """The position after a game such as `44p4`."""
    position = replay(GAME, GAME.moves(moves))
    assert isinstance(position, PopOutPosition)
    return position


def test_the_game_is_registered() -> None:
    """Once the package is installed, its game is found like any other."""
    assert game_of("popout", "6x7") == GAME
    with pytest.raises(UnknownVariant):
        game_of("popout", "7x7")


@pytest.mark.parametrize("seed", range(20))
def test_discs_move_as_in_piles(seed: int) -> None:
    """A random game has the same boards and moves as lists of discs for the columns."""
    rng, position = Random(seed), GAME.start()
    piles: list[list[Cell]] = [[] for _ in range(7)]
    while position.outcome is None:
        own = Cell(str(int(position.to_move)))
        drops = [str(n) for n, pile in enumerate(piles, 1) if len(pile) < ROWS]
        pops = [f"p{n}" for n, pile in enumerate(piles, 1) if pile[:1] == [own]]
        moves = [GAME.label(move) for move in position.legal_moves()]
        assert moves == drops + pops
        text = rng.choice(moves)
        pile = piles[int(text[-1]) - 1]
        pile[:] = pile[1:] if text in pops else [*pile, own]
        position = position.play(GAME.parse(text))
        filled = [pile + [Cell.EMPTY] * (ROWS - len(pile)) for pile in piles]
        assert [list(row) for row in position.cells()] == [
            list(row) for row in reversed(list(zip(*filled, strict=True)))
        ]


def test_a_pop_lets_the_column_fall() -> None:
    """The disc below leaves; those above it fall by one."""
    changes = after("4444").changes(GAME.parse("p4"))
    bottom = Square(5, 3)
    assert (changes.removed, changes.origin, changes.effect) == ((bottom,), bottom, "pop")
    assert changes.moved[0] == (Square(4, 3), bottom)
    assert len(changes.moved) == 3


@pytest.mark.parametrize(
    ("moves", "text", "reason"),
    [("4", "p4", "notyours"), ("", "p1", "notyours"), ("444444", "4", "full")],
)
def test_moves_may_be_refused(moves: str, text: str, reason: str) -> None:
    """Only own discs are popped, and nothing is dropped into a full column."""
    with pytest.raises(IllegalMove) as caught:
        after(moves).play(GAME.parse(text))
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("moves", "winner"),
    [
        ("1122334", Player.FIRST),
        ("422p2311p1", Player.FIRST),
        ("73227564p2", Player.SECOND),
        ("345341322657p3", Player.FIRST),
        ("3265567335p77444p5", Player.SECOND),
    ],
    ids=["drop", "pop for the opponent", "pop for the opponent", "both", "both"],
)
def test_lines_win(moves: str, winner: Player) -> None:
    """A pop may complete the opponent's line; if it completes both, the one who popped wins."""
    position = after(moves)
    assert position.outcome is not None
    assert position.outcome.winner is winner
    cells = position.cells()
    assert {cells[at.row][at.column].owner for at in position.outcome.squares} == {winner}


def test_a_game_ends() -> None:
    """Discs that come and go for ever make a draw."""
    position = GAME.start()
    for text in ("1", "7", "p1", "p7") * (LONGEST // 4):
        position = position.play(GAME.parse(text))
    assert position.outcome is not None
    assert (position.ply, position.outcome.winner) == (LONGEST, None)


def test_moves_are_read_and_written() -> None:
    """A drop is its column, and a pop has a `p` before it."""
    assert [GAME.label(move) for move in GAME.moves("4P4p41")] == ["4", "p4", "p4", "1"]
    for text in ("p", "8", "p8", "4p"):
        with pytest.raises(NotAMove):
            GAME.parse(text)


def test_open_lines_are_worth_something() -> None:
    """A disc in the middle has a higher value than one at the side, for either player."""
    assert evaluate(after("4")) < evaluate(after("1")) < 0 < evaluate(after("41"))
