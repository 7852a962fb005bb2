"""The engine's benchmark: fixed positions searched to fixed depths, for every game.

The node count is the same on every machine. If it changes, the engine's behaviour has changed; if
only the nodes per second change, its speed has.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.analysis import Analysis
from engine.core.game import replay
from engine.core.limits import Limit
from engine.core.package import BenchPosition, GamePackage
from engine.core.registry import games
from engine.core.search import analyse


def run_bench() -> Iterator[tuple[GamePackage, BenchPosition, Analysis]]:
    """Search each bench position of every game in turn."""
    for package in games().values():
        for number, entry in enumerate(package.bench):
            game = package.from_variant(entry.variant)
            if number == 0:
                # The first search loads the compiled code, which is not to be measured.
                analyse(game.start(), Limit(depth=2))
            position = replay(game, game.moves(entry.moves))
            yield package, entry, analyse(position, Limit(depth=entry.depth))
