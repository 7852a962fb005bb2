"""Who sits at the board: a person, an agent or a channel, behind one interface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.store import THE_CHANNEL
from engine.strength.roster import ChooseMove


class Seat(Protocol):
    """One side of a game."""

    @property
    def user_id(self) -> int | None:
        """The person who plays this side, or THE_CHANNEL; None for an agent."""

    @property
    def agent_name(self) -> str | None:
        """The agent's name, as stored; None for anybody else."""

    def task(self) -> ChooseMove | None:
        """What to search for when it is this side's turn; None for who is no agent."""


@dataclass(frozen=True, slots=True)
class HumanSeat:
    """A person's seat."""

    user_id: int
    agent_name: None = None

    def task(self) -> None:
        """Return nothing: people move in their own time."""


@dataclass(frozen=True, slots=True)
class AgentSeat:
    """An agent's seat; the agent may be one that no longer exists."""

    agent_name: str
    user_id: None = None

    def task(self) -> ChooseMove:
        """Ask for a move by this agent."""
        return ChooseMove(self.agent_name)


@dataclass(frozen=True, slots=True)
class ChannelSeat:
    """The seat of a whole channel: whoever is in it votes on its moves."""

    user_id: int = THE_CHANNEL
    agent_name: None = None

    def task(self) -> None:
        """Return nothing: its move is what most have voted for."""


def seat_of(user_id: int | None, agent_name: str | None) -> Seat:
    """The seat stored as these two values, one of which is None."""
    if user_id == THE_CHANNEL:
        return ChannelSeat()
    if user_id is not None:
        return HumanSeat(user_id)
    if agent_name is None:
        raise ValueError("a seat holds neither a person nor an agent")
    return AgentSeat(agent_name)
