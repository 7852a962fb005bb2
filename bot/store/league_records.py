"""What the store says about watched games: immutable values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LeagueScope:
    """Which watched games of a family are meant: those of a server or, outside one, a channel."""

    family: str
    guild_id: int | None
    channel_id: int
    variant: str | None = None
    """If given, games of this variant only."""

    def holds(self, guild_id: int | None, channel_id: int) -> bool:
        """Whether a game from there is meant, whatever its variant."""
        return guild_id == self.guild_id and (guild_id is not None or channel_id == self.channel_id)


@dataclass(frozen=True, slots=True)
class SideFigures:
    """How one side of a watched game played."""

    side: int
    moves: int
    nodes: int
    seconds: float
    judged: int
    """How many of its moves could be judged."""
    loss: float
    """The expected score that these gave away, added up."""


@dataclass(frozen=True, slots=True)
class PairFigures:
    """The finished games in which one agent moved first and another second."""

    first: str
    second: str
    games: int
    first_wins: int
    second_wins: int

    @property
    def draws(self) -> int:
        """Games that nobody won."""
        return self.games - self.first_wins - self.second_wins


@dataclass(frozen=True, slots=True)
class AgentFigures:
    """How an agent played in the games that have been judged, summed up over its seats."""

    agent: str
    moves: int
    nodes: int
    seconds: float
    judged: int
    loss: float


@dataclass(frozen=True, slots=True)
class WatchedGame:
    """A finished game that no person played as a list shows it."""

    id: int
    variant: str
    first: str | None
    """The agent; None for the channel."""
    second: str | None
    winner: int | None
    """1 or 2; None for a draw."""
