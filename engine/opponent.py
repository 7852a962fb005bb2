"""Somebody of a rating, as the ladder has them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dial import dial
from engine.game import Game
from engine.ladder import MEDIUM_ELO, ladder_of
from engine.strength import Strength


@dataclass(frozen=True, slots=True)
class RatedOpponent:
    """Whom an agent plays, by their rating on the ladder of the game."""

    elo: float | None = None
    """None where nobody knows: then it is taken to be that of `medium`."""

    def model(self, game: Game) -> Strength:
        """The agent that plays like them; the strongest that errs for somebody beyond that."""
        ladder = ladder_of(game)
        agent = dial(ladder, MEDIUM_ELO if self.elo is None else self.elo)
        if isinstance(agent, Strength):
            return agent
        erring = [rung.agent for rung in ladder.rungs if isinstance(rung.agent, Strength)]
        return erring[-1]
