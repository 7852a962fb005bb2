"""Habits: how a model of people deviates from the rungs, and the file that has it."""

from __future__ import annotations

import json
from math import log
from random import Random

import pytest

from engine.core.game import Move, Position, Square, replay, target
from engine.core.registry import game_called, package_of
from engine.strength.habits import FEATURES, MIXED, Habits, NotHabits, read_habits, rows_of, written
from engine.strength.opponent import RatedOpponent
from tests.engine.threat_checks import random_game
from tests.engine.threat_truth import Grid

NONE = Habits((0.0,) * len(FEATURES))
ONE = Habits((-0.5, 0.25, 0.0, 1.0, -0.125, 0.0, 0.75))


def even(position: Position) -> dict[Move, float]:
    """The same probability for every move."""
    moves = position.legal_moves()
    return dict.fromkeys(moves, 1 / len(moves))


def only(feature: str, weight: float) -> Habits:
    """Habits with one weight."""
    return Habits(tuple(weight if name == feature else 0.0 for name in FEATURES))


@pytest.mark.parametrize("board", ["5x4", "6x7", "gato"])
def test_without_weights_they_are_the_rungs(board: str) -> None:
    """With all weights 0 the probabilities are the rung's, but for a little of an even choice."""
    game, rng = game_called(board), Random(board)
    for _ in range(6):
        position = replay(game, random_game(game, rng))
        moves, best = position.legal_moves(), position.legal_moves()[:1]
        rung = RatedOpponent(1000.0).replies(game).chances(position, best)
        found = RatedOpponent(1000.0, NONE).replies(game).chances(position, best)
        assert sum(found.values()) == pytest.approx(1.0)
        for move in moves:
            mixed = (1 - MIXED) * rung.get(move, 0.0) + MIXED / len(moves)
            assert found[move] == pytest.approx(mixed)


@pytest.mark.parametrize("board", ["5x4", "6x7", "gato"])
def test_what_is_seen_of_a_move_is_what_the_board_shows(board: str) -> None:
    """Every feature is that of the plain rules, in random positions."""
    game, rng = game_called(board), Random(board)
    for _ in range(8):
        position = replay(game, random_game(game, rng))
        grid, mover, chances = Grid.of(position), position.to_move, even(position)
        best = [move for move in position.legal_moves() if rng.random() < 0.5]
        rows = rows_of(position, best, chances)
        assert [move for move, _ in rows] == list(position.legal_moves())
        for move, row in rows:
            square = target(position, move)
            assert square is not None
            above = Square(square.row - 1, square.column)
            is_above = grid.falls and grid.at(above) == 0
            assert row[0] == pytest.approx(log(chances[move]))
            assert row[1] == (move in best)
            assert row[2] == grid.completes(square, mover)
            assert row[3] == grid.completes(square, mover.other)
            assert row[4] == (is_above and grid.completes(above, mover.other))
            assert row[5] == (is_above and grid.completes(above, mover))
            assert 0.0 <= row[6] <= 1.0


def test_the_middle_is_in_the_middle() -> None:
    """Columns count from the edge to the middle; squares of Gato in both directions."""
    columns = rows_of(game_called("6x7").start(), (), even(game_called("6x7").start()))
    assert [round(row[-1], 2) for _, row in columns] == [0, 0.33, 0.67, 1, 0.67, 0.33, 0]
    squares = rows_of(game_called("gato").start(), (), even(game_called("gato").start()))
    assert [round(row[-1], 2) for _, row in squares[:2]] == [0, 0.33]
    assert round(squares[5][1][-1], 2) == 0.67


@pytest.mark.parametrize("feature", ["keeps", "middle"])
def test_a_weight_makes_such_moves_likelier(feature: str) -> None:
    """A positive weight raises the probability of moves with the feature, a negative lowers it."""
    position = game_called("6x7").start()
    best = [Move(3)]
    more, less = (
        only(feature, weight).adjusted(position, best, even(position)) for weight in (1.0, -1.0)
    )
    assert more[Move(3)] > 1 / 7 > less[Move(3)]


def test_sharpness_evens_out_a_rungs_choice() -> None:
    """A negative sharpness makes likely moves less likely, and a positive one likelier."""
    position = game_called("6x7").start()
    chances = {Move(3): 0.7, Move(2): 0.3}
    flat, sharp = (only("sharpness", w).adjusted(position, (), chances) for w in (-0.5, 0.5))
    assert flat[Move(3)] / flat[Move(2)] < 7 / 3 < sharp[Move(3)] / sharp[Move(2)]


def test_a_file_is_read_as_it_was_written() -> None:
    """A file has the weights of each ladder by name, and nothing else but the number of moves."""
    text = written({"connect4-small": (ONE, 1234)})
    assert read_habits(text) == {"connect4-small": ONE}
    found = json.loads(text)
    assert found["ladders"]["connect4-small"]["moves"] == 1234
    assert set(found["ladders"]["connect4-small"]) == {"moves", "weights"}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"version": 2}, "version"),
        ({"ladders": {"gato": {"weights": {"keeps": 1.0}}}}, "this version"),
        ({"ladders": {"gato": {"weights": dict.fromkeys(FEATURES, 1e9)}}}, "within"),
        ({"ladders": {"gato": {"weights": dict.fromkeys(FEATURES, float("nan"))}}}, "within"),
        ({"ladders": {"gato": {"weights": dict.fromkeys(FEATURES, "x")}}}, "not written"),
        ({"ladders": []}, "not written"),
    ],
)
def test_a_file_that_is_none_is_refused(change: dict[str, object], reason: str) -> None:
    """Another version, unknown weights, impossible numbers and other content are refused."""
    with pytest.raises(NotHabits, match=reason):
        read_habits(json.dumps({"version": 1, "ladders": {}, **change}))
    with pytest.raises(NotHabits, match="not written"):
        read_habits("{")


def test_there_is_a_weight_for_every_feature() -> None:
    """Another number of weights is refused."""
    with pytest.raises(ValueError, match="weights"):
        Habits((1.0,))


def test_every_game_with_a_solver_has_features() -> None:
    """Perfect play uses a model of its opponent only where threats of its moves are known."""
    for name in ("5x4", "gato"):
        package = package_of(game_called(name))
        assert package.exact is not None
        assert package.threat_map is not None
