"""What the store says about finished games: immutable values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ResultRecord:
    """One finished game as one player's history sees it."""

    variant: str
    agent: str | None
    """The opponent, if it was an agent."""
    auto: bool
    won: bool | None
    """None for a draw."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose games of a family a report is about: a person's, a server's or everybody's."""

    family: str
    user_id: int | None = None
    guild_id: int | None = None
    variants: tuple[str, ...] = ()
    """Only games of these; of all if there are none."""


@dataclass(frozen=True, slots=True)
class LevelFigures:
    """The games that people finished against one agent in one variant, summed up."""

    agent: str
    games: int
    won: int
    """By the people."""
    drawn: int
    seconds: float
    """From start to end, added up over the games, like all that follows."""
    person_moves: int
    hinted: int
    engine_moves: int
    engine_nodes: int
    engine_seconds: float
    auto: bool = False
    """Whether the agent was chosen to fit the players."""
    variant: str = ""
    """Empty in sums over several."""


@dataclass(frozen=True, slots=True)
class GameFigures:
    """One finished game between a person and an agent."""

    agent: str
    won: bool | None
    """By the person; None for a draw."""
    moves: int
    person_moves: int
    hinted: int
    auto: bool = False


@dataclass(frozen=True, slots=True)
class PastGame:
    """A finished game as one person's history lists it."""

    id: int
    variant: str
    opponent: int | None
    """The other person, if it was one."""
    agent: str | None
    won: bool | None
    """None for a draw, and for a game that was stopped."""
    ending: str
    moves: int
    at: float
    auto: bool = False
    """Whether the agent was chosen to fit the player."""
    watched: tuple[str | None, str | None] | None = None
    """The agents that played, the first one first, if the person only began the game; None for the
    channel."""
    winner: int | None = None
    """Which side of such a game won."""


@dataclass(frozen=True, slots=True)
class LevelTally:
    """A player's results against one agent in one variant, or against people (agent None)."""

    agent: str | None
    games: int
    wins: int
    draws: int
    losses: int
    auto: bool = False
    """Whether the agent was chosen to fit the player."""
    variant: str = ""


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """A player's history at one game."""

    tallies: tuple[LevelTally, ...]
    recent: tuple[ResultRecord, ...]
    """The latest results, newest first."""
    moves: int
    """Of both sides, in all finished games."""
    seconds: float
    """From start to end, added up over all finished games."""
    hints: int

    @property
    def games(self) -> int:
        """Finished games."""
        return sum(tally.games for tally in self.tallies)

    @property
    def wins(self) -> int:
        """Games won."""
        return sum(tally.wins for tally in self.tallies)

    @property
    def draws(self) -> int:
        """Games drawn."""
        return sum(tally.draws for tally in self.tallies)

    @property
    def losses(self) -> int:
        """Games lost."""
        return sum(tally.losses for tally in self.tallies)


def streak(results: tuple[ResultRecord, ...]) -> tuple[bool | None, int]:
    """The latest result and how many games in a row ended like it; (None, 0) without games."""
    if not results:
        return None, 0
    length = 0
    for result in results:
        if result.won != results[0].won:
            break
        length += 1
    return results[0].won, length
