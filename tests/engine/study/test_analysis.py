"""Analyses of positions: the value of every move and the best line."""

from __future__ import annotations

import pytest

from engine.core.kept import TABLES
from engine.core.registry import game_called
from engine.games.connect4.rules import Connect4, place_connect4
from engine.games.connect4.solver import Solver
from engine.study.analysis import analyse_and_keep, analyse_position
from tests.builders import TIMEOUT, after

pytestmark = pytest.mark.usefixtures("no_tables")


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


@pytest.mark.parametrize("name", ["8x8", "boom"])
def test_an_analysis_goes_on_where_the_last_one_ended(name: str) -> None:
    """An analysis that goes on is deeper, for no more nodes than it is given."""
    position = game_called(name).start()
    first = analyse_and_keep(position, goes_on=False, seconds=0.1).analysis
    second = analyse_and_keep(position, goes_on=True, seconds=0.5).analysis
    assert second.depth > first.depth
    alone = analyse_position(position, seconds=0.5).analysis
    assert second.depth >= alone.depth
    assert first.nodes < second.nodes <= first.nodes + alone.nodes * 1.1
    again = analyse_and_keep(position, goes_on=True, seconds=1e-6).analysis
    assert again.scores == second.scores
    assert again.depth == second.depth


def test_an_analysis_that_goes_on_proves_more() -> None:
    """Brief analyses that go on prove in the end what each of them could not."""
    position, seconds = after("7x7", "444444123745512"), 0.1
    assert not analyse_position(position, seconds=seconds).analysis.proven
    proven = []
    while not any(proven) and len(proven) < 50:
        found = analyse_and_keep(position, goes_on=bool(proven), seconds=seconds)
        proven.append(found.analysis.proven)
    assert proven[-1]
    assert len(proven) > 1
    assert found.analysis.scores == analyse_position(position, seconds=TIMEOUT).analysis.scores
    assert TABLES.size == 0


def test_an_analysis_begins_anew_unless_it_is_asked_to_go_on() -> None:
    """A first analysis does not depend on kept tables; without tables going on begins anew."""
    position = game_called("8x8").start()
    first = [analyse_and_keep(position, goes_on=False, seconds=0.05).analysis for _ in range(2)]
    assert TABLES.size > 0
    TABLES.resize(0)
    first.append(analyse_and_keep(position, goes_on=True, seconds=0.05).analysis)
    assert len({(one.depth, one.nodes) for one in first}) == 1
