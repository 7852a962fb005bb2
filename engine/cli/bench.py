"""The engine's signature: fixed positions searched to fixed depths.

The node count is the same on every machine. If it changes, the engine's behaviour has changed; if
only the nodes per second change, its speed has.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.analysis import Analysis
from engine.core.game import replay
from engine.core.limits import Limit
from engine.core.package import BenchPosition
from engine.core.registry import game_of
from engine.core.search import analyse

BENCH = (
    BenchPosition("connect4", "6x7", "", 14),
    BenchPosition("connect4", "6x7", "4444", 14),
    BenchPosition("connect4", "6x7", "13712", 14),
    BenchPosition("connect4", "6x7", "335662333565", 14),
    BenchPosition("connect4", "5x4", "", 20),
    BenchPosition("connect4", "5x6", "34", 15),
    BenchPosition("connect4", "7x7", "4453", 14),
    BenchPosition("connect4", "8x8", "45", 13),
    BenchPosition("gato", "4x4", "", 12),
    BenchPosition("gato", "4x4", "b2c3a1", 13),
    BenchPosition("boom", "7x7", "", 14),
    BenchPosition("boom", "7x7-draw", "4433", 12),
)


def run_bench() -> Iterator[tuple[BenchPosition, Analysis]]:
    """Search each bench position in turn."""
    # The first search of a process loads the compiled code, which is not to be measured.
    analyse(game_of(BENCH[0].game, BENCH[0].variant).start(), Limit(depth=2))
    for entry in BENCH:
        game = game_of(entry.game, entry.variant)
        position = replay(game, game.moves(entry.moves))
        yield entry, analyse(position, Limit(depth=entry.depth))
