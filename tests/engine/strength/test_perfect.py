"""The perfect level, which never errs if it can prove a best move."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine.core.compiled.scores import WIN
from engine.core.game import Outcome, Player, Position, replay
from engine.core.limits import Stop
from engine.core.registry import game_called, package_of
from engine.games.connect4.rules import Connect4
from engine.strength.habits import FEATURES, Habits
from engine.strength.opponent import RatedOpponent
from engine.strength.perfect import Perfect
from engine.strength.roster import LEVELS
from tests.builders import RandomPosition

PATIENT = Perfect(seconds=60.0)
"""A perfect player with enough time for every proof here."""
ODD_HABITS = Habits((-0.9, -3.0, -3.0, -3.0, 3.0, 3.0, -4.0))
"""Those of a player who avoids the middle and all good moves."""


def played(position: Position, perfect: Player, rng: Random) -> Outcome:
    """The end of a game between the perfect level and `hard`."""
    while position.outcome is None:
        agent = PATIENT if position.to_move is perfect else LEVELS["hard"]
        position = position.play(agent.choose(position, rng=rng).move)
    return position.outcome


def test_the_first_move_is_the_middle() -> None:
    """On the empty board of 6x7 the middle is proven to win with stone 41."""
    result = LEVELS["perfect"].choose(Connect4().start(), rng=Random(1))
    assert (result.move, result.score.points, result.depth) == (3, WIN - 41, 41)
    assert result.line == (3,)
    assert result.proven
    assert result.is_win


@pytest.mark.parametrize(("size", "stones"), [("5x4", 0), ("5x4", 4), ("6x7", 9)])
def test_a_won_position_is_won_and_a_drawn_one_not_lost(
    size: str, stones: int, random_position: RandomPosition
) -> None:
    """Against `hard`, the perfect level gets at least the value of its position."""
    game, rng = Connect4.from_variant(size), Random(stones)
    for _ in range(3):
        position = random_position(game, rng, stones)
        value = PATIENT.choose(position, rng=rng)
        assert value.proven
        for perfect in Player:
            winner = played(position, perfect, rng).winner
            worth = value.score.points if perfect is position.to_move else -value.score.points
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


@pytest.mark.parametrize(
    ("text", "stones", "count"), [("5x4", 7, 4), ("4x5", 8, 4), ("6x7", 20, 4), ("gato", 9, 2)]
)
@pytest.mark.parametrize(
    "against", [RatedOpponent(), RatedOpponent(700.0), RatedOpponent(900.0, ODD_HABITS)]
)
def test_traps_cost_no_value(
    text: str, stones: int, count: int, against: RatedOpponent, random_position: RandomPosition
) -> None:
    """Against any opponent, the move has the best exact value, distance included."""
    game, rng = game_called(text), Random(stones)
    agent = replace(PATIENT, against=against)
    for _ in range(count):
        position = random_position(game, rng, stones)
        proof = package_of(game).prove(position, seconds=60.0)
        assert proof is not None
        result = agent.choose(position, rng=rng)
        assert result.move in proof.best()
        assert result.proven


def test_of_equal_moves_it_makes_the_one_that_is_hardest_to_answer() -> None:
    """Of three columns that draw, the one played depends on the opponent's rating."""
    game = game_called("5x4")
    position = replay(game, game.moves("22344221311"))
    for elo, move in ((1200.0, 1), (900.0, 2)):
        agent = replace(PATIENT, against=RatedOpponent(elo))
        made = {agent.choose(position, rng=Random(seed)).move for seed in range(2)}
        assert made == {move}
    strong = replace(PATIENT, against=RatedOpponent(1336.0))
    made = {strong.choose(position, rng=Random(seed)).move for seed in range(12)}
    assert made == {1, 2, 3}


def test_habits_change_which_move_is_hardest() -> None:
    """Of equal moves, another one is hardest for a player of the same rating with habits."""
    game = game_called("5x4")
    position = replay(game, game.moves("22344221311"))
    middle = Habits((0.0,) * (len(FEATURES) - 1) + (4.0,))
    for habits, move in ((None, 2), (middle, 1)):
        agent = replace(PATIENT, against=RatedOpponent(900.0, habits))
        assert agent.choose(position, rng=Random(1)).move == move


def test_unprovable_positions_are_searched() -> None:
    """On the empty board of 8x8 a moment is too short for a proof, but not for a move."""
    result = Perfect(seconds=0.1).choose(Connect4(8, 8).start(), rng=Random(1))
    assert not result.proven
    assert 0 <= result.move < 8
    assert result.depth >= 1
    assert result.line[0] == result.move


def test_a_stop_makes_it_move_at_once() -> None:
    """A stop that is set ends the proof and the search after it."""
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
