"""The compiled search of Gato compared with a search without cutoffs, and with all exact values."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.compiled.memory import NO_LIMIT
from engine.core.compiled.scores import INFINITE, WIN
from engine.core.game import Game, Move, Position
from engine.games.gato.compiled.lines import open_beside, weigh
from engine.games.gato.compiled.memory import ABORTED, MOST_NODES, NODES, TABLE, new_memory
from engine.games.gato.compiled.search import negamax
from engine.games.gato.kernel import load, words_of
from engine.games.gato.rules import Gato, GatoPosition
from tests.engine.games.gato.gato_positions import GatoPositions

Wander = Callable[[Game, Random, int], GatoPosition]


def winning(position: Position) -> bool:
    """Whether the mover can complete a line at once."""
    after = (position.play(move) for move in position.legal_moves())
    return any(end.outcome is not None and end.outcome.winner is not None for end in after)


def evaluated(position: GatoPosition) -> int:
    """The compiled weight of a quiet position's lines, which has tests of its own."""
    own, opp = words_of(position)
    return int(weigh(own, open_beside(opp)) - weigh(opp, open_beside(own)))


def value(position: GatoPosition, depth: int) -> int:
    """The value of a position to `depth` plies, by the plain rules and without cutoffs.

    At the end of the search the next two stones are still considered.
    """
    if position.outcome is not None:
        return 0
    if winning(position):
        return WIN - (position.ply + 1)
    following = [position.play(move) for move in position.legal_moves()]
    if depth == 0:
        lost = all(after.outcome is None and winning(after) for after in following)
        return position.ply + 2 - WIN if lost else evaluated(position)
    return max(-value(after, depth - 1) for after in following)


@settings(deadline=None, max_examples=100)
@given(
    seed=st.integers(0, 2**32),
    moves=st.integers(0, 15),
    depth=st.integers(0, 2),
    offsets=st.lists(st.tuples(st.integers(-12, 12), st.integers(1, 12)), min_size=1, max_size=6),
)
def test_values_inside_the_window_are_exact(
    wander: Wander, seed: int, moves: int, depth: int, offsets: list[tuple[int, int]]
) -> None:
    """Values inside the window are exact and others are bounds, for any table content."""
    position = wander(Gato(), Random(seed), moves)
    exact, memory, flag = value(position, depth), new_memory(8), np.zeros(1, np.uint8)
    memory[MOST_NODES] = NO_LIMIT
    windows = [(exact + low, exact + low + width) for low, width in offsets]
    inside = 0
    for alpha, beta in [*windows, (-INFINITE, INFINITE), *windows]:
        found = negamax(*words_of(position), position.ply, depth, alpha, beta, memory, flag)
        if found <= alpha:
            assert exact <= found
        elif found >= beta:
            assert exact >= found
        else:
            assert found == exact
            inside += 1
    assert inside == 1 + 2 * sum(alpha < exact < beta for alpha, beta in windows)


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    moves=st.integers(0, 15),
    depth=st.integers(1, 3),
    margin=st.integers(0, 25) | st.just(2 * WIN),
)
def test_moves_within_the_margin_have_exact_scores(
    wander: Wander, seed: int, moves: int, depth: int, margin: int
) -> None:
    """Moves within the margin of the best get their exact score; the others are left out."""
    rng = Random(seed)
    position = wander(Gato(), rng, max(moves, 3 * depth - 3))
    exact = {}
    for move in position.legal_moves():
        after = position.play(move)
        won = after.outcome is not None and after.outcome.winner is not None
        exact[move] = WIN - after.ply if won else -value(after, depth - 1)
    kernel = load(position, 8)
    kernel.allow(None)
    order = rng.sample(position.legal_moves(), len(exact))
    found = kernel.score_moves(depth, margin, order, np.zeros(1, np.uint8))
    near = {move: score for move, score in exact.items() if score >= max(exact.values()) - margin}
    assert found == near


# Almost without a table, the opening takes long.
TABLES = [(bits, ply) for bits, first in ((4, 5), (16, 0)) for ply in range(first, 16)]


@pytest.mark.parametrize(("table_bits", "ply"), TABLES)
def test_a_search_to_the_end_finds_the_exact_value(
    ply: int, table_bits: int, gato_positions: GatoPositions
) -> None:
    """Searched to the last square, a position has the value that enumeration gives it."""
    flag = np.zeros(1, np.uint8)
    for position in gato_positions.some(ply, 20 if ply < 6 else 200, seed=ply):
        kernel = load(position, table_bits)
        kernel.allow(None)
        found = kernel.score_moves(kernel.deepest, 0, position.legal_moves(), flag)
        assert found is not None
        assert set(found.values()) == {gato_positions.score(position)}


@pytest.mark.parametrize("how", ["flag", "nodes"])
def test_an_interrupted_search_stores_nothing(how: str) -> None:
    """A search that is cut short at its first node gives no scores and stores nothing."""
    memory, flag = new_memory(8), np.zeros(1, np.uint8)
    memory[MOST_NODES] = NO_LIMIT if how == "flag" else 0
    flag[0] = how == "flag"
    negamax(*words_of(Gato().start()), 0, 6, -INFINITE, INFINITE, memory, flag)
    assert (memory[ABORTED], memory[NODES]) == (1, 1)
    assert not memory[TABLE:].any()


def test_a_node_limit_is_kept() -> None:
    """A search visits exactly the nodes that it may, and one more, which ends it."""
    position = Gato().start()
    kernel = load(position, 14)
    kernel.allow(1000)
    flag = np.zeros(1, np.uint8)
    assert kernel.score_moves(12, 0, position.legal_moves(), flag) is None
    assert kernel.nodes == 1001
    kernel.allow(None)
    assert kernel.score_moves(4, 0, position.legal_moves(), flag) is not None


@pytest.mark.parametrize("moves", ["b2c3", "b2c3a4", "a1b1a2b2d4d3c4"])
def test_the_preferred_move_is_remembered(moves: str) -> None:
    """After a search the kernel knows a best reply in visited positions, in their orientation."""
    game = Gato()
    position = game.start()
    for move in game.moves(moves):
        position = position.play(move)
    kernel = load(position, 16)
    kernel.allow(None)
    assert kernel.remembered(position.play(position.legal_moves()[0])) is None
    scores = kernel.score_moves(3, 2 * WIN, position.legal_moves(), np.zeros(1, np.uint8))
    assert scores is not None
    known = 0
    for move in position.legal_moves():
        after = position.play(move)
        preferred = kernel.remembered(after)
        if preferred is not None:
            known += 1
            replies: dict[Move, int] = {
                reply: value(after.play(reply), 1) for reply in after.legal_moves()
            }
            assert replies[preferred] == min(replies.values())
    assert known
