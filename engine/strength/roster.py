"""Agents by name: the levels, the rungs of each game's ladder and the games' own agents.

`ChooseMove` is the task of finding an agent's move.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from random import Random
from typing import Any, ClassVar

from engine.core.agent import Agent
from engine.core.analysis import SearchResult
from engine.core.game import Game, Move, Position, replay
from engine.core.limits import Limit, Stop
from engine.core.registry import games, package_of
from engine.strength.agent import Strength
from engine.strength.habits import Habits
from engine.strength.ladder import MEDIUM, RungAgent, is_rung, ladder_of
from engine.strength.opponent import RatedOpponent
from engine.strength.perfect import Perfect

LEVELS: Mapping[str, Agent] = {
    level.name: level
    for level in (
        RungAgent("easy"),
        RungAgent("medium"),
        RungAgent("hard"),
        RungAgent("expert"),
        Perfect(against=RatedOpponent()),
    )
}
"""The levels by name, from the weakest to the strongest."""


def own_agents(family_key: str) -> Mapping[str, Agent]:
    """A game's own agents, besides the levels, by name; raises KeyError."""
    return {agent.name: agent for agent in games()[family_key].agents}


def agents_for(family_key: str) -> Mapping[str, Agent]:
    """All agents that play a game, by name: the levels first, then its student agents.

    Raises KeyError for an unknown game.
    """
    return {**LEVELS, **own_agents(family_key)}


def agent_named(family_key: str, name: str) -> Agent:
    """The agent of this name that plays a game, a rung of its ladder included; raises KeyError.

    Any number is accepted as a rung here, because the number of rungs depends on the variant.
    """
    if is_rung(name):
        return RungAgent(name)
    return agents_for(family_key)[name]


def agent_of_depth(family_key: str, name: str) -> Agent:
    """The agent of this name, which may also be a kind of student agent, with or without a depth.

    `tuples` has the usual depth and `tuples-9` looks nine plies ahead.
    Raises KeyError for an unknown name.
    """
    if is_rung(name) or name in agents_for(family_key):
        return agent_named(family_key, name)
    kinds = games()[family_key].agent_kinds
    if name in kinds:
        usual: Callable[..., Agent] = kinds[name]
        return usual()
    kind, depth = _kind_and_depth(name)
    if kind not in kinds or not depth:
        raise KeyError(name)
    return kinds[kind](depth)


def nearest_agent(game: Game, name: str) -> Agent:
    """The agent of this name or, if it no longer exists, the nearest one.

    A rung beyond the ladder's ends becomes its first or last rung. A name that ends in a depth,
    such as `window-8`, becomes the agent of that kind with the nearest depth; of two, the weaker.
    Anything else becomes `medium`. The substitute has a name of its own.
    """
    if is_rung(name):
        ladder = ladder_of(game)
        return RungAgent(name if ladder.find(name) else ladder.nearest(name).name)
    known = agents_for(game.key)
    if name in known:
        return known[name]
    kind, depth = _kind_and_depth(name)
    alike = {d: agent for (k, d), agent in _by_kind_and_depth(known).items() if k == kind}
    if depth is None or not alike:
        return known[MEDIUM]
    return alike[min(alike, key=lambda other: (abs(other - depth), other))]


def substitute_for(game: Game, name: str) -> str:
    """Return the name of a rung that plays most like this agent, other than the agent itself.

    That is the rung nearest by rating; for an agent without a rating, the one nearest to `medium`.
    """
    ladder = ladder_of(game)
    elo = ladder.elo_of(name)
    wanted = ladder.nearest(name).elo if elo is None else elo
    asked = ladder.find(name)
    others = [rung for rung in ladder.rungs if rung is not asked]
    return min(others, key=lambda rung: abs(rung.elo - wanted)).name


def _by_kind_and_depth(agents: Mapping[str, Agent]) -> dict[tuple[str, int], Agent]:
    found = {}
    for name, agent in agents.items():
        kind, depth = _kind_and_depth(name)
        if depth is not None:
            found[kind, depth] = agent
    return found


def _kind_and_depth(name: str) -> tuple[str, int | None]:
    """A name such as `window-6` split into its two parts; any other name has no depth."""
    found = re.fullmatch(r"(.+)-([0-9]+)", name)
    return (found[1], int(found[2])) if found else (name, None)


@dataclass(frozen=True, slots=True)
class ChooseMove:
    """The task of choosing an agent's move."""

    priority: ClassVar[int] = 40
    takes_limit: ClassVar[bool] = True

    agent: str
    """The name of the agent; if it no longer exists, the nearest one moves."""
    opponent: float | None = None
    """The rating of its opponent on the ladder of the game; None if unknown. Only perfect play uses
    it."""
    habits: Habits | None = None
    """How its opponent's moves deviate from those of the rung of that rating; None if they do
    not."""

    def run(
        self,
        game: Game,
        moves: Sequence[Move],
        *,
        seed: int,
        limit: Limit | None,
        stop: Stop | None,
    ) -> SearchResult:
        """Return the agent's move after `moves`."""
        position, agent = replay(game, moves), self._playing(game)
        if limit is not None:
            agent = within(limit, agent, position)
        return agent.choose(position, rng=Random(seed), stop=stop)

    def parts(self, game: Game) -> tuple[str, ...]:
        """Return the compiled parts that the agent may call."""
        agent = _resolve_rung(nearest_agent(game, self.agent), game)
        is_search = isinstance(agent, Strength) and not agent.knows
        return package_of(game).part_names(for_search_only=is_search)

    def _playing(self, game: Game) -> Agent:
        """Return the agent, adapted to its opponent's rating if it supports that."""
        agent = nearest_agent(game, self.agent)
        rung = _resolve_rung(agent, game)
        if isinstance(rung, Perfect):
            return replace(rung, against=RatedOpponent(self.opponent, self.habits))
        return agent


def adapts_to_opponent(game: Game, agent: str) -> bool:
    """Whether the agent of this name adapts to its opponent's rating."""
    return isinstance(_resolve_rung(nearest_agent(game, agent), game), Perfect)


def within(limit: Limit, agent: Agent, position: Position) -> Agent:
    """The agent with its settings capped at the limit."""
    agent = _resolve_rung(agent, position.game)
    settings: Any = agent
    own = {field.name for field in fields(settings)}
    capped: dict[str, Any] = {}
    for name, most in _most(limit).items():
        if name in own:
            wanted = getattr(agent, name)
            capped[name] = most if wanted is None else min(wanted, most)
    if "surely" in own and limit.depth is not None:
        capped["surely"] = min(settings.surely, limit.depth)
    changed: Agent = replace(settings, **capped)
    return changed


def _resolve_rung(agent: Agent, game: Game) -> Agent:
    """The agent that a `RungAgent` stands for on the game's ladder; any other agent unchanged."""
    return ladder_of(game).nearest(agent.name).agent if isinstance(agent, RungAgent) else agent


def _most(limit: Limit) -> Mapping[str, float]:
    """The limits that are set, by name."""
    found = {field.name: getattr(limit, field.name) for field in fields(limit)}
    return {name: most for name, most in found.items() if most is not None}
