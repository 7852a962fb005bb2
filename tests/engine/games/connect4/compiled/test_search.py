"""The compiled search compared with a search without cutoffs."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.core.compiled.bits import board_word, winning_squares
from engine.core.compiled.memory import NO_LIMIT, Words
from engine.core.compiled.scores import INFINITE, WIN
from engine.core.game import Game, Position
from engine.games.connect4.compiled.evaluation import evaluate
from engine.games.connect4.compiled.memory import ABORTED, MOST_NODES, NODES, TABLE, new_memory
from engine.games.connect4.compiled.search import negamax
from engine.games.connect4.kernel import load, words_of
from engine.games.connect4.rules import Connect4, Connect4Position

SIZES = [Connect4.from_variant(size) for size in Connect4.SIZES]
Wander = Callable[[Game, Random, int], Position]
NearlyFull = Callable[[Connect4, Random, int], Connect4Position]


def winning(position: Connect4Position) -> bool:
    """Whether the mover can complete a line at once."""
    after = (position.play(move) for move in position.legal_moves())
    return any(end.outcome is not None and end.outcome.winner is not None for end in after)


def evaluated(position: Connect4Position) -> int:
    """The compiled evaluation of a quiet position, which has tests of its own."""
    game = position.game
    own, opp, _ = words_of(position)
    empty = np.uint64(board_word(game.rows, game.columns)) & ~(own | opp)
    memory = new_memory(game.rows, game.columns, 0)
    wins = winning_squares(own) & empty, winning_squares(opp) & empty
    return int(evaluate(own, opp, position.ply, *wins, memory))


def value(position: Connect4Position, depth: int) -> int:
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


def memory_for(game: Connect4) -> Words:
    """Working memory without a limit of nodes, with a table small enough to be overwritten."""
    memory = new_memory(game.rows, game.columns, 8)
    memory[MOST_NODES] = NO_LIMIT
    return memory


@settings(deadline=None, max_examples=120)
@given(
    game=st.sampled_from(SIZES),
    seed=st.integers(0, 2**32),
    moves=st.integers(0, 60),
    depth=st.integers(0, 3),
    offsets=st.lists(st.tuples(st.integers(-12, 12), st.integers(1, 12)), min_size=1, max_size=6),
)
def test_values_inside_the_window_are_exact(
    wander: Wander,
    game: Connect4,
    seed: int,
    moves: int,
    depth: int,
    offsets: list[tuple[int, int]],
) -> None:
    """Values inside the window are exact and others are bounds, for any table content."""
    position = wander(game, Random(seed), moves)
    assume(position.ply < game.rows * game.columns)
    exact, memory, flag = value(position, depth), memory_for(game), np.zeros(1, np.uint8)
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


@settings(deadline=None, max_examples=80)
@given(
    game=st.sampled_from(SIZES),
    seed=st.integers(0, 2**32),
    moves=st.integers(0, 60),
    depth=st.integers(1, 4),
    margin=st.integers(0, 25) | st.just(2 * WIN),
)
def test_moves_within_the_margin_have_exact_scores(
    wander: Wander, game: Connect4, seed: int, moves: int, depth: int, margin: int
) -> None:
    """Moves within the margin of the best get their exact score; the others are left out."""
    rng = Random(seed)
    position = wander(game, rng, moves)
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


@settings(deadline=None, max_examples=60)
@given(game=st.sampled_from(SIZES), seed=st.integers(0, 2**32), empty=st.integers(1, 9))
def test_a_search_to_the_end_is_perfect_play(
    nearly_full: NearlyFull,
    play_perfectly: Callable[[Position], dict[int, int]],
    game: Connect4,
    seed: int,
    empty: int,
) -> None:
    """Searched to the last square, every move gets the score of perfect play."""
    position = nearly_full(game, Random(seed), empty)
    kernel = load(position, 8)
    kernel.allow(None)
    assert kernel.deepest == empty
    flag = np.zeros(1, np.uint8)
    found = kernel.score_moves(empty, 2 * WIN, position.legal_moves(), flag)
    assert found == play_perfectly(position)


@pytest.mark.parametrize("how", ["flag", "nodes"])
def test_an_interrupted_search_stores_nothing(how: str) -> None:
    """A search that is cut short at its first node gives no scores and stores nothing."""
    game, flag = Connect4(), np.zeros(1, np.uint8)
    memory = memory_for(game)
    if how == "flag":
        flag[0] = 1
    else:
        memory[MOST_NODES] = 0
    negamax(*words_of(game.start()), 0, 6, -INFINITE, INFINITE, memory, flag)
    assert memory[ABORTED] == 1
    assert memory[NODES] == 1
    assert not memory[TABLE:].any()


def test_a_node_limit_is_kept() -> None:
    """A search visits exactly the nodes that it may, plus at most one per ply to end."""
    position, depth = Connect4().start(), 12
    kernel = load(position, 14)
    kernel.allow(1000)
    flag = np.zeros(1, np.uint8)
    assert kernel.score_moves(depth, 0, position.legal_moves(), flag) is None
    assert 1000 < kernel.nodes <= 1001 + depth
    kernel.allow(None)
    assert kernel.score_moves(4, 0, position.legal_moves(), flag) is not None


def test_the_preferred_move_is_remembered() -> None:
    """After a search the kernel returns its preferred move of visited positions only."""
    game = Connect4()
    position = game.start()
    for move in game.moves("4242"):
        position = position.play(move)
    kernel = load(position, 14)
    kernel.allow(None)
    after = position.play(game.parse("1"))
    assert kernel.remembered(after) is None
    scores = kernel.score_moves(4, 2 * WIN, position.legal_moves(), np.zeros(1, np.uint8))
    assert scores is not None
    replies = {move: value(after.play(move), 2) for move in after.legal_moves()}
    preferred = kernel.remembered(after)
    assert preferred is not None
    assert replies[preferred] == min(replies.values())
