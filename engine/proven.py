"""A move that is known to be best: proven, and any of several equal ones."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from time import perf_counter

from engine.game import Position
from engine.games import FAMILIES
from engine.search import SearchResult, Stop


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
