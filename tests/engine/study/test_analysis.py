"""Analyses of positions: the value of every move and the best line."""

from __future__ import annotations

import pytest

from engine.core.registry import game_called
from engine.games.connect4.rules import Connect4, place_connect4
from engine.games.connect4.solver import Solver
from engine.study.analysis import analyse_position
from tests.builders import TIMEOUT, after


@pytest.mark.parametrize(("name", "moves"), [("5x4", "1412"), ("6x7", "44444356612")])
def test_every_move_has_the_value_that_the_solver_gives(name: str, moves: str) -> None:
    """Every move has the solver's value, and the line is best play to the end."""
    position = after(name, moves)
    found = analyse_position(position, seconds=TIMEOUT)
    assert found.analysis.proven
    squares = len(position.cells()) * len(position.game.column_names)
    assert isinstance(position.game, Connect4)
    solver, mover = Solver(position.game), position.to_move
    for move in position.legal_moves():
        value = found.analysis.value(move, mover)
        following = position.play(move)
        assert value is not None
        assert following.outcome is None
        theirs = solver.solve(following).score  # type: ignore[arg-type]
        assert theirs is not None
        assert value.score(mover, squares) == -theirs
    end = position
    for move in found.line.moves:
        end = end.play(move)
    assert found.line.proven
    assert found.line.moves[0] in found.analysis.best()
    assert end.outcome is not None
    top = found.analysis.value(found.line.moves[0], mover)
    assert top is not None
    assert (end.ply if end.outcome.winner else 0) == abs(top.end)


def test_a_position_that_was_set_up_is_analysed_as_one_that_was_played() -> None:
    """A position that was set up has the same analysis as one that was played."""
    played = after("6x7", "4444")
    set_up = place_connect4(Connect4(), played.cells(), played.ply)
    assert analyse_position(set_up).analysis.scores == analyse_position(played).analysis.scores


def test_all_of_gato_is_proven() -> None:
    """The board with one stone is proven: every move draws, and so does the line."""
    found = analyse_position(after("gato", "b2"))
    assert found.analysis.proven
    assert found.line.proven
    assert set(found.analysis.scores.values()) == {0}


@pytest.mark.parametrize("name", ["8x8", "7x7", "boom"])
def test_an_unproven_analysis_has_its_depth(name: str) -> None:
    """Unproven moves have an estimate with its depth, and the line is what the search expects."""
    position = game_called(name).start()
    found = analyse_position(position, seconds=0.1)
    assert not found.analysis.proven
    assert not found.line.proven
    assert found.analysis.depth > 1
    assert set(found.analysis.scores) == set(position.legal_moves())
    assert found.line.moves[0] in found.analysis.best()
    assert len(found.line.moves) >= 8
    for move in found.line.moves:
        position = position.play(move)


def test_a_game_that_is_over_has_no_analysis() -> None:
    """A finished game raises ValueError."""
    with pytest.raises(ValueError, match="over"):
        analyse_position(after("6x7", "1212121"))
