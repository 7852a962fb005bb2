"""What players ask for: a new game or a move by a button, who sits at the board, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.game.refusal import Refusal
from bot.store.records import THE_CHANNEL, SeatRecord, TimeControl
from engine.core.game import Game
from engine.strength.roster import ChooseMove

AUTO = "auto"
"""Stands for the agent whose strength fits the person who asks."""


def person(user_id: int) -> SeatRecord:
    """A seat for a person."""
    return SeatRecord(user_id, None)


def agent(name: str) -> SeatRecord:
    """A seat for an agent by its name, or AUTO."""
    return SeatRecord(None, name)


def channel() -> SeatRecord:
    """The seat for a whole channel."""
    return SeatRecord(THE_CHANNEL, None)


def other_seat(level: str | None, agent_name: str | None, opponent: int | None) -> SeatRecord:
    """The seat opposite whoever asks for a game; AUTO where they name nobody.

    Args:
        level: How well the agent is to play.
        agent_name: A particular agent.
        opponent: A person.

    Raises:
        Refusal: They name two of these, of which one would be passed over.
    """
    named = {"level": level, "agent": agent_name, "opponent": opponent}
    given = [name for name, value in named.items() if value is not None]
    if len(given) > 1:
        raise Refusal(f"{given[0]}_and_{given[1]}")
    return agent(agent_name or level or AUTO) if opponent is None else person(opponent)


@dataclass(frozen=True, slots=True)
class Order:
    """A game that somebody asks for: where, which game, and who plays."""

    channel_id: int
    guild_id: int | None
    user_id: int
    """The person who asks, who need not play."""
    locale: str
    game: Game
    first: SeatRecord
    second: SeatRecord
    clock: TimeControl | None = None
    """How long people have for their moves; None for the bot's usual time control."""
    vote_seconds: float | None = None
    """How long votes take in it; None for a game without any."""
    pie: bool = False
    """Whether the second person may swap sides after the first turn."""

    @property
    def people(self) -> tuple[int, ...]:
        """The people who would play, in the order of the seats."""
        seated = (self.first.user_id, self.second.user_id)
        return tuple(u for u in seated if u is not None and u != THE_CHANNEL)


@dataclass(frozen=True, slots=True)
class Control:
    """The move of the game that a button or another control was made for."""

    game_id: int
    number: int


@dataclass(frozen=True, slots=True)
class Place:
    """A message in a channel, or the channel itself."""

    guild_id: int | None
    """None for a direct message."""
    channel_id: int
    message_id: int | None
    """None where no message is known."""


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
