"""What all seed agents of Connect 4 have in common."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import perf_counter

import pytest

from engine.agents import Agent
from engine.connect4 import Connect4
from engine.game import Game, Move, Position, replay
from engine.roster import SEEDS
from engine.search import Stop
from engine.seeds.choice import chosen, require_depth

Wander = Callable[[Game, Random, int], Position]
AGENTS = pytest.mark.parametrize("agent", SEEDS["connect4"].values(), ids=SEEDS["connect4"])
LONGEST = {"window-2": 2, "window-4": 4, "window-6": 6, "greedy": 4}
LONGEST |= {"tuples-3": 3, "tuples-5": 5, "tuples-7": 7}
"""How many plies each agent looks ahead."""


@AGENTS
def test_agents_play_every_size_to_the_end(agent: Agent) -> None:
    """On boards of every size an agent moves legally until its game is over, and says what for."""
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
    """An agent's only chance is the generator it is given."""
    for seed in range(10):
        position = wander(Connect4(), Random(seed), 8)
        two = [agent.choose(position, rng=Random(seed)) for _ in range(2)]
        assert two[0].move == two[1].move
        assert (two[0].nodes, two[0].score) == (two[1].nodes, two[1].score)


@AGENTS
def test_a_stopped_agent_moves_legally_at_once(agent: Agent, wander: Wander) -> None:
    """With its stop flag set, an agent gives some legal move without having searched."""
    stop = Stop()
    stop.set()
    for seed in range(20):
        position = wander(Connect4(8, 8), Random(seed), 3 * seed)
        result = agent.choose(position, rng=Random(seed), stop=stop)
        assert result.move in position.legal_moves()
        assert result.nodes <= 1 + len(position.legal_moves())


@AGENTS
def test_a_stop_that_is_not_set_changes_nothing(agent: Agent, wander: Wander) -> None:
    """An agent that is watched by a flag decides as one that is not."""
    position = wander(Connect4(), Random(1), 9)
    watched = agent.choose(position, rng=Random(1), stop=Stop())
    alone = agent.choose(position, rng=Random(1))
    assert (watched.move, watched.score, watched.depth, watched.nodes) == (
        alone.move,
        alone.score,
        alone.depth,
        alone.nodes,
    )


@AGENTS
@pytest.mark.parametrize("moves", ["1212121", "1113233214423442"], ids=["won", "drawn"])
def test_a_finished_game_is_refused(agent: Agent, moves: str) -> None:
    """There is no move to choose once the game is over."""
    game = Connect4(4, 4)
    position = replay(game, game.moves(moves))
    with pytest.raises(ValueError, match="over"):
        agent.choose(position, rng=Random(1))


def test_equal_scores_are_chosen_among_and_lower_ones_never() -> None:
    """The choice is uniform among the highest scores."""
    position, scores = Connect4().start(), {Move(1): 5, Move(2): 4, Move(4): 5}
    rng, seen = Random(2), []
    for _ in range(1000):
        result = chosen(scores, position, depth=2, nodes=9, began=perf_counter(), rng=rng)
        seen.append(result.move)
        assert (result.score, result.depth, result.nodes) == (5, 2, 9)
    assert set(seen) == {1, 4}
    assert abs(seen.count(Move(1)) - 500) < 60


def test_without_any_score_a_legal_move_is_given() -> None:
    """A search that was cut short before its first score still gives a move."""
    game = Connect4(4, 4)
    position = replay(game, game.moves("1111"))
    result = chosen({}, position, depth=0, nodes=1, began=perf_counter(), rng=Random(1))
    assert result.move in position.legal_moves()
    assert (result.score, result.depth) == (0, 0)


@pytest.mark.parametrize("depth", [0, -1])
def test_a_depth_that_is_no_search_is_refused(depth: int) -> None:
    """A search looks at least one ply ahead."""
    require_depth(1)
    with pytest.raises(ValueError, match="at least 1"):
        require_depth(depth)
