"""Who sits at the board: a person or an agent, each behind the same one method."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Protocol

from engine.agents import Agent
from engine.game import Position
from engine.roster import agent_named
from engine.search import SearchResult, Stop


class Seat(Protocol):
    """One side of a game."""

    @property
    def user_id(self) -> int | None:
        """The person who alone may move for this seat; None for an agent."""

    @property
    def agent_name(self) -> str | None:
        """What the agent is stored under; None for a person."""

    def answer(self, position: Position, rng: Random, stop: Stop) -> SearchResult | None:
        """This seat's move; None from a person, who moves in their own time."""


@dataclass(frozen=True, slots=True)
class HumanSeat:
    """A person's seat."""

    user_id: int
    agent_name: None = None

    def answer(self, position: Position, rng: Random, stop: Stop) -> None:
        """Nothing: a person moves in their own time."""


@dataclass(frozen=True, slots=True)
class AgentSeat:
    """An agent's seat."""

    agent: Agent
    user_id: None = None

    @property
    def agent_name(self) -> str:
        """The agent's name."""
        return self.agent.name

    def answer(self, position: Position, rng: Random, stop: Stop) -> SearchResult:
        """The agent's move; takes as long as the agent's limits allow."""
        return self.agent.choose(position, rng=rng, stop=stop)


def seat_of(family: str, user_id: int | None, agent_name: str | None) -> Seat:
    """The seat at a game that was stored as these; raises KeyError for an agent nobody knows."""
    if user_id is not None:
        return HumanSeat(user_id)
    assert agent_name is not None, "a seat holds a person or an agent"
    return AgentSeat(agent_named(family, agent_name))
