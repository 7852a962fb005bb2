"""The probabilities of the replies of an agent of the ladder."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.core.analysis import Analysis, pick
from engine.core.compiled.scores import WIN
from engine.core.game import Move, Player, replay
from engine.core.registry import game_called
from engine.strength.agent import Strength
from engine.strength.ladder import ladder_of
from engine.strength.traps import Replies, choice_probabilities


@pytest.mark.parametrize(
    ("scores", "noise"),
    [
        ((3, 3, 1), 0),
        ((12, 5, -4, -30), 8),
        ((0, 0, 0), 4),
        ((7, 6, -WIN + 20), 3),
        ((-WIN + 20, -WIN + 20, -WIN + 12), 8),
        ((WIN - 9, 400, 0), 8),
    ],
)
def test_chances_are_those_of_the_draw(scores: tuple[int, ...], noise: int) -> None:
    """A search's moves have the probabilities with which agents pick them."""
    by_move = {Move(column): score for column, score in enumerate(scores)}
    found = choice_probabilities(by_move, noise)
    assert sum(found.values()) == pytest.approx(1.0)
    seen = Analysis(by_move, {move: (move,) for move in by_move}, 1, 1, 0.0)
    rng, draws = Random(1), 4000
    drawn = Counter(pick(seen, Player.FIRST, rng, noise).move for _ in range(draws))
    for move in by_move:
        assert found.get(move, 0.0) == pytest.approx(drawn[move] / draws, abs=0.03)


@pytest.mark.parametrize(
    ("rung", "text", "moves", "apart"),
    [
        ("medium", "5x4", "22344221", 0.08),
        ("rung-6", "6x7", "44433", 0.25),
        ("easy", "gato", "b2c3a1", 0.25),
    ],
)
def test_predicted_replies_agree_with_the_rungs_moves(
    rung: str, text: str, moves: str, apart: float
) -> None:
    """The predicted probabilities agree with a rung's moves, exactly unless it overlooks lines."""
    game = game_called(text)
    position = replay(game, game.moves(moves))
    agent = ladder_of(game).named(rung).agent
    assert isinstance(agent, Strength)
    found, draws = Replies(agent).chances(position, ()), 400
    assert sum(found.values()) == pytest.approx(1.0)
    drawn = Counter(agent.choose(position, rng=Random(seed)).move for seed in range(draws))
    for move in position.legal_moves():
        assert found.get(move, 0.0) == pytest.approx(drawn[move] / draws, abs=apart)
    assert Replies(agent).chances(position, ()) == found


def test_known_positions_give_the_best_replies() -> None:
    """The probability of knowing a position is distributed among the best moves."""
    position = game_called("6x7").start()
    knowing = Strength("knowing", depth=2, knows=1.0)
    found = Replies(knowing).chances(position, [Move(0), Move(6)])
    assert {move: chance for move, chance in found.items() if chance} == {0: 0.5, 6: 0.5}
