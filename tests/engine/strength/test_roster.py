"""The agents that can play each game."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.agent import Agent
from engine.core.registry import game_called, game_of, games
from engine.games.boom.agents import Tokens
from engine.games.connect4.agents.greedy import Greedy
from engine.games.connect4.agents.tuples import Tuples
from engine.games.connect4.agents.window import Window
from engine.games.gato.agents import Lines
from engine.strength.ladder import RungAgent, ladder_of
from engine.strength.roster import (
    LEVELS,
    agent_named,
    agent_of_depth,
    agents_for,
    nearest_agent,
    own_agents,
    substitute_for,
)

CONNECT4 = ["window-2", "window-4", "window-6", "tuples-3", "tuples-5", "tuples-7"]
CONNECT4 += ["greedy"]


def test_the_student_agents_are_these() -> None:
    """Each student program exists with its defects fixed, and as `-original` with them."""
    expected = {"connect4": CONNECT4, "gato": ["lines"], "boom": ["tokens"]}
    for family, names in expected.items():
        assert list(own_agents(family)) == [*names, *(f"{name}-original" for name in names)]


@pytest.mark.parametrize("family", sorted(games()))
def test_levels_come_before_student_agents(family: str) -> None:
    """Every game is played by all levels, then by its own student agents, under different names."""
    names = list(agents_for(family))
    assert names == [*LEVELS, *own_agents(family)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("family", sorted(games()))
def test_agents_are_found_by_their_own_names(family: str) -> None:
    """The stored name of an agent returns the same agent."""
    for name, agent in agents_for(family).items():
        assert agent.name == name
        assert agent_named(family, name) is agent


@pytest.mark.parametrize(
    ("family", "name"),
    [("connect4", "nobody"), ("connect4", "lines"), ("gato", "greedy"), ("chess", "easy")],
)
def test_unknown_agents_and_games_are_unknown(family: str, name: str) -> None:
    """An unknown agent's name, or an unknown game, raises KeyError."""
    with pytest.raises(KeyError):
        agent_named(family, name)


@pytest.mark.parametrize(
    ("family", "name", "agent"),
    [
        ("connect4", "tuples", Tuples(3)),
        ("connect4", "tuples-9", Tuples(9)),
        ("connect4", "tuples-3-original", Tuples(3, fixed=False)),
        ("connect4", "window-2-original", Window(2, fixed=False)),
        ("connect4", "greedy-original", Greedy(fixed=False)),
        ("gato", "lines", Lines(5)),
        ("gato", "lines-original", Lines(fixed=False)),
        ("connect4", "window", Window(6)),
        ("connect4", "window-3", Window(3)),
        ("connect4", "greedy", Greedy()),
        ("connect4", "rung-2", RungAgent("rung-2")),
        ("connect4", "elo-905", RungAgent("elo-905")),
        ("connect4", "hard", LEVELS["hard"]),
        ("gato", "lines-2", Lines(2)),
        ("boom", "tokens", Tokens()),
        ("boom", "tokens-3", Tokens(3)),
    ],
)
def test_an_agent_can_have_any_depth(family: str, name: str, agent: Agent) -> None:
    """A kind alone means its usual depth, and a kind with a number that depth."""
    assert agent_of_depth(family, name) == agent


@pytest.mark.parametrize(
    "name", ["tokens-3", "greedy-4", "tuples-0", "tuples-", "tuples-x", "hard-3", "nobody", ""]
)
def test_an_unknown_kind_or_depth_is_refused(name: str) -> None:
    """A kind that does not play this game or has no depth, and a missing depth, raise KeyError."""
    with pytest.raises(KeyError):
        agent_of_depth("connect4", name)


def test_an_unknown_game_has_no_agents() -> None:
    """An unknown game raises KeyError."""
    with pytest.raises(KeyError, match="chess"):
        agents_for("chess")


@pytest.mark.parametrize("text", ["6x7", "5x4", "gato", "boom"])
def test_a_known_agent_is_its_own_nearest(text: str) -> None:
    """A known agent, also a rung, plays under its own name."""
    game = game_called(text)
    names = [*agents_for(game.key), *(rung.name for rung in ladder_of(game).rungs), "elo-1100"]
    assert [nearest_agent(game, name).name for name in names] == names


@pytest.mark.parametrize(
    ("text", "name", "nearest"),
    [
        ("6x7", "rung-99", "perfect"),
        ("gato", "rung-99", "perfect"),
        ("6x7", "rung--9", ladder_of(game_called("6x7")).rungs[0].name),
        ("6x7", "window-8", "window-6"),
        ("6x7", "window-1", "window-2"),
        ("6x7", "window-3", "window-2"),
        ("6x7", "tuples-9", "tuples-7"),
        ("6x7", "tuples-3-original", "tuples-3-original"),
        ("boom", "tuples-9", "medium"),
        ("gato", "greedy", "medium"),
        ("6x7", "nobody", "medium"),
        ("6x7", "", "medium"),
        ("6x7", "rung-", "medium"),
    ],
)
def test_an_unknown_agent_has_a_nearest_one(text: str, name: str, nearest: str) -> None:
    """Unknown rungs and depths become the nearest existing ones, other names medium."""
    assert nearest_agent(game_called(text), name).name == nearest


@pytest.mark.parametrize("text", ["6x7", "gato", "boom"])
def test_a_stored_rung_beyond_the_ladder_moves(text: str) -> None:
    """An agent that was created from its name alone always makes a move."""
    start = game_called(text).start()
    for name in ("rung-0", "elo-1090", "elo-99999", "elo--5"):
        agent = agent_named(start.game.key, name)
        assert agent.choose(start, rng=Random(1)).move in start.legal_moves()


@pytest.mark.parametrize("name", ["easy", "rung-2", "elo-905", "expert", "perfect", "greedy"])
def test_a_stand_in_is_another_agent_of_similar_rating(name: str) -> None:
    """The stand-in is the rung with the nearest rating, other than the agent itself."""
    game = game_of("connect4", "6x7")
    ladder = ladder_of(game)
    stand_in = ladder.named(substitute_for(game, name))
    asked = ladder.find(name)
    assert stand_in is not asked
    wanted = ladder.elo_of(name) or ladder.named("medium").elo
    nearer = [r for r in ladder.rungs if abs(r.elo - wanted) < abs(stand_in.elo - wanted)]
    assert [rung for rung in nearer if rung is not asked] == []
