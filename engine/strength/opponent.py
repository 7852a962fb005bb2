"""A model of an agent's opponent: an agent of the same rating, or one with habits."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.game import Game
from engine.strength.agent import Strength
from engine.strength.habits import Habits
from engine.strength.ladder import MEDIUM_ELO, ladder_of
from engine.strength.traps import Replies


@dataclass(frozen=True, slots=True)
class RatedOpponent:
    """A model of an agent's opponent, by their rating on the ladder of the game."""

    elo: float | None = None
    """The rating; None if unknown, in which case that of `medium` is assumed."""
    habits: Habits | None = None
    """How its moves deviate from those of an agent of that rating; None if they do not."""

    def replies(self, game: Game) -> Replies:
        """Return the probabilities of its moves."""
        return Replies(self.model(game), self.habits)

    def model(self, game: Game) -> Strength:
        """Return the agent of that rating; beyond the ladder, the strongest one that errs."""
        ladder = ladder_of(game)
        agent = ladder.at(MEDIUM_ELO if self.elo is None else self.elo).agent
        if isinstance(agent, Strength):
            return agent
        erring = [rung.agent for rung in ladder.rungs if isinstance(rung.agent, Strength)]
        return erring[-1]
