"""The agent of any rating on a ladder, and an opponent model of that kind.

The settings of an agent between two rungs are interpolated, so that a little more rating makes it a
little stronger.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp, log

from engine.core.agent import Agent
from engine.core.game import Game
from engine.strength.agent import Strength
from engine.strength.ladder import MEDIUM_ELO, Ladder, ladder_of


def agent_at_rating(ladder: Ladder, elo: float) -> Agent:
    """The agent of a given rating; beyond the ladder's ends, the weakest or the strongest rung."""
    rungs = ladder.rungs
    above = next((i for i, rung in enumerate(rungs) if rung.elo > elo), len(rungs))
    if above in (0, len(rungs)):
        return rungs[min(above, len(rungs) - 1)].agent
    low, high = rungs[above - 1], rungs[above]
    share = (elo - low.elo) / (high.elo - low.elo)
    if isinstance(low.agent, Strength) and isinstance(high.agent, Strength):
        return interpolate(low.agent, high.agent, share, f"elo-{elo:.0f}")
    return high.agent if share >= 0.5 else low.agent


def interpolate(low: Strength, high: Strength, share: float, name: str) -> Strength:
    """The settings at a fraction, from 0 to 1, of the way from a weak agent to a stronger one.

    Depth and noise are rounded, `surely` is rounded down, and node limits are interpolated by their
    logarithm. Where only one of the two has a node limit, the nearer one's settings are used.
    """
    if (low.nodes is None) != (high.nodes is None):
        nearer = high if share >= 0.5 else low
        return replace(nearer, name=name)

    def at(weak: float, strong: float) -> float:
        return weak + share * (strong - weak)

    nodes = None
    if low.nodes is not None and high.nodes is not None:
        nodes = round(exp(at(log(low.nodes), log(high.nodes))))
    return Strength(
        name,
        depth=round(at(low.depth, high.depth)),
        noise=round(at(low.noise, high.noise)),
        overlook=round(at(low.overlook, high.overlook), 4),
        surely=int(at(low.surely, high.surely)),
        blind=round(at(low.blind, high.blind), 4),
        nodes=nodes,
        knows=round(at(low.knows, high.knows), 4),
    )


@dataclass(frozen=True, slots=True)
class RatedOpponent:
    """A model of an agent's opponent, by their rating on the ladder of the game."""

    elo: float | None = None
    """The rating; None if unknown, in which case that of `medium` is assumed."""

    def model(self, game: Game) -> Strength:
        """Return the agent of that rating; beyond the ladder, the strongest one that errs."""
        ladder = ladder_of(game)
        agent = agent_at_rating(ladder, MEDIUM_ELO if self.elo is None else self.elo)
        if isinstance(agent, Strength):
            return agent
        erring = [rung.agent for rung in ladder.rungs if isinstance(rung.agent, Strength)]
        return erring[-1]
