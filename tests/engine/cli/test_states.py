"""Positions as JSON objects."""

from __future__ import annotations

import json
from random import Random

import pytest

from engine.cli.main import state_of, states_of
from engine.core.game import Game, IllegalMove, Move
from engine.core.registry import game_called, game_of, games


def test_a_state_describes_the_position() -> None:
    """A state has the plies, the rows from the top, the player to move and the legal moves."""
    game = game_called("4x4")
    *_, state = states_of(game, game.moves("1121"))
    assert state == {
        "ply": 4,
        "board": "..../2.../2.../11..",
        "to_move": 1,
        "legal": ["1", "2", "3", "4"],
        "outcome": None,
    }


@pytest.mark.parametrize(
    ("game", "moves", "outcome"),
    [
        ("6x7", "1212121", "1"),
        ("6x7", "41212121", "2"),
        ("gato", "a1a2b1b2c1c2d1", "1"),
        ("gato", "a1b1c1d1a2b2c2d2b3a3d3c3b4a4d4c4", "draw"),
        ("boom", "562712234552325B", "2"),
        ("boom", "754452671541B4733B3317242623143B35227414134277B571216655666", "2"),
        ("boom:7x7-draw", "754452671541B4733B3317242623143B35227414134277B571216655666", "draw"),
    ],
)
def test_a_finished_state_has_its_outcome(game: str, moves: str, outcome: str) -> None:
    """The last state of a finished game has its outcome and no legal moves."""
    played = game_called(game)
    *before, last = states_of(played, played.moves(moves))
    assert last["outcome"] == outcome
    assert last["legal"] == []
    assert all(state["outcome"] is None for state in before)


@pytest.mark.parametrize("family", games())
def test_states_are_json_and_follow_the_positions(family: str) -> None:
    """Every state of a random game survives JSON and equals its position."""
    game: Game = game_of(family, games()[family].usual)
    rng, position, moves = Random(family), game.start(), list[Move]()
    positions = [position]
    while position.outcome is None:
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
        positions.append(position)
    states = [json.loads(json.dumps(state)) for state in states_of(game, moves)]
    assert states == [state_of(position) for position in positions]
    assert [state["ply"] for state in states] == list(range(len(positions)))


def test_states_end_at_an_illegal_move() -> None:
    """The states before an illegal move are yielded, then IllegalMove is raised."""
    game = game_called("gato")
    states = states_of(game, game.moves("a1a1"))
    assert [next(states)["ply"], next(states)["ply"]] == [0, 1]
    with pytest.raises(IllegalMove):
        next(states)
