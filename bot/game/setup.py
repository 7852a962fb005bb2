"""Seats of new games, the move that a button was made for, and where a board is."""

from __future__ import annotations

from dataclasses import dataclass

from bot.game.refusal import Refusal
from bot.store.records import THE_CHANNEL, SeatRecord

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
