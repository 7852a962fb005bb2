"""Rules, search and agents: pure, without network, files or asyncio.

Importing this package is cheap; `engine.alphabeta`, `engine.games` and `engine.levels` load the
compiled kernels.
"""

from engine.game import (
    Cell,
    Game,
    IllegalMove,
    Move,
    NotAMove,
    Outcome,
    Player,
    Position,
    Remark,
    Square,
    UnknownVariant,
    replay,
)

__all__ = [
    "Cell",
    "Game",
    "IllegalMove",
    "Move",
    "NotAMove",
    "Outcome",
    "Player",
    "Position",
    "Remark",
    "Square",
    "UnknownVariant",
    "replay",
]
