"""The student agents' compiled minimax compared with one without cutoffs."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.compiled.scores import UNKNOWN, WIN
from engine.core.game import Player, replay
from engine.games.connect4.agents.compiled.evaluation import Evaluation, evaluate
from engine.games.connect4.agents.compiled.search import best_moves, from_the_middle
from engine.games.connect4.compiled.memory import ABORTED, NODES, new_memory
from engine.games.connect4.kernel import words_of
from engine.games.connect4.rules import Connect4, Connect4Position
from tests.builders import SIZES, NearlyFull, RandomPosition


def plain(position: Connect4Position, depth: int, evaluation: Evaluation, agent: Player) -> int:
    """The value of a position for the agent, by minimax over the plain rules.

    The evaluation of leaves is the compiled one, which has tests of its own.
    """
    if position.outcome is not None:
        winner = position.outcome.winner
        if winner is None:
            return 0
        return WIN - position.ply if winner is agent else position.ply - WIN
    if depth == 0:
        own, opp, _ = words_of(position)
        memory = new_memory(position.game.rows, position.game.columns, 0)
        agents = position.to_move is agent
        value = int(evaluate(evaluation, own, opp, agents, memory))
        return value if agents else -value
    choose = max if position.to_move is agent else min
    following = (position.play(move) for move in position.legal_moves())
    return choose(plain(after, depth - 1, evaluation, agent) for after in following)


def compiled(
    position: Connect4Position, depth: int, evaluation: Evaluation, margin: int = 0
) -> dict[int, int]:
    """The moves within a margin of the best, with their scores, by the compiled search."""
    own, opp, _ = words_of(position)
    scores = np.full(position.game.columns, UNKNOWN, np.int64)
    memory = new_memory(position.game.rows, position.game.columns, 0)
    order = np.array(position.legal_moves(), np.int64)
    flag = np.zeros(1, np.uint8)
    best_moves(own, opp, position.ply, depth, evaluation, margin, order, scores, memory, flag)
    return {column: int(score) for column, score in enumerate(scores) if score != UNKNOWN}


def expected(
    position: Connect4Position, depth: int, evaluation: Evaluation, margin: int = 0
) -> dict[int, int]:
    """The moves within a margin of the best, with their scores, by plain minimax."""
    agent = position.to_move
    scores = {
        int(move): plain(position.play(move), depth - 1, evaluation, agent)
        for move in position.legal_moves()
    }
    least = max(scores.values()) - margin
    return {move: score for move, score in scores.items() if score >= least}


@settings(max_examples=150)
@given(
    st.sampled_from(SIZES),
    st.integers(0, 2**32),
    st.integers(0, 60),
    st.integers(1, 3),
    st.sampled_from(Evaluation),
    st.sampled_from([0, 1, 60, 100, 40_000]),
)
def test_the_best_moves_are_those_of_plain_minimax(
    random_position: RandomPosition,
    game: Connect4,
    seed: int,
    moves: int,
    depth: int,
    evaluation: Evaluation,
    margin: int,
) -> None:
    """On random positions of every size, all moves within a margin have exact scores."""
    position = random_position(game, Random(seed), moves)
    assert position.legal_moves(), "a random position is not over"
    wanted = expected(position, depth, evaluation, margin)
    assert compiled(position, depth, evaluation, margin) == wanted


@settings(max_examples=60)
@given(
    st.sampled_from(SIZES), st.integers(0, 2**32), st.integers(1, 7), st.sampled_from(Evaluation)
)
def test_the_end_of_the_game_is_seen(
    nearly_full: NearlyFull, game: Connect4, seed: int, empty: int, evaluation: Evaluation
) -> None:
    """Near the end, wins, losses and draws have their exact scores at any greater depth."""
    position = nearly_full(game, Random(seed), empty)
    assert compiled(position, 9, evaluation) == expected(position, 9, evaluation)


@pytest.mark.parametrize("evaluation", Evaluation)
@pytest.mark.parametrize(
    ("size", "moves", "depth", "best"),
    [
        pytest.param("6x7", "112233", 2, {3: WIN - 7}, id="a win at once, by move 7"),
        pytest.param("5x4", "121212", 1, {0: WIN - 7}, id="one ply is enough to see it"),
        pytest.param("6x7", "41315", 2, dict.fromkeys(range(7), 7 - WIN), id="lost by move 7"),
        pytest.param("8x8", "4455", 3, {2: WIN - 7, 5: WIN - 7}, id="two ways to win by move 7"),
        pytest.param("4x4", "111323321442344", 1, {1: 0}, id="the last square draws"),
    ],
)
def test_ends_by_hand(
    size: str, moves: str, depth: int, best: dict[int, int], evaluation: Evaluation
) -> None:
    """A win by move n scores 10000 - n, a loss n - 10000, a draw 0, for every evaluation."""
    game = Connect4.from_variant(size)
    position = replay(game, game.moves(moves))
    assert compiled(position, depth, evaluation) == best


def test_columns_are_tried_from_the_middle() -> None:
    """Every column is tried once, the centre first and the edges last."""
    for columns in range(4, 9):
        order = [from_the_middle(number, columns) for number in range(columns)]
        assert order[0] == columns // 2
        assert sorted(order) == list(range(columns))
        away = [abs(column - columns // 2) for column in order]
        assert away == sorted(away)


def test_a_set_flag_cuts_a_search_short() -> None:
    """With its flag set, a search ends at its first node and scores nothing."""
    game, flag = Connect4(), np.ones(1, np.uint8)
    own, opp, _ = words_of(game.start())
    scores, memory = np.full(7, UNKNOWN, np.int64), new_memory(6, 7, 0)
    order = np.arange(7)
    best_moves(own, opp, 0, 6, Evaluation.WINDOW, 0, order, scores, memory, flag)
    assert memory[ABORTED] == 1
    assert memory[NODES] == 1
    assert (scores == UNKNOWN).all()
