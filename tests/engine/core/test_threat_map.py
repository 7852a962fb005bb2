"""The map of threats is that of the plain rules, and what it says of a full board is proven."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.game import Player, Position, Square, replay
from engine.core.registry import game_called, games, package_of
from engine.core.threat_map import MappedThreat, ThreatMap
from tests.builders import after
from tests.engine.reason_truth import all_threats
from tests.engine.threat_checks import random_game
from tests.engine.threat_truth import Grid, always_wins

BOARDS = [
    f"{key}:{variant}"
    for key, package in games().items()
    if package.threat_map is not None
    for variant in package.variants
]
"""Every board with a map."""
POSITIONS = 6
"""Random positions of each board."""


def mapped(position: Position) -> ThreatMap:
    """The map of a position."""
    found = package_of(position.game).threat_map_of(position)
    assert found is not None
    return found


def plain(position: Position) -> set[MappedThreat]:
    """The threats of a position by trying every empty square for both players."""
    grid, rows = Grid.of(position), len(position.cells())
    threats = {player: all_threats(grid, player) for player in Player}
    return {
        MappedThreat(
            square,
            tuple(player for player in Player if square in threats[player]),
            square in grid.playable(),
            (rows - square.row) % 2 == 1 if grid.falls else None,
        )
        for square in threats[Player.FIRST] | threats[Player.SECOND]
    }


@pytest.mark.parametrize("board", BOARDS)
def test_a_map_has_every_square_that_completes_a_line(board: str) -> None:
    """On every board it has each threat once, with its players, its row, and whether it is free."""
    game, rng = game_called(board), Random(board)
    for _ in range(POSITIONS):
        position = replay(game, random_game(game, rng))
        found = mapped(position).threats
        assert set(found) == plain(position), position.cells()
        assert len({one.square for one in found}) == len(found)


@pytest.mark.parametrize("board", ["connect4:5x4", "connect4:4x5", "connect4:4x4", "connect4:4x6"])
def test_a_square_that_falls_to_a_side_does_whatever_the_other_plays(board: str) -> None:
    """Where a square is called decisive, its owner wins against every play by answering on top."""
    game, rng, proven = game_called(board), Random(board), 0
    for _ in range(200):
        position = replay(game, random_game(game, rng))
        found = mapped(position)
        if found.decisive is not None:
            proven += 1
            assert found.favours is position.to_move.other
            assert always_wins(Grid.of(position), found.favours, found.decisive)
    assert proven


def test_a_rule_of_thumb_says_whom_other_threats_suit() -> None:
    """Without a proof, a quiet board suits the side that the rule of odd and even threats names.

    While a side can complete a line at once, nothing is said.
    """
    game, rng = game_called("connect4:6x7"), Random(7)
    said, silent = 0, 0
    for _ in range(60):
        position = replay(game, random_game(game, rng))
        found = mapped(position)
        if found.decisive is not None:
            continue
        usual = package_of(game).favoured_in(position)
        if any(one.is_playable for one in found.threats):
            assert found.favours is None
            silent += usual is not None
        else:
            assert found.favours is usual
            said += usual is not None
    assert said
    assert silent
    assert mapped(game.start()) == ThreatMap(())


def test_where_pieces_do_not_fall_there_are_only_squares() -> None:
    """In Gato a map has no rows and favours no side."""
    found = mapped(after("gato:4x4", "a1d4b1d3c1d2"))
    assert set(found.threats) == {
        MappedThreat(Square(0, 3), (Player.FIRST, Player.SECOND), is_playable=True)
    }
    assert found.favours is None


def test_a_turn_of_two_moves_and_a_finished_game_have_no_map() -> None:
    """BOOM has no map, since two discs may complete a line in one turn, nor has a game's end."""
    for game, moves in (("boom:7x7", "4"), ("connect4:6x7", "1212121")):
        position = after(game, moves)
        assert package_of(position.game).threat_map_of(position) is None
