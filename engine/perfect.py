"""The level that never errs where it can prove the best move in time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from time import perf_counter

from engine.alphabeta import search
from engine.game import Position
from engine.games import FAMILIES
from engine.search import Limit, SearchResult, Stop

LEAST = 0.05
"""Minimum seconds for the search if the proof fails."""


@dataclass(frozen=True, slots=True)
class Perfect:
    """An agent that proves the value of every move or, failing that, searches."""

    seconds: float = 2.0
    """How long a move may take, proving and searching together."""
    name: str = "perfect"

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Decide on a move: the proven best or, failing that, the best found.

        Most of the time goes into the proof. The result says whether there is one. Raises
        ValueError for a game that is over.
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
    """One of the best moves under perfect play, at random.

    None if proving them takes longer than `seconds`, or is stopped.
    """
    began = perf_counter()
    proof = FAMILIES[position.game.key].prove(position, seconds, stop)
    if proof is None:
        return None
    move = rng.choice(sorted(proof.best()))
    return replace(proof.result(move), seconds=perf_counter() - began)
