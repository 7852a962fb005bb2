"""Positions that may belong to one game."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.game import Position
from engine.core.registry import game_called, package_of
from engine.games.gato.rules import gato_images
from tests.builders import after


def related(one: Position, other: Position) -> bool:
    """Whether these positions count as related."""
    found = package_of(one.game).related(one, other)
    assert found == package_of(one.game).related(other, one)
    return found


@given(st.sampled_from(["6x7", "5x4", "gato", "boom"]), st.integers(0, 2**32))
@settings(max_examples=40)
def test_all_positions_of_a_game_are_related(name: str, seed: int) -> None:
    """All positions of a game are related to each other and to their mirror images."""
    game, rng = game_called(name), Random(seed)
    columns = len(game.column_names)
    positions, images = [game.start()], [game.start()]
    while positions[-1].outcome is None and positions[-1].ply < 30:
        move = rng.choice(positions[-1].legal_moves())
        positions.append(positions[-1].play(move))
        if name in ("6x7", "5x4"):
            images.append(images[-1].play(type(move)(columns - 1 - move)))
    for one, other in pairwise(rng.sample(positions, len(positions))):
        assert related(one, other)
    for position in positions:
        assert related(position, rng.choice(images))


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("6x7", "44", "4"),
        ("6x7", "44", "4435"),
        ("6x7", "12", "76"),
        ("6x7", "123", "765621"),
        ("gato", "a1b2", "d4c3"),
        ("gato", "a1b1", "b2a2"),  # the middle turned outwards keeps all lines
        ("boom", "44", "1"),
    ],
)
def test_related_positions(name: str, one: str, other: str) -> None:
    """Earlier, later and mirrored positions are related; in BOOM all positions are."""
    game = game_called(name)
    assert related(after(game, one), after(game, other))


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [("6x7", "44", "5"), ("6x7", "12", "75"), ("gato", "a1", "b1"), ("gato", "a1b2", "a1b1")],
)
def test_unrelated_positions(name: str, one: str, other: str) -> None:
    """Positions are unrelated if each has a stone that no image of the other has."""
    game = game_called(name)
    assert not related(after(game, one), after(game, other))


def test_boards_of_two_sizes_are_unrelated() -> None:
    """Positions on boards of different sizes are unrelated; BOOM's two variants are related."""
    assert not related(game_called("6x7").start(), game_called("7x7").start())
    assert related(game_called("boom").start(), game_called("boom:7x7-draw").start())


def test_gato_has_32_symmetries() -> None:
    """Gato has 32 symmetries, each of which keeps its ten lines and so the values of positions."""
    position = after(game_called("gato"), "a1b2c2d4b1")
    board = tuple(cell for row in position.cells() for cell in row)
    boards = [tuple(board[at] for at in image) for image in gato_images(position.game)]
    assert len(boards) == 32
    assert board in boards
