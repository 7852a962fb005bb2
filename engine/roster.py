"""Who may be asked to play which game, by name."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.agents import Agent
from engine.games import FAMILIES
from engine.ladder import OnLadder
from engine.levels import LEVELS
from engine.seeds.greedy import Greedy
from engine.seeds.lines import Lines
from engine.seeds.tokens import Tokens
from engine.seeds.tuples import Tuples
from engine.seeds.window import Window


def _by_name(*agents: Agent) -> Mapping[str, Agent]:
    return {agent.name: agent for agent in agents}


SEEDS: Mapping[str, Mapping[str, Agent]] = {
    "connect4": _by_name(
        *(Window(depth) for depth in (2, 4, 6)),
        *(Tuples(depth) for depth in (3, 5, 7)),
        Greedy(),
    ),
    "gato": _by_name(Lines()),
    "boom": _by_name(Tokens()),
}
"""By the key of a game's family, the agents that play it as earlier student programs did."""


def agents_for(family_key: str) -> Mapping[str, Agent]:
    """All agents that play a game, by name: the levels first, then its seed agents.

    Raises KeyError for a family that nobody knows.
    """
    if family_key not in FAMILIES and family_key not in SEEDS:
        raise KeyError(family_key)
    return {**LEVELS, **SEEDS.get(family_key, {})}


def agent_named(family_key: str, name: str) -> Agent:
    """The agent of this name that plays a game, a rung of its ladder included; raises KeyError."""
    if re.fullmatch(r"rung-[0-9]+", name):
        return OnLadder(name)
    return agents_for(family_key)[name]
