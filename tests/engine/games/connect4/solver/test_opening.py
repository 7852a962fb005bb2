"""Values of the opening that are known without search."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.game import replay
from engine.core.values import Value
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver import Solver
from engine.games.connect4.solver.book import DEEP, book_of, keys_of, known_end
from engine.games.connect4.solver.retrograde import list_layers

pytestmark = pytest.mark.long

SHIPPED = [
    ("4x8", 4, -32),
    ("5x7", 4, 0),
    ("5x8", 4, 39),
    ("6x6", 4, -36),
    ("6x8", 1, -48),
    ("7x6", 6, 41),
    ("7x8", 4, 53),
    ("8x5", 4, 0),
    ("8x6", 2, -48),
]
"""Size, most stones in the book, and the end of the empty board: the number of the winning stone,
negative for the second player; 0 for a draw."""
BOOKS = {"6x7", *(size for size, _, _ in SHIPPED)}


def opened(rng: Random, stones: int) -> Connect4Position:
    """A random undecided position of the classic board."""
    while True:
        position = DEEP.start()
        while position.ply < stones and position.outcome is None:
            position = position.play(rng.choice(position.legal_moves()))
        if position.outcome is None:
            return position


def test_the_first_player_wins_with_stone_41() -> None:
    """On the classic board the first player wins with stone 41, their last but one."""
    assert known_end(DEEP.start()) == 41


@pytest.mark.parametrize(
    ("stones", "first", "drawn", "second"), [(5, 1080, 697, 2486), (6, 10889, 1943, 3590)]
)
def test_how_many_openings_are_won(stones: int, first: int, drawn: int, second: int) -> None:
    """The numbers of won and drawn positions are as published, mirror images included."""
    counts = {1: 0, 0: 0, -1: 0}
    layer = list_layers(DEEP, stones)[-1]
    for one, two in zip(layer.firsts.tolist(), layer.seconds.tolist(), strict=True):
        position = Connect4Position(DEEP, one, two)
        end = known_end(position)
        assert end is not None
        counts[(end > 0) - (end < 0)] += len(set(keys_of(position)))
    assert counts == {1: first, 0: drawn, -1: second}


@pytest.mark.parametrize("stones", [8, 9, 10, 11, 12])
def test_known_ends_agree_with_the_solver(stones: int) -> None:
    """With up to twelve stones the known end is the solver's score, in the book and below it."""
    rng, solver = Random(stones), Solver(DEEP)
    for _ in range(4 if stones < 10 else 12):
        position = opened(rng, stones)
        score = solver.solve(position).score
        assert score is not None
        assert known_end(position) == Value.from_score(score, position.to_move, 42).end


@pytest.mark.parametrize(
    ("moves", "end"),
    [
        ("121212", 7),
        ("1232526", -8),
        ("123257726", -10),
        ("1213152665", 11),
        ("121315266537", 13),
    ],
)
def test_an_immediate_win_is_known(moves: str, end: int) -> None:
    """A player who can complete a line wins with the next stone."""
    assert known_end(replay(DEEP, DEEP.moves(moves))) == end


def test_positions_beyond_twelve_stones_are_unknown() -> None:
    """Positions with more than twelve stones have no known end."""
    rng = Random(13)
    assert all(known_end(opened(rng, stones)) is None for stones in (13, 14, 20))


@pytest.mark.parametrize(("size", "plies", "end"), SHIPPED)
def test_a_shipped_book_agrees_with_the_solver(size: str, plies: int, end: int) -> None:
    """A book has the known end of the empty board, and the solver's ends of deep positions.

    Positions are drawn at random, and of those whose games end early the solver proves some. Where
    even they take too long, the book's end must lie within the bounds that the solver has proven.
    """
    game = Connect4.from_variant(size)
    book = book_of(game)
    assert book is not None
    assert list(book.plies) == list(range(plies + 1))
    assert known_end(game.start()) == end
    layer = list_layers(game, plies)[-1]
    drawn = Random(size).sample(range(len(layer.keys)), min(100, len(layer.keys)))
    positions = [Connect4Position(game, int(layer.firsts[n]), int(layer.seconds[n])) for n in drawn]
    positions.sort(key=lambda position: abs(known_end(position) or 99))
    solver, squares = Solver(game), game.rows * game.columns
    for position in (positions[0], positions[len(positions) // 10]):
        found = solver.solve(position, seconds=0.5)
        possible = range(found.lower, found.upper + 1)
        ends = {Value.from_score(score, position.to_move, squares).end for score in possible}
        assert known_end(position) in ends


@pytest.mark.parametrize(("size", "plies"), [(size, plies) for size, plies, _ in SHIPPED])
def test_ends_in_a_shipped_book_follow_from_those_after_a_move(size: str, plies: int) -> None:
    """Before the last ply of a book, each end is the best one that a move leads to."""
    game = Connect4.from_variant(size)
    for layer in list_layers(game, plies)[:-1]:
        for first, second in zip(layer.firsts.tolist(), layer.seconds.tolist(), strict=True):
            position = Connect4Position(game, first, second)
            after = [known_end(position.play(move)) for move in position.legal_moves()]
            assert None not in after
            won = [end for end in after if end and (end > 0) == (position.to_move == 1)]
            lost = [end for end in after if end and (end > 0) != (position.to_move == 1)]
            best = min(won, key=abs) if won else 0 if 0 in after else max(lost, key=abs)
            assert known_end(position) == best


@pytest.mark.parametrize("size", [s for s in Connect4.SIZES if s not in BOOKS])
def test_boards_without_a_book_have_no_known_ends(size: str) -> None:
    """A board without a book has no known ends."""
    game = Connect4.from_variant(size)
    assert book_of(game) is None
    assert known_end(game.start()) is None
