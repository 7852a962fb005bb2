"""The search of the strongest level of Conecta-4 BOOM, which looks less deep at late moves."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.agent import FULL_MARGIN
from engine.core.compiled.bits import U
from engine.core.game import replay
from engine.core.kernel import KernelKind
from engine.core.limits import Limit, Stop
from engine.core.search import analyse
from engine.core.values import is_decided, plies_to_end
from engine.games.boom.compiled.rules import COLUMN, landing_squares, two_puts
from engine.games.boom.compiled.selective import (
    BEFORE_TURN,
    LEAST_DEPTH,
    unsafe_columns,
)
from engine.games.boom.kernel import load, load_selective, words_of
from engine.games.boom.rules import BOOM, Boom, BoomPosition
from tests.engine.games.boom.compiled.test_search import LATE
from tests.engine.games.boom.reference import settled
from tests.engine.games.conformance.plain import check_scores

WON = "5231716"
"""A position whose mover wins; a selective search sees it after 12,257 nodes, a whole one after
189,306."""


def settled_by_turn(position: BoomPosition, depth: int) -> int | None:
    """The end of the search by the rules: an evaluation also counts the rest of the turn."""
    value = settled(position, depth)
    if value is None or is_decided(value):
        return value
    return value + (BEFORE_TURN if position.ply % 2 and position.ply < 199 else 0)


def test_stones_that_lose_to_two_puts_are_found_for_all_columns_at_once(
    boom_positions: list[BoomPosition],
) -> None:
    """A column is unsafe if the other player wins by two puts after a stone in it."""
    found = 0
    for position in boom_positions:
        own, opp, _, _ = words_of(position)
        moves = [move for move in position.legal_moves() if move != BOOM]
        stones = {move: landing_squares(own | opp) & COLUMN << U(8 * move) for move in moves}
        expected = {m for m in moves if two_puts(opp, landing_squares(own | opp | stones[m]))}
        columns = int(unsafe_columns(opp, own | opp))
        assert {move for move in moves if columns >> move & 1} == expected
        found += 0 < len(expected) < len(moves)
    assert found > 20


@pytest.mark.parametrize("name", LATE)
def test_a_search_without_late_moves_is_exact(name: str) -> None:
    """To a depth at which no move is reduced, scores are exact near explosions and full boards."""
    game, rng = Boom(), Random(name)
    for back in (1, 2, 3, 4, 6):
        position = replay(game, game.moves(LATE[name][:-back]))
        depth = 2 if "explosion" in name else LEAST_DEPTH
        check_scores(position, depth, settled_by_turn, rng, KernelKind.STRONGEST)


def test_scores_of_recorded_positions_are_exact(boom_positions: list[BoomPosition]) -> None:
    """In positions of recorded games, which have many bombs, scores are exact as well."""
    rng = Random(0)
    for position in rng.sample(boom_positions, 12):
        check_scores(position, rng.randint(1, 2), settled_by_turn, rng, KernelKind.STRONGEST)


def test_proven_ends_are_no_later_by_the_whole_search(boom_positions: list[BoomPosition]) -> None:
    """A win or loss of the selective search is one for the whole search, at the latest then."""
    rng, proven = Random(1), 0
    for position in rng.sample(boom_positions, 40):
        kernel, whole = load_selective(position, 14), load(position, 16)
        kernel.allow(None)
        whole.allow(300_000)
        for depth in (6, 9):
            found = kernel.score_moves(depth, FULL_MARGIN, position.legal_moves(), Stop().flag)
            assert found is not None
            for move, score in found.items():
                plies = plies_to_end(score, position.ply) if is_decided(score) else 0
                if plies > 2:
                    exact = whole.score_moves(plies - 1, 0, [move], Stop().flag)
                    if exact is not None:
                        assert exact[move] >= score if score > 0 else exact[move] <= score
                        assert is_decided(exact[move])
                        proven += 1
    assert proven > 30


def test_the_end_that_it_proves_is_the_nearest_if_time_allows() -> None:
    """A selective analysis that sees the end has the score of a whole search to that end."""
    game = Boom()
    position = replay(game, game.moves(WON))
    found = analyse(position, Limit(nodes=1_000_000), kind=KernelKind.STRONGEST)
    whole = analyse(position, Limit(nodes=1_000_000))
    assert is_decided(found.top)
    assert (found.scores, found.depth) == (whole.scores, whole.depth)
    assert found.nodes > whole.nodes


def test_few_nodes_leave_the_end_that_was_proven() -> None:
    """Where the nodes do not suffice for a whole search, the score is that of the selective one."""
    game = Boom()
    position = replay(game, game.moves(WON))
    limit = Limit(nodes=60_000)
    assert not is_decided(analyse(position, limit).top)
    assert is_decided(analyse(position, limit, kind=KernelKind.STRONGEST).top)


def test_a_node_limit_and_a_stop_end_it() -> None:
    """It visits the nodes that it may, plus at most one per ply to end; a stop ends it."""
    position, stop = Boom().start(), Stop()
    kernel = load_selective(position, 14)
    kernel.allow(1000)
    assert kernel.score_moves(12, 0, position.legal_moves(), stop.flag) is None
    assert 1000 < kernel.nodes <= 1012
    kernel.allow(None)
    assert kernel.score_moves(3, 0, position.legal_moves(), stop.flag) is not None
    stop.set()
    assert kernel.score_moves(3, 0, position.legal_moves(), stop.flag) is None
