"""The search by a game's own rules, for games without compiled code."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from engine.core.compiled.scores import WIN, WON_BOUND
from engine.core.game import Game, Move, Position, replay
from engine.core.kernel import PlainKernel
from engine.games.boom.rules import Boom
from engine.games.connect4.rules import Connect4
from engine.games.gato.rules import Gato
from tests.builders import RandomPosition

FULL_MARGIN = 4 * WIN
"""A margin that includes every move."""
NOT_STOPPED = (0,)
"""The flag of a search that is never stopped."""


def scores(
    position: Position,
    depth: int,
    margin: int = FULL_MARGIN,
    evaluate: Callable[[Position], int] | None = None,
) -> dict[Move, int]:
    """The scores of a search that is not cut short."""
    kernel = PlainKernel(position, depth, evaluate)
    found = kernel.score_moves(depth, margin, position.legal_moves(), NOT_STOPPED)
    assert found is not None
    return found


def minimax(position: Position, depth: int, evaluate: Callable[[Position], int]) -> int:
    """The score of a position for the side to move, by exhaustive minimax."""
    found = []
    for move in position.legal_moves():
        following = position.play(move)
        if following.outcome is not None:
            winner = following.outcome.winner
            score = 0 if winner is None else WIN - following.ply
            score = score if winner in (None, position.to_move) else -score
        else:
            deeper = depth > 1
            score = minimax(following, depth - 1, evaluate) if deeper else evaluate(following)
            score = score if following.to_move is position.to_move else -score
        found.append(score)
    return max(found)


def some_value(position: Position) -> int:
    """An arbitrary value that differs between positions."""
    return Random(str(position.cells())).randint(-50, 50)


def test_the_end_of_a_game_has_its_exact_scores(
    random_position: RandomPosition, play_perfectly: Callable[[Position], dict[Move, int]]
) -> None:
    """Searched to the end, every move has the score that playing all games gives."""
    for seed in range(6):
        position = random_position(Connect4(4, 4), Random(seed), 9)
        assert scores(position, 16 - position.ply) == play_perfectly(position)


@pytest.mark.parametrize("game", [Connect4(5, 4), Gato(), Boom()], ids=lambda game: game.key)
def test_a_search_equals_exhaustive_minimax(game: Game, random_position: RandomPosition) -> None:
    """With an evaluation, a search equals minimax, also where a side moves twice in a row."""
    for seed in range(3):
        position = random_position(game, Random(seed), 7 + seed)
        best = max(scores(position, 3, evaluate=some_value).values())
        assert best == minimax(position, 3, some_value)


def test_moves_beyond_the_margin_are_left_out(random_position: RandomPosition) -> None:
    """Moves within the margin have their exact scores; the others are left out."""
    for seed in range(8):
        position = random_position(Connect4(), Random(seed), 8)
        exact = scores(position, 3, evaluate=some_value)
        near = {move: score for move, score in exact.items() if score >= max(exact.values()) - 20}
        assert scores(position, 3, 20, some_value) == near


def test_evaluations_stay_within_their_bounds() -> None:
    """An evaluation of any size gives a score within the bounds of undecided positions."""
    for value in (10 * WIN, -10 * WIN):
        found = scores(Connect4().start(), 2, evaluate=lambda _position, value=value: value)
        assert all(abs(score) < WON_BOUND for score in found.values())


def test_without_an_evaluation_only_ends_count() -> None:
    """Without an evaluation, a position from which no end is seen scores 0."""
    assert set(scores(Connect4().start(), 3).values()) == {0}
    won = scores(replay(Connect4(), Connect4().moves("121212")), 1)
    assert won[Move(0)] == WIN - 7
    assert {score for move, score in won.items() if move != 0} == {0}


def test_a_node_limit_ends_a_search() -> None:
    """A search that is cut short returns None; without the limit it completes."""
    position = Connect4().start()
    kernel = PlainKernel(position, 42)
    kernel.allow(30)
    assert kernel.score_moves(4, FULL_MARGIN, position.legal_moves(), NOT_STOPPED) is None
    assert kernel.nodes == 31
    kernel.allow(None)
    assert kernel.score_moves(2, FULL_MARGIN, position.legal_moves(), NOT_STOPPED) is not None
    assert kernel.nodes > 31


def test_a_flag_ends_a_search() -> None:
    """A search that is stopped returns None."""
    position = Connect4().start()
    kernel = PlainKernel(position, 42)
    assert kernel.score_moves(2, FULL_MARGIN, position.legal_moves(), (1,)) is None


def test_the_preferred_replies_are_remembered() -> None:
    """The preferred move is known for positions that the search visited, and for no others."""
    position = replay(Connect4(), Connect4().moves("121"))
    kernel = PlainKernel(position, 39)
    kernel.hide((1, 2, 3))
    kernel.score_moves(5, FULL_MARGIN, position.legal_moves(), NOT_STOPPED)
    after = position.play(Move(1)).play(Move(0))
    assert kernel.remembered(after) in after.legal_moves()
    assert kernel.remembered(Connect4(5, 4).start()) is None
