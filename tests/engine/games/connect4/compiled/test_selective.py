"""The search of the strongest level of Connect 4, which looks less deep at late moves."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.agent import FULL_MARGIN
from engine.core.kernel import KernelKind
from engine.core.limits import Limit, Stop
from engine.core.registry import package_of
from engine.core.search import LARGE_TABLE, Deepening
from engine.core.values import is_decided, plies_to_end
from engine.games.connect4.compiled.search import LEAST_REDUCED
from engine.games.connect4.kernel import load_selective
from engine.games.connect4.rules import Connect4
from tests.builders import after
from tests.engine.games.conformance.plain import check_scores, walk
from tests.engine.games.connect4.reference import settled_by_weights


@pytest.mark.parametrize("size", ["5x4", "7x8", "8x8"])
def test_a_search_without_late_moves_is_exact(size: str) -> None:
    """To a depth at which no move is reduced, scores are exact, by the fitted evaluation."""
    game, rng = Connect4.from_variant(size), Random(size)
    for number in range(4):
        position, _ = walk(game, rng, 3 * number)
        if position.outcome is None:
            depth = LEAST_REDUCED if size == "5x4" else LEAST_REDUCED - 1
            check_scores(position, depth, settled_by_weights, rng, KernelKind.STRONGEST)


@pytest.mark.parametrize("size", ["5x4", "6x7"])
def test_wins_and_losses_are_true_and_end_no_later(size: str) -> None:
    """A win or loss that it sees is one by perfect play, and ends then at the latest."""
    game, rng, proven = Connect4.from_variant(size), Random(size), 0
    for number in range(40):
        position, _ = walk(game, rng, (6 if size == "5x4" else 16) + number % 8)
        if position.outcome is not None:
            continue
        exact = package_of(position).prove(position)
        kernel = load_selective(position, 12)
        kernel.allow(None)
        assert exact is not None
        for depth in (6, 10):
            legal = position.legal_moves()
            found = kernel.score_moves(depth, FULL_MARGIN, legal, Stop().flag)
            assert found is not None
            for move, score in found.items():
                if is_decided(score):
                    true = exact.scores[move]
                    assert is_decided(true)
                    assert (true > 0) is (score > 0)
                    ends = plies_to_end(score, position.ply), plies_to_end(true, position.ply)
                    assert ends[0] >= ends[1]
                    proven += 1
    assert proven > 40


@pytest.mark.parametrize("name", ["7x7", "8x6", "8x8"])
def test_it_sees_further_with_the_same_nodes(name: str) -> None:
    """With the nodes of a whole search it looks at least two plies further ahead."""
    position = after(name, "4435")
    depths = [
        Deepening(position, package_of(position).load(position, LARGE_TABLE, kind))
        .go_on(Limit(nodes=300_000))
        .depth
        for kind in (KernelKind.FITTED, KernelKind.STRONGEST)
    ]
    assert depths[1] >= depths[0] + 2


def test_a_node_limit_and_a_stop_end_it() -> None:
    """It visits the nodes that it may, plus at most one per ply to end; a stop ends it."""
    position, stop = Connect4(8, 8).start(), Stop()
    kernel = load_selective(position, 14)
    kernel.allow(1000)
    assert kernel.score_moves(14, 0, position.legal_moves(), stop.flag) is None
    assert 1000 < kernel.nodes <= 1014
    kernel.allow(None)
    assert kernel.score_moves(3, 0, position.legal_moves(), stop.flag) is not None
    stop.set()
    assert kernel.score_moves(3, 0, position.legal_moves(), stop.flag) is None
