"""The levels of play, from one that a beginner beats to one that looks as far as it can."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from time import perf_counter

from engine.agents import Agent
from engine.alphabeta import explore
from engine.game import Position
from engine.perfect import Perfect
from engine.search import Limit, SearchResult, Stop, pick


@dataclass(frozen=True, slots=True)
class Level:
    """An agent of a given strength: how far it looks and how well it judges what it sees."""

    name: str
    limit: Limit
    noise: int = 0
    """How far its judgement of a quiet position strays, in evaluation points."""
    slip: float = 0.0
    """How often it moves without looking, between 0 and 1."""

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Decide on a move: a legal one at random on a slip, else the best as it sees it.

        Noise never touches proven scores, so a level that does not slip takes every win and
        parries every loss that lies within its depth. Raises ValueError for a game that is over.
        """
        if position.outcome is None and self.slip and rng.random() < self.slip:
            began = perf_counter()
            move = rng.choice(position.legal_moves())
            return SearchResult(move, 0, 0, 0, perf_counter() - began, (move,))
        explored = explore(position, self.limit, stop, margin=2 * self.noise)
        return pick(explored, rng, self.noise)


LEVELS: Mapping[str, Agent] = {
    level.name: level
    for level in (
        Level("easy", Limit(depth=2), noise=10, slip=0.2),
        Level("medium", Limit(depth=4), noise=5),
        Level("hard", Limit(depth=10), noise=1),
        Level("expert", Limit(seconds=0.5)),
        Perfect(),
    )
}
"""The levels by name, from the weakest to the strongest."""
