"""What all agents do, in every registered game that they play.

The levels of a game are agents of one class, so two of them are enough here.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.core.agent import Agent
from engine.core.game import Game
from engine.core.limits import Stop
from engine.core.registry import games as all_games
from engine.strength.roster import LEVELS, own_agents
from tests.builders import RandomPosition
from tests.engine.games.conformance.plain import played

OWN = [(key, name) for key in all_games() for name in own_agents(key)]
LOOKING_AHEAD = [(key, name) for key, name in OWN if hasattr(own_agents(key)[name], "depth")]
EVERY = [*OWN, *((key, level) for key in all_games() for level in ("easy", "medium"))]


@pytest.fixture(params=EVERY, ids=" ".join)
def playing(request: pytest.FixtureRequest) -> tuple[Agent, Game]:
    """Each agent with the usual variant of each game that it plays."""
    return playing_of(*request.param)


def playing_of(key: str, name: str) -> tuple[Any, Game]:
    """An agent and the usual variant of a game."""
    package = all_games()[key]
    return {**LEVELS, **own_agents(key)}[name], package.from_variant(package.usual)


@pytest.mark.parametrize(("key", "name"), OWN)
def test_agents_play_every_variant_to_the_end(key: str, name: str) -> None:
    """In every variant an agent moves legally until its game is over, with a score."""
    agent, package, rng = own_agents(key)[name], all_games()[key], Random(3)
    depths = [int(part) for part in name.split("-") if part.isdigit()]
    for variant in package.variants:
        game = package.from_variant(variant)
        position = game.start()
        position = position.play(rng.choice(position.legal_moves()))
        while position.outcome is None:
            result = agent.choose(position, rng=rng)
            assert result.move in position.legal_moves()
            assert result.line == (result.move,)
            left = package.longest(game) - position.ply
            assert 1 <= result.depth <= min([8, left, *depths])
            assert result.nodes >= 0
            assert result.seconds > 0
            assert not result.proven
            position = position.play(result.move)


def test_the_same_seed_gives_the_same_move(
    playing: tuple[Agent, Game], random_position: RandomPosition
) -> None:
    """A choice depends only on the generator that the agent gets, and not on a stop in reserve."""
    agent, game = playing
    for seed in range(5):
        position = random_position(game, Random(seed), 4 + seed)
        alone = agent.choose(position, rng=Random(seed))
        watched = agent.choose(position, rng=Random(seed), stop=Stop())
        assert replace(watched, seconds=alone.seconds) == alone


def test_a_stopped_agent_moves_legally_at_once(
    playing: tuple[Agent, Game], random_position: RandomPosition
) -> None:
    """With its stop flag set, an agent gives a legal move after one ply at most."""
    agent, game = playing
    stop = Stop()
    stop.set()
    for seed in range(10):
        position = random_position(game, Random(seed), 3 * seed)
        result = agent.choose(position, rng=Random(seed), stop=stop)
        assert result.move in position.legal_moves()
        assert result.depth <= 1
        assert result.nodes < 100


def test_a_finished_game_is_refused(playing: tuple[Agent, Game]) -> None:
    """Choosing a move in a finished game raises ValueError."""
    agent, game = playing
    for seed in range(3):
        with pytest.raises(ValueError, match="over"):
            agent.choose(played(game, seed)[-1], rng=Random(1))


@pytest.mark.parametrize(("key", "name"), OWN)
def test_an_agent_makes_the_moves_that_it_explains(
    key: str, name: str, random_position: RandomPosition
) -> None:
    """Each move that is made has a probability, and those of a position sum up to one."""
    agent, game = playing_of(key, name)
    for seed in range(12):
        position = random_position(game, Random(seed), 2 * seed)
        seen = agent.explain(position)
        assert seen.agent == agent.name
        assert tuple(seen.values) == position.legal_moves()
        assert seen.chances is not None
        assert sum(seen.chances.values()) == pytest.approx(1)
        assert set(seen.chances) <= set(seen.choices)
        made = {agent.choose(position, rng=Random(number)).move for number in range(6)}
        assert made <= set(seen.chances)


@pytest.mark.parametrize(("key", "name"), OWN)
def test_a_game_without_a_search_has_no_values(key: str, name: str) -> None:
    """The explanation of a finished game has no moves; a stopped one has depth 0 as well."""
    agent, game = playing_of(key, name)
    stop = Stop()
    stop.set()
    stopped = agent.explain(game.start(), stop=stop)
    over = agent.explain(played(game, 2)[-1])
    for seen in (stopped, over):
        assert (seen.values, seen.choices, seen.chances) == ({}, (), {})
    assert stopped.depth == 0


@pytest.mark.parametrize(("key", "name"), LOOKING_AHEAD)
def test_a_depth_below_one_is_refused(key: str, name: str) -> None:
    """An agent whose depth can be set looks at least one ply ahead: less raises ValueError."""
    agent, _ = playing_of(key, name)
    for depth in (0, -1):
        with pytest.raises(ValueError, match="at least 1"):
            replace(agent, depth=depth)
