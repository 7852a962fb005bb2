"""Who may be asked to play which game, by name."""

from __future__ import annotations

from collections.abc import Mapping

from engine.agents import Agent
from engine.levels import LEVELS

SEEDS: Mapping[str, Mapping[str, Agent]] = {}


def agents_for(family_key: str) -> Mapping[str, Agent]:
    """Everybody who plays a game: the levels from the weakest, then the seed agents."""
    return {**LEVELS, **SEEDS.get(family_key, {})}


def agent_named(family_key: str, name: str) -> Agent:
    """Who is stored under a name; raises KeyError."""
    return agents_for(family_key)[name]
