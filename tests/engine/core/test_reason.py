"""Reasons for and against moves say only what is true on the board."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest

from engine.core.game import Square
from engine.core.reason import BY_VALUE, OF_TURNS, Reason, ReasonKind, Reasons
from engine.core.registry import game_called, package_of
from tests.builders import after
from tests.engine.reason_truth import against, case_of, in_favour
from tests.engine.threat_checks import random_game

BOARDS = {"connect4:6x7": 15, "connect4:5x4": 20, "connect4:4x5": 15, "gato:4x4": 12}
"""The boards, and the number of random positions of each whose moves are all compared."""


class Example(NamedTuple):
    """A move that has a reason."""

    kind: ReasonKind
    board: str
    before: str
    move: str
    named: str = ""
    """The moves that the reason names."""


CLASSIC, SMALL, FLAT = "connect4:6x7", "connect4:5x4", "gato:4x4"
EXAMPLES = (
    Example(ReasonKind.MISSED_FOUR, CLASSIC, "625142", "1", "37"),
    Example(ReasonKind.MISSED_FOUR, FLAT, "a3 b1 a4 c2 a1 b2", "c1", "a2"),
    Example(ReasonKind.NOT_BLOCKED, CLASSIC, "31564", "1", "2"),
    Example(ReasonKind.STEPPED_BELOW, SMALL, "23132412", "1", "1"),
    Example(ReasonKind.MISSED_PAIR, CLASSIC, "5547", "1", "3"),
    Example(ReasonKind.MISSED_STACK, CLASSIC, "151767363576516", "1", "7"),
    Example(ReasonKind.ALLOWED_PAIR, CLASSIC, "415", "1", "36"),
    Example(ReasonKind.ALLOWED_STACK, CLASSIC, "124534341166", "2", "3"),
    Example(ReasonKind.FILLED_BELOW, SMALL, "4433113", "2", "2"),
    Example(ReasonKind.ONE_THREAT, CLASSIC, "4172", "5", "6"),
    Example(ReasonKind.FOUR, CLASSIC, "625142", "3", "3"),
    Example(ReasonKind.PAIR, CLASSIC, "5547", "3", "26"),
    Example(ReasonKind.STACK, CLASSIC, "151767363576516", "7", "4"),
    Example(ReasonKind.WAIT, CLASSIC, "7124141272114477436127766642662", "5", "5"),
    Example(ReasonKind.WAIT, SMALL, "42122322331434", "3", "3"),
    Example(ReasonKind.NO_SAFE_MOVE, SMALL, "312242224144411", "1", "1"),
    Example(ReasonKind.BLOCKED, CLASSIC, "31564", "2", "2"),
    Example(ReasonKind.ONLY_SAFE, SMALL, "3232133123224", "4", "4"),
    Example(ReasonKind.FOLLOW_UP, SMALL, "32133424", "2"),
    Example(ReasonKind.WAITING, SMALL, "222333", "4"),
    Example(ReasonKind.PAIR, FLAT, "b2 d3 a4 c4 b4 c1 d1 a3 d4", "c3"),
)


def reasons(board: str, before: str, move: str) -> Reasons:
    """The reasons about a move, in the players' notation."""
    position = after(board, before)
    return package_of(position.game).reasons_about(position, position.game.parse(move))


@pytest.mark.parametrize("board", BOARDS)
def test_reasons_are_those_of_enumeration(board: str) -> None:
    """Of every move of random positions the reasons are those that plain enumeration finds."""
    game, rng = game_called(board), Random(board)
    for _ in range(BOARDS[board]):
        position = game.start()
        for move in random_game(game, rng):
            position = position.play(move)
        for move in position.legal_moves():
            case = case_of(position, move)
            expected = Reasons(tuple(against(case)), tuple(in_favour(case)))
            found = package_of(game).reasons_about(position, move)
            assert found == expected, (position.cells(), game.label(move))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: f"{one.kind}-{one.board}")
def test_every_reason_has_an_example(example: Example) -> None:
    """Each kind of reason is found where enumeration finds it, with the moves that it names."""
    position = after(example.board, example.before)
    game = position.game
    for move in position.legal_moves():
        case = case_of(position, move)
        expected = Reasons(tuple(against(case)), tuple(in_favour(case)))
        assert package_of(game).reasons_about(position, move) == expected
    found = reasons(example.board, example.before, example.move)
    (one,) = (r for r in (*found.against, *found.in_favour) if r.kind is example.kind)
    if example.named:
        assert one.moves == game.moves(example.named)


def test_every_kind_is_among_the_examples() -> None:
    """No kind of reason that a board shows goes without an example."""
    assert {one.kind for one in EXAMPLES} == set(ReasonKind) - {*BY_VALUE, *OF_TURNS}


def test_a_missed_four_is_said_alone() -> None:
    """Beside a line that could be completed, nothing else counts against a move."""
    assert [one.kind for one in reasons(CLASSIC, "625142", "1").against] == [ReasonKind.MISSED_FOUR]


def test_an_unavoidable_four_is_nobodys_fault() -> None:
    """Where one block is not enough, no move is said to have missed it."""
    position = after(CLASSIC, "44335")
    for move in position.legal_moves():
        found = package_of(position.game).reasons_about(position, move).against
        assert all(one.kind is not ReasonKind.NOT_BLOCKED for one in found)


def test_a_waiting_threat_names_its_square() -> None:
    """A threat that cannot be played yet is in favour of the move that makes it."""
    found = reasons(SMALL, "222333", "4").in_favour
    assert found[-1] == Reason(ReasonKind.WAITING, square=Square(1, 0))


@pytest.mark.parametrize(
    ("before", "move", "suits"),
    [
        ("5257756", "6", True),
        ("146711332", "1", False),
        ("4366466435", "5", False),
        ("3424243737", "4", True),
    ],
)
def test_odd_rows_suit_who_began_and_even_rows_the_other(
    before: str, move: str, suits: bool
) -> None:
    """On a board with an even number of rows a waiting threat says whether its row suits."""
    (waiting,) = (
        one for one in reasons(CLASSIC, before, move).in_favour if one.kind is ReasonKind.WAITING
    )
    assert waiting.is_suited is suits


def test_games_without_such_rules_have_no_reasons() -> None:
    """In BOOM, where a turn has two moves, there are no reasons of this kind."""
    assert reasons("boom:7x7", "", "1") == Reasons()
