"""The agent for Gato on four by four."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.core.compiled.scores import WIN
from engine.core.game import Move, Player, Position
from engine.games.gato.agents import Lines
from engine.games.gato.rules import Gato, GatoPosition
from tests.engine.games.plain_program import fours, plain_choice, random_position


def drawn(drawing: str) -> GatoPosition:
    """A position by its rows, from the top."""
    squares = drawing.replace(" ", "")
    first, second = (
        sum(1 << square for square, stone in enumerate(squares) if stone == player)
        for player in "12"
    )
    return GatoPosition(Gato(), first, second)


@pytest.mark.parametrize(
    ("drawing", "expected", "score"),
    [
        pytest.param("111. 222. .... ....", {3}, WIN - 7, id="the first player wins by move 7"),
        pytest.param("111. 222. ...1 ....", {7}, WIN - 8, id="the second player wins by move 8"),
        pytest.param("111. 2... 2... ....", {3}, None, id="a threat is parried"),
        pytest.param("1212 1212 2121 212.", {15}, 0, id="the last square draws"),
        # The second player has gaps at 3 (row) and 12 (column) and wins by move 12 after any move:
        # all six squares are equally good, for the original as well.
        pytest.param(
            "222. 21.1 2.1. .1.1", {3, 6, 9, 11, 12, 14}, 12 - WIN, id="lost wherever one plays"
        ),
    ],
)
def test_choices_by_hand(drawing: str, expected: set[int], score: int | None) -> None:
    """The agent wins, parries, draws and loses as its five plies show."""
    position = drawn(drawing)
    results = [Lines().choose(position, rng=Random(seed)) for seed in range(80)]
    assert {result.move for result in results} == expected
    if score is not None:
        assert {result.score.points for result in results} == {score}


@pytest.mark.parametrize(
    ("drawing", "depth", "expected", "score"),
    [
        # One ply: a third stone in the top row opens one line (100); at square 2 or 3 alike.
        pytest.param("11.. .2.. ..2. ....", 1, {2, 3}, 100, id="a third stone"),
        # One ply: square 3 is in the top row (0, 1) and in the right column (7, 11): two threes.
        # Its gaps are squares 2 and 15; the other's stones make no three.
        pytest.param("11.. .2.1 2..1 22..", 1, {3}, 100 + 100, id="one stone for two lines"),
    ],
)
def test_threes_are_counted(drawing: str, depth: int, expected: set[int], score: int) -> None:
    """Without a win in sight, open threes decide."""
    position = drawn(drawing)
    results = [Lines(depth).choose(position, rng=Random(seed)) for seed in range(80)]
    assert {result.move for result in results} == expected
    assert {result.score.points for result in results} == {score}


def test_equal_moves_are_all_chosen() -> None:
    """From the start no side gets a three ahead: each square is chosen about as often."""
    rng, start = Random(1), drawn("." * 16)
    results = [Lines().choose(start, rng=rng) for _ in range(400)]
    counts = Counter(result.move for result in results)
    assert counts.keys() == set(range(16))
    assert all(abs(count - 25) < 22 for count in counts.values())
    assert {(result.score.points, result.depth) for result in results} == {(0, 5)}


def test_an_explanation_has_every_move() -> None:
    """All squares are scored, and the leaf is the open threes of the side to move."""
    position = drawn("111. 2... 2... ....")
    seen = Lines().explain(position)
    assert seen.leaf == -100
    assert tuple(seen.values) == position.legal_moves()
    assert (seen.choices, seen.chances) == ((3,), {3: 1.0})
    assert {value for move, value in seen.values.items() if move != 3} == {7 - WIN}
    over = Lines().explain(drawn("111. 222. .... ....").play(Move(3)))
    assert (over.leaf, over.values, over.choices) == (7 - WIN, {}, ())


def test_the_fifth_ply_is_searched() -> None:
    """A win with the third own stone from now is seen, which four plies do not see."""
    position = drawn("12.. .212 1..1 ..2.")
    values = Lines().explain(position).values
    assert {move for move, value in values.items() if value == WIN - 13} == {9, 12}
    assert {abs(value) <= 100 for value in Lines(4).explain(position).values.values()} == {True}


def test_the_original_takes_the_first_square_by_rows() -> None:
    """The original plays the first of equal squares, and of wins too, as all are worth 1000."""
    original = Lines(fixed=False)
    assert original.name == "lines-original"
    assert {original.choose(drawn("." * 16), rng=Random(n)).move for n in range(5)} == {0}
    # Square 9 wins at once, by move 11, square 0 by move 13.
    position = drawn("..22 .122 1.11 ....")
    wins = {move: value for move, value in Lines().explain(position).values.items() if value > 0}
    assert wins == {0: WIN - 11, 9: WIN - 9, 12: WIN - 13, 15: WIN - 11}
    seen = original.explain(position)
    assert {move for move, value in seen.values.items() if value == 1000} == set(wins)
    assert (seen.choices, seen.chances) == ((0,), {0: 1.0})
    result = original.choose(position, rng=Random(1))
    assert (result.move, result.score.points) == (0, WIN - 11)


def test_the_original_plays_as_a_plain_program_does() -> None:
    """On random positions its moves are those of a program that searches all squares by rows."""
    rng = Random(5)
    for number in range(20):
        position = random_position(Gato(), rng, 9 + number % 5)
        expected = plain_choice(position, 5, 1000, threes)
        assert Lines(fixed=False).choose(position, rng=rng).move == expected


def threes(position: Position, agent: Player) -> int:
    """100 for each line with three stones of the agent and an empty square, less the other's."""
    lines = [line for line in fours(position) if line.count(None) == 1]
    own, others = (sum(line.count(side) == 3 for line in lines) for side in (agent, agent.other))
    return 100 * (own - others)
