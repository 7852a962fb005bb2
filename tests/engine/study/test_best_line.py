"""Best play from a position."""

from __future__ import annotations

import pytest

from engine.core.game import IllegalMove, Move, replay
from engine.core.registry import game_called
from engine.core.values import Value
from engine.games.connect4.rules import Connect4
from engine.games.connect4.solver import Solver
from engine.study.analysis import best_line
from tests.builders import TIMEOUT


@pytest.mark.parametrize("moves", ["", "2", "1412", "121"])
def test_a_line_is_best_play_to_the_end(moves: str) -> None:
    """The line ends as its value says, and every move keeps the value."""
    game = Connect4(5, 4)
    start = replay(game, game.moves(moves))
    line = best_line(start, seconds=TIMEOUT)
    assert line.proven
    squares, solver = game.rows * game.columns, Solver(game)
    score = solver.solve(start).score
    position = start
    for move in line.moves:
        assert position.outcome is None
        position = position.play(move)
        score = -score if score is not None else None
        if position.outcome is None:
            assert solver.solve(position).score == score
    assert Value.of_ended(position).score(position.to_move, squares) == score


def test_a_line_begins_with_the_moves_given() -> None:
    """A line begins with the moves given, so a wrong answer is followed by its refutation."""
    game = Connect4()
    position = replay(game, game.moves("41424"))
    line = best_line(position, (Move(6),), seconds=TIMEOUT)
    assert line.proven
    assert [game.label(move) for move in line.moves] == ["7", "4"]


def test_the_line_of_a_final_move_is_that_move() -> None:
    """The line of a move that ends the game is that move."""
    game = Connect4()
    position = replay(game, game.moves("414243"))
    line = best_line(position, (Move(3),), seconds=TIMEOUT)
    assert (line.moves, line.proven) == ((Move(3),), True)


@pytest.mark.parametrize("name", ["boom", "8x8"])
def test_an_unproven_line_comes_from_a_search(name: str) -> None:
    """An unproven line is legal and marked as unproven."""
    game = game_called(name)
    line = best_line(game.start(), (Move(3),), seconds=0.1)
    assert not line.proven
    assert line.moves[0] == 3
    assert len(line.moves) > 2
    replay(game, line.moves)


def test_moves_against_the_rules_are_refused() -> None:
    """Moves against the rules raise IllegalMove."""
    with pytest.raises(IllegalMove):
        best_line(Connect4().start(), [Move(0)] * 7, seconds=TIMEOUT)


def test_a_search_that_sees_the_end_is_a_proof() -> None:
    """In BOOM a search that sees the end is a proof; its line goes to the end with best moves."""
    game = game_called("boom")
    made = game.moves("2552354")
    line = best_line(game.start(), made, seconds=0.5)
    assert (line.proven, line.depth) == (True, 0)
    assert replay(game, line.moves).outcome is not None
    assert [game.label(move) for move in line.moves[len(made) :]] == ["2", "2"]


def test_an_unproven_line_has_its_depth() -> None:
    """An unproven line has its search depth."""
    assert best_line(game_called("boom").start(), seconds=0.1).depth > 3
