"""Fixtures that run the tests of this folder for every registered game.

An installed game of another distribution is registered too, so the same tests check it.
"""

from __future__ import annotations

import pytest

from engine.core.game import Game
from engine.core.package import GamePackage
from engine.core.registry import game_of
from engine.core.registry import games as all_games

GAMES = [(key, variant) for key, package in all_games().items() for variant in package.variants]


@pytest.fixture(params=GAMES, ids=" ".join)
def game(request: pytest.FixtureRequest) -> Game:
    """Every variant of every game in turn."""
    key, variant = request.param
    return game_of(key, variant)


@pytest.fixture(params=all_games().values(), ids=all_games())
def package(request: pytest.FixtureRequest) -> GamePackage:
    """Every package in turn."""
    found: GamePackage = request.param
    return found
