"""The agent that sums up windows of four."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.core.compiled.scores import WIN
from engine.core.game import Player, Position, replay
from engine.games.connect4.agents.window import Window
from engine.games.connect4.rules import Connect4
from tests.engine.games.plain_program import fours, plain_choice, random_position


@pytest.mark.parametrize(
    ("size", "moves", "depth", "expected", "score"),
    [
        # A stone in the centre counts 3; two stones later there is no window of two yet.
        pytest.param("6x7", "", 2, "4", 3, id="the centre of seven columns"),
        pytest.param("6x7", "4", 2, "4", 3, id="the second player evaluates for itself"),
        pytest.param("5x4", "", 2, "3", 3, id="the centre of four columns is the third"),
        pytest.param("8x8", "", 2, "5", 3, id="the centre of eight columns is the fifth"),
        # One ply: with columns 3, 4 and 5, windows 1-4 and 4-7 hold two, 2-5 and 3-6 three, and
        # a stone is in the centre. With 6 instead of 3 it is 2 + 5 + 5 + 3 (2-5, 3-6, 4-7).
        pytest.param("6x7", "4455", 1, "3", 2 + 5 + 5 + 2 + 3, id="three in a row"),
        pytest.param("6x7", "112233", 6, "4", WIN - 7, id="a win at once, not a later one"),
        # After the block, two stones in column 2 promise 2, unless one is put on top of them.
        pytest.param("5x4", "12121", 2, "1", 0, id="a threat is parried"),
    ],
)
def test_choices_by_hand(size: str, moves: str, depth: int, expected: str, score: int) -> None:
    """The agent plays the best move by its windows, with the score that they sum up to."""
    game = Connect4.from_variant(size)
    position = replay(game, game.moves(moves))
    results = [Window(depth).choose(position, rng=Random(seed)) for seed in range(40)]
    assert {game.label(result.move) for result in results} == set(expected)
    assert {result.score.points for result in results} == {score}


def test_equal_moves_are_all_chosen() -> None:
    """If everything is lost by move 7, each of the seven columns is chosen about as often."""
    game = Connect4()
    position = replay(game, game.moves("41315"))
    rng = Random(1)
    counts = Counter(Window(4).choose(position, rng=rng).move for _ in range(1400))
    assert counts.keys() == set(range(7))
    assert all(abs(count - 200) < 60 for count in counts.values())


def test_an_explanation_has_every_move() -> None:
    """All columns are scored on the engine's scale; the leaf is the windows of the side to move."""
    game = Connect4()
    seen = Window(2).explain(replay(game, game.moves("11223")))
    # The second player has columns 1 and 2 of the second row (2); against it counts the first
    # player's three in the bottom row (-4).
    assert seen.leaf == 2 - 4
    assert {move for move, value in seen.values.items() if value == 7 - WIN} == {0, 1, 2, 4, 5, 6}
    assert (seen.agent, seen.choices, seen.chances) == ("window-2", (3,), {3: 1.0})
    over = Window(2).explain(replay(game, game.moves("1212121")))
    assert (over.values, over.choices) == ({}, ())


def test_the_name_includes_the_depth() -> None:
    """Agents of different depths have different names; the deepest is the usual one."""
    assert [Window(depth).name for depth in (2, 4, 6)] == ["window-2", "window-4", "window-6"]
    assert Window().name == "window-6"


def test_the_original_takes_the_leftmost_and_all_wins_alike() -> None:
    """The original plays the leftmost of equal columns, also of those that win at any distance."""
    game, original = Connect4(), Window(4, fixed=False)
    assert original.name == "window-4-original"
    position = replay(game, game.moves("4536163534"))
    # Columns 2 and 3 win by move 13, columns 1, 4, 5 and 6 by move 15; column 7 loses.
    assert {game.label(Window(4).choose(position, rng=Random(n)).move) for n in range(20)} == {
        "2",
        "3",
    }
    seen = original.explain(position)
    assert list(seen.values.values()) == [WIN] * 6 + [-WIN]
    assert (seen.choices, seen.chances) == ((0,), {0: 1.0})
    result = original.choose(position, rng=Random(1))
    assert (result.move, result.score.points) == (0, WIN - 13)


@pytest.mark.parametrize(
    ("moves", "column"),
    [
        pytest.param("41315", "1", id="lost by move 7"),
        pytest.param("12452642544", "1", id="column 3 loses by move 13, the others by move 15"),
        pytest.param("11111147375", "2", id="column 1 is full"),
    ],
)
def test_the_original_plays_column_1_when_all_is_lost(moves: str, column: str) -> None:
    """If every column loses, however late, the original plays the first open column."""
    game, original = Connect4(), Window(4, fixed=False)
    position = replay(game, game.moves(moves))
    assert set(original.explain(position).values.values()) == {-WIN}
    assert game.label(original.choose(position, rng=Random(1)).move) == column


@pytest.mark.parametrize(("size", "depth"), [("6x7", 2), ("5x4", 4), ("8x8", 2)])
def test_the_original_plays_as_a_plain_program_does(size: str, depth: int) -> None:
    """On random positions its moves are those of a program that searches all columns in order."""
    rng, game = Random(depth), Connect4.from_variant(size)
    for number in range(20):
        position = random_position(game, rng, number % 12)
        expected = plain_choice(position, depth, 1_000_000, windows)
        assert Window(depth, fixed=False).choose(position, rng=rng).move == expected


def windows(position: Position, agent: Player) -> int:
    """The windows of four and the centre column for the agent, counted one by one."""
    value = 3 * sum(row[len(row) // 2].owner is agent for row in position.cells())
    for four in fours(position):
        own, empty = four.count(agent), four.count(None)
        value += {(4, 0): 100, (3, 1): 5, (2, 2): 2, (0, 1): -4}.get((own, empty), 0)
    return value
