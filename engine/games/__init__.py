"""The games that ship with the engine, each in a package of its own.

The registry imports this module by name and finds other distributions' games by their entry points:
no generic module imports a game.
"""

from __future__ import annotations

from engine.core.package import GamePackage
from engine.games import boom, connect4, gato

GAMES: tuple[GamePackage, ...] = (connect4.GAME, gato.GAME, boom.GAME)
"""The games in the order in which commands list them; the first is the default game."""
