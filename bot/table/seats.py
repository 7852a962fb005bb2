"""Who sits at the board: a person or an agent, each behind the same one method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from engine.jobs import ChooseMove, Task


class Seat(Protocol):
    """One side of a game."""

    @property
    def user_id(self) -> int | None:
        """The person who alone may move for this seat; None for an agent."""

    @property
    def agent_name(self) -> str | None:
        """What the agent is stored under; None for a person."""

    def task(self) -> Task | None:
        """What is to be searched when it is this seat's turn; None for a person."""


@dataclass(frozen=True, slots=True)
class HumanSeat:
    """A person's seat."""

    user_id: int
    agent_name: None = None

    def task(self) -> None:
        """Nothing: people move in their own time."""


@dataclass(frozen=True, slots=True)
class AgentSeat:
    """An agent's seat; the agent may be one that no longer exists."""

    agent_name: str
    user_id: None = None

    def task(self) -> Task:
        """To choose a move as this agent does."""
        return ChooseMove(self.agent_name)


def seat_of(user_id: int | None, agent_name: str | None) -> Seat:
    """The seat that was stored as these two, one of which is None."""
    if user_id is not None:
        return HumanSeat(user_id)
    assert agent_name is not None, "a seat holds a person or an agent"
    return AgentSeat(agent_name)
