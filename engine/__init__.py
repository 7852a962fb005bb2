"""Rules, search and agents, without network, event loop or database.

It reads only its own files: the ladders, the books, the puzzles, and the cache of compiled kernels.
Only `python -m engine` writes others: books, their journals, and files of puzzles.

Importing this package is cheap; `engine.core.search`, `engine.core.package` and
`engine.strength.roster` load the compiled kernels.
"""

from engine.core.game import (
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
