"""The level that never errs wherever it can prove what is best."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from engine.connect4 import Connect4
from engine.game import Game, Outcome, Player, Position, replay
from engine.kernels.scores import WIN
from engine.levels import LEVELS
from engine.perfect import Perfect
from engine.search import Stop

Wander = Callable[[Game, Random, int], Position]
PATIENT = Perfect(seconds=60.0)
"""A player whose proofs never run out of time on the boards it is asked about here."""


def played(position: Position, perfect: Player, rng: Random) -> Outcome:
    """The end of a game between the perfect level and `hard`."""
    while position.outcome is None:
        agent = PATIENT if position.to_move is perfect else LEVELS["hard"]
        position = position.play(agent.choose(position, rng=rng).move)
    return position.outcome


def test_the_first_move_is_the_middle() -> None:
    """On the empty board of 6x7 the middle is proven to win with stone 41."""
    result = LEVELS["perfect"].choose(Connect4().start(), rng=Random(1))
    assert (result.move, result.score, result.depth) == (3, WIN - 41, 41)
    assert result.line == (3,)
    assert result.proven
    assert result.is_win


@pytest.mark.parametrize(("size", "stones"), [("5x4", 0), ("5x4", 4), ("6x7", 6), ("6x7", 9)])
def test_a_won_position_is_won_and_a_drawn_one_not_lost(
    size: str, stones: int, wander: Wander
) -> None:
    """Against `hard`, the perfect level gets at least what its position is worth."""
    game, rng = Connect4.from_variant(size), Random(stones)
    for _ in range(3):
        position = wander(game, rng, stones)
        value = PATIENT.choose(position, rng=rng)
        assert value.proven
        for perfect in Player:
            winner = played(position, perfect, rng).winner
            worth = value.score if perfect is position.to_move else -value.score
            if worth > 0:
                assert winner is perfect
            elif worth == 0:
                assert winner is not perfect.other


def test_equal_moves_are_chosen_by_chance() -> None:
    """All moves that are proven best are played, and the same seed plays the same."""
    start = Connect4(5, 4).start()
    moves = [PATIENT.choose(start, rng=Random(seed)).move for seed in range(40)]
    assert set(moves) == {0, 1, 2, 3}
    assert moves[:5] == [PATIENT.choose(start, rng=Random(seed)).move for seed in range(5)]


def test_what_cannot_be_proven_is_searched() -> None:
    """On the empty board of 8x8 a moment is too short for a proof, but not for a move."""
    result = Perfect(seconds=0.1).choose(Connect4(8, 8).start(), rng=Random(1))
    assert not result.proven
    assert 0 <= result.move < 8
    assert result.depth >= 1
    assert result.line[0] == result.move


def test_it_can_be_told_to_move_at_once() -> None:
    """A stop that is set ends the proof and the search behind it."""
    stop = Stop()
    stop.set()
    result = PATIENT.choose(Connect4(8, 8).start(), rng=Random(1), stop=stop)
    assert not result.proven
    assert result.depth == 1


def test_a_game_that_is_over_has_no_move() -> None:
    """A finished game raises ValueError."""
    game = Connect4()
    with pytest.raises(ValueError, match="over"):
        PATIENT.choose(replay(game, game.moves("1212121")), rng=Random(1))
