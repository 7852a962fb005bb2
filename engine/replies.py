"""How likely the replies of a player are, by the ladder's model of their strength."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from math import prod
from random import Random

from engine.alphabeta import scores_by_depth
from engine.attention import Hidden, overlooked
from engine.game import Move, Position
from engine.games import FAMILIES
from engine.kernels.scores import WON_BOUND
from engine.search import Limit
from engine.strength import Strength
from engine.values import is_decided

DRAWS = 6
"""How many times it is drawn what a player overlooks who overlooks single lines."""
RARELY = 0.02
"""Depths that are looked to less often are left out."""
MOST_NODES = 4_000
"""A player who looks at more positions is taken to look at as many: a fifth of a second for each
reply would leave no time for a second one."""
STEPS = 16
"""Into how many steps the span of the noise is divided."""


class Replies:
    """The moves of an agent with a dial, as chances instead of draws.

    The same position has the same chances every time and on every machine.
    """

    def __init__(self, agent: Strength) -> None:
        """Foretell the moves of an agent."""
        self._agent = agent
        self._depths = tuple(_depths_of(agent))
        nodes = None if agent.nodes is None else min(agent.nodes, MOST_NODES)
        self._limit = Limit(agent.depth, nodes=nodes)
        self.searches = 1 if not agent.blind else DRAWS
        """How many searches one position takes."""

    def chances(self, position: Position, best: Collection[Move]) -> Mapping[Move, float]:
        """The chance of every move that the agent may make, 1 in all.

        Args:
            position: One that is not over.
            best: The moves that somebody chooses from who knows the position by heart.
        """
        found: dict[Move, float] = defaultdict(float)
        knows = self._agent.knows
        for move in best if knows else ():
            found[move] += knows / len(best)
        for hidden in self._oversights(position):
            margin = 2 * self._agent.noise
            scores = scores_by_depth(position, self._limit, margin, hidden)
            for depth, weight in self._depths:
                seen = scores[min(depth, len(scores)) - 1]
                for move, chance in chances_of(seen, self._agent.noise).items():
                    found[move] += (1 - knows) * weight * chance / self.searches
        return found

    def _oversights(self, position: Position) -> Iterator[Hidden | None]:
        """What the agent overlooks, as often as it is drawn."""
        sight = FAMILIES[position.game.key].sight
        if self.searches == 1 or sight is None:
            yield from [None] * self.searches
            return
        seen, rng = sight(position), Random(0)
        for _ in range(self.searches):
            yield overlooked(seen, self._agent.blind, rng)


def chances_of(scores: Mapping[Move, int], noise: int) -> Mapping[Move, float]:
    """The chances with which `engine.search.pick` chooses the moves of a search."""
    top = max(scores.values())
    if not noise or is_decided(top):
        best = [move for move, score in scores.items() if score == top]
        return dict.fromkeys(best, 1 / len(best))
    # Whole numbers from -noise to noise of which equal ones are drawn by lot choose as numbers do
    # that are spread evenly over a span of twice the noise and one: the lot is the fraction.
    span = 2 * noise + 1
    least = {m: (s - top) / span for m, s in scores.items() if s >= -WON_BOUND and s > top - span}
    return _highest(least)


def _highest(least: Mapping[Move, float]) -> Mapping[Move, float]:
    """The chance of each to be the highest: each lies anywhere in a span of 1 from its least."""
    if len(least) == 1:
        return dict.fromkeys(least, 1.0)
    found = dict.fromkeys(least, 0.0)
    for step in range(STEPS):
        # The one with the greatest least is within this span, and so is the highest.
        at = (step + 0.5) / STEPS
        below = {move: min(at - start, 1.0) for move, start in least.items()}
        for move, share in below.items():
            if share < 1.0:
                found[move] += prod(b for other, b in below.items() if other != move)
    total = sum(found.values())
    return {move: chance / total for move, chance in found.items() if chance}


def _depths_of(agent: Strength) -> Iterator[tuple[int, float]]:
    """How far an agent looks, with the share of its moves."""
    found, left, depth = [], 1.0, agent.depth
    while depth > agent.surely and left * agent.overlook >= RARELY:
        found.append((depth, left * (1 - agent.overlook)))
        left *= agent.overlook
        depth -= 1
    yield from found
    yield depth, left
