"""Behaviour that all student agents of Connect 4 share."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import perf_counter

import pytest

from engine.core.agent import (
    Agent,
    choose_uniformly,
    draw_move,
    highest,
    require_depth,
    right_biased,
    uniform,
)
from engine.core.game import Game, Move, Position, replay
from engine.core.limits import Stop
from engine.games.connect4.agents.greedy import Greedy
from engine.games.connect4.agents.tuples import Tuples
from engine.games.connect4.agents.window import Window
from engine.games.connect4.rules import Connect4
from engine.strength.roster import own_agents

Wander = Callable[[Game, Random, int], Position]
OWN = own_agents("connect4")
AGENTS = pytest.mark.parametrize("agent", OWN.values(), ids=OWN)
LONGEST = {"window-2": 2, "window-4": 4, "window-6": 6, "greedy": 4}
LONGEST |= {"tuples-3": 3, "tuples-3-original": 3, "tuples-5": 5, "tuples-7": 7}
"""How many plies each agent looks ahead."""


@AGENTS
def test_agents_play_every_size_to_the_end(agent: Agent) -> None:
    """On boards of every size an agent moves legally until its game is over, with a score."""
    rng = Random(3)
    for size in Connect4.SIZES:
        position = Connect4.from_variant(size).start()
        while position.outcome is None:
            result = agent.choose(position, rng=rng)
            assert result.move in position.legal_moves()
            assert result.line == (result.move,)
            empty = position.game.rows * position.game.columns - position.ply
            assert 1 <= result.depth <= min(LONGEST[agent.name], empty)
            assert result.nodes >= 0
            assert result.seconds > 0
            assert not result.proven
            position = position.play(result.move)


@AGENTS
def test_the_same_seed_gives_the_same_move(agent: Agent, wander: Wander) -> None:
    """An agent's choice depends on no other randomness than the generator that it is given."""
    for seed in range(10):
        position = wander(Connect4(), Random(seed), 8)
        two = [agent.choose(position, rng=Random(seed)) for _ in range(2)]
        assert two[0].move == two[1].move
        assert (two[0].nodes, two[0].score.points) == (two[1].nodes, two[1].score.points)


@AGENTS
def test_a_stopped_agent_moves_legally_at_once(agent: Agent, wander: Wander) -> None:
    """With its stop flag set, an agent gives a legal move without having searched."""
    stop = Stop()
    stop.set()
    for seed in range(20):
        position = wander(Connect4(8, 8), Random(seed), 3 * seed)
        result = agent.choose(position, rng=Random(seed), stop=stop)
        assert result.move in position.legal_moves()
        assert result.nodes <= 1 + len(position.legal_moves())


@AGENTS
def test_an_unset_stop_changes_nothing(agent: Agent, wander: Wander) -> None:
    """A stop flag that is not set does not change an agent's decision."""
    position = wander(Connect4(), Random(1), 9)
    watched = agent.choose(position, rng=Random(1), stop=Stop())
    alone = agent.choose(position, rng=Random(1))
    assert (watched.move, watched.score.points, watched.depth, watched.nodes) == (
        alone.move,
        alone.score.points,
        alone.depth,
        alone.nodes,
    )


@AGENTS
@pytest.mark.parametrize("moves", ["1212121", "1113233214423442"], ids=["won", "drawn"])
def test_a_finished_game_is_refused(agent: Agent, moves: str) -> None:
    """Choosing a move in a finished game raises ValueError."""
    game = Connect4(4, 4)
    position = replay(game, game.moves(moves))
    with pytest.raises(ValueError, match="over"):
        agent.choose(position, rng=Random(1))


def test_equal_scores_are_chosen_among_and_lower_ones_never() -> None:
    """The choice is uniform among the highest scores."""
    position, scores = Connect4().start(), {Move(1): 5, Move(2): 4, Move(4): 5}
    rng, seen = Random(2), []
    for _ in range(1000):
        result = choose_uniformly(scores, position, depth=2, nodes=9, began=perf_counter(), rng=rng)
        seen.append(result.move)
        assert (result.score.points, result.depth, result.nodes) == (5, 2, 9)
    assert set(seen) == {1, 4}
    assert abs(seen.count(Move(1)) - 500) < 60


def test_without_any_score_a_legal_move_is_given() -> None:
    """A search that was cut short before its first score still gives a move."""
    game = Connect4(4, 4)
    position = replay(game, game.moves("1111"))
    result = choose_uniformly({}, position, depth=0, nodes=1, began=perf_counter(), rng=Random(1))
    assert result.move in position.legal_moves()
    assert (result.score.points, result.depth) == (0, 0)


@AGENTS
def test_an_agent_makes_the_moves_that_it_explains(agent: Agent, wander: Wander) -> None:
    """Each move that is made has a probability, and those of a position sum up to one."""
    assert isinstance(agent, Greedy | Tuples | Window)
    for seed in range(15):
        position = wander(Connect4(5, 6), Random(seed), 2 * seed)
        seen = agent.explain(position)
        assert seen.agent == agent.name
        assert tuple(seen.values) == position.legal_moves()
        assert seen.chances is not None
        assert sum(seen.chances.values()) == pytest.approx(1)
        assert set(seen.chances) <= set(seen.choices)
        made = {agent.choose(position, rng=Random(number)).move for number in range(10)}
        assert made <= set(seen.chances)


@AGENTS
def test_a_stopped_explanation_has_depth_zero(agent: Agent) -> None:
    """An explanation whose stop flag is set has depth 0."""
    assert isinstance(agent, Greedy | Tuples | Window)
    stop = Stop()
    stop.set()
    seen = agent.explain(Connect4(8, 8).start(), stop=stop)
    assert (seen.values, seen.choices, seen.chances, seen.depth) == ({}, (), {}, 0)


def test_the_highest_values_are_found_in_order() -> None:
    """All moves with the highest value are returned in the order of the mapping."""
    assert highest({Move(3): 1, Move(1): 2, Move(0): 2}) == (1, 0)
    assert highest({}) == ()


def test_probabilities_are_uniform_or_right_biased() -> None:
    """Uniform probabilities are equal; right-biased ones halve from right to left.

    The two leftmost moves share the remainder equally.
    """
    moves = (Move(1), Move(4), Move(6))
    assert uniform(moves) == {1: 1 / 3, 4: 1 / 3, 6: 1 / 3}
    assert right_biased(moves) == {1: 1 / 4, 4: 1 / 4, 6: 1 / 2}
    assert right_biased(moves[:1]) == uniform(moves[:1]) == {1: 1}
    assert right_biased(()) == uniform(()) == {}


def test_moves_are_drawn_by_their_probabilities() -> None:
    """Each move is drawn as often as its probability says; a single one needs no draw."""
    rng = Random(3)
    drawings = [draw_move({Move(0): 0.25, Move(5): 0.75}, rng) for _ in range(1000)]
    assert abs(drawings.count(Move(5)) - 750) < 60
    before = rng.getstate()
    assert draw_move({Move(2): 1.0}, rng) == 2
    assert rng.getstate() == before


@pytest.mark.parametrize("depth", [0, -1])
def test_a_depth_below_one_is_refused(depth: int) -> None:
    """A depth below one ply raises ValueError."""
    require_depth(1)
    with pytest.raises(ValueError, match="at least 1"):
        require_depth(depth)
