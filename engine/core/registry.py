"""All games: found, checked and returned by their keys.

The games that ship with the engine come first, then those of other distributions, which register a
`GamePackage` under the entry point group `cuatro.games`, in the order of their keys. An incomplete
package stops the program with the name of the game and of the missing part;
`CUATRO_GAMES_WITHOUT=popout` starts without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType

from engine.core.checks import IncompleteGame, check_all
from engine.core.game import Game, Position
from engine.core.installed import WITHOUT as WITHOUT
from engine.core.installed import installed_games
from engine.core.package import GamePackage, KernelPart

SHIPPED = "engine.games"
"""The package with the games of this distribution; imported by name, since it imports this
module."""


@cache
def games() -> Mapping[str, GamePackage]:
    """Return all games by their keys, the default one first; raises IncompleteGame."""
    shipped: tuple[GamePackage, ...] = import_module(SHIPPED).GAMES
    found = (*shipped, *_installed())
    check_all(found, shipped=len(shipped))
    return MappingProxyType({package.key: package for package in found})


def _installed() -> list[GamePackage]:
    """The games of other distributions, in the order of their names."""
    found = []
    for entry in installed_games():
        try:
            package = entry.load()
        except Exception as error:
            raise IncompleteGame(
                entry.name, "package", f"it cannot be imported: {error}"
            ) from error
        if not isinstance(package, GamePackage):
            raise IncompleteGame(entry.name, "package", f"{entry.value} is no GamePackage")
        found.append(package)
    return found


def package_of(game: Game | Position) -> GamePackage:
    """Return the package of a game, or of a position's game."""
    owner = game.game if hasattr(game, "game") else game
    return games()[owner.key]


def default_game() -> GamePackage:
    """Return the game that a variant without a game's name, such as `6x7`, belongs to."""
    return next(iter(games().values()))


def game_of(key: str, variant: str) -> Game:
    """Return the game with this key and variant; raises KeyError or UnknownVariant."""
    return games()[key].from_variant(variant)


def game_called(text: str) -> Game:
    """Return the game named by a command-line argument: `boom`, `boom:7x7-draw`, or just `6x7`.

    A game's key means its usual variant; anything else is a variant of the default game. Raises
    UnknownVariant.
    """
    key, colon, variant = text.strip().partition(":")
    if key in games():
        return game_of(key, variant if colon else games()[key].usual)
    return default_game().from_variant(text)


def compiled_modules() -> tuple[str, ...]:
    """Return the compiled modules of all games, each after those that it calls."""
    return tuple(name for part in parts().values() for name in part.modules)


@cache
def parts() -> Mapping[str, KernelPart]:
    """Return the compiled parts of all games by their names."""
    return MappingProxyType({part.name: part for each in games().values() for part in each.parts})
