"""The games that ship with the engine, each a package of its own.

Found by the registry by this module's name, as other distributions' games are by their entry
points: no generic module imports a game.
"""

from __future__ import annotations

from engine.core.package import GamePackage
from engine.games import boom, connect4, gato

GAMES: tuple[GamePackage, ...] = (connect4.GAME, gato.GAME, boom.GAME)
"""In the order in which commands list them; the first is the default game."""
