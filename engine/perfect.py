"""The level that never errs wherever it can prove what is best in its time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from time import perf_counter

from engine.alphabeta import search
from engine.game import Position
from engine.games import FAMILIES
from engine.search import Limit, SearchResult, Stop

LEAST = 0.05
"""Seconds that a search gets at least after proving has failed."""


@dataclass(frozen=True, slots=True)
class Perfect:
    """An agent that proves the value of every move, or searches as well as it can."""

    seconds: float = 2.0
    """How long a move may take, proving and searching together."""
    name: str = "perfect"

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Decide on a move: the best, if that can be proven, else the best that was found.

        Most of the time goes into proving. The result says whether it is proven. Raises ValueError
        for a game that is over.
        """
        if position.outcome is not None:
            raise ValueError("the game is over: there is no move to search for")
        began = perf_counter()
        proven = proven_choice(position, 0.75 * self.seconds, rng, stop)
        if proven is not None:
            return proven
        left = max(self.seconds - (perf_counter() - began), LEAST)
        return search(position, Limit(seconds=left), rng=rng, stop=stop)


def proven_choice(
    position: Position, seconds: float, rng: Random, stop: Stop | None = None
) -> SearchResult | None:
    """One of the best moves under perfect play, by chance.

    None if proving them takes longer than `seconds`, or is stopped.
    """
    began = perf_counter()
    proof = FAMILIES[position.game.key].prove(position, seconds, stop)
    if proof is None:
        return None
    move = rng.choice(sorted(proof.best()))
    return replace(proof.result(move), seconds=perf_counter() - began)
