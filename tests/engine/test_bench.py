"""The engine's signature."""

from __future__ import annotations

from engine.bench import BENCH, run_bench
from engine.game import replay
from engine.games import game_of


def test_the_signature_is_the_same_on_every_run() -> None:
    """The same positions searched to the same depths visit the same nodes every time."""
    runs = [[(found.nodes, found.scores) for _, found in run_bench()] for _ in range(2)]
    assert runs[0] == runs[1]
    assert all(nodes > 0 for nodes, _ in runs[0])


def test_every_bench_position_is_searched_to_its_depth() -> None:
    """Each entry is searched in turn, and as deep as it says."""
    found = list(run_bench())
    assert [entry for entry, _ in found] == list(BENCH)
    assert all(exploration.depth == entry.depth for entry, exploration in found)


def test_every_bench_position_goes_on() -> None:
    """Each entry is a legal game that is not over, and no two are alike."""
    for entry in BENCH:
        game = game_of(entry.game, entry.variant)
        assert replay(game, game.moves(entry.moves)).outcome is None
    assert len(set(BENCH)) == len(BENCH)
