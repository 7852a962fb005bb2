"""The engine's benchmark: the pinned node counts of fixed positions, for every game."""

from __future__ import annotations

from engine.cli.bench import run_bench
from engine.core.game import replay
from engine.core.registry import games

SIGNATURE = {
    ("connect4", "6x7", ""): 297_979,
    ("connect4", "6x7", "4444"): 616_366,
    ("connect4", "6x7", "13712"): 473_605,
    ("connect4", "6x7", "335662333565"): 37_747,
    ("connect4", "5x4", ""): 598_380,
    ("connect4", "5x6", "34"): 142_475,
    ("connect4", "7x7", "4453"): 237_181,
    ("connect4", "8x8", "45"): 367_248,
    ("gato", "4x4", ""): 546_584,
    ("gato", "4x4", "b2c3a1"): 106_631,
    ("boom", "7x7", ""): 338_632,
    ("boom", "7x7-draw", "4433"): 82_771,
}
"""Nodes by game, variant and moves; a change needs a commit of its own that explains it."""


def test_node_counts_are_as_pinned() -> None:
    """Every benchmark position is searched to its depth and visits exactly the pinned nodes."""
    found = list(run_bench())
    assert all(explored.depth == entry.depth for _, entry, explored in found)
    nodes = {
        (package.key, entry.variant, entry.moves): explored.nodes
        for package, entry, explored in found
    }
    assert nodes == SIGNATURE


def test_every_benchmark_position_is_unfinished() -> None:
    """Every game has benchmark positions, all different, legal and not over."""
    for package in games().values():
        assert package.bench
        for entry in package.bench:
            game = package.from_variant(entry.variant)
            assert replay(game, game.moves(entry.moves)).outcome is None
        assert len(set(package.bench)) == len(package.bench)
