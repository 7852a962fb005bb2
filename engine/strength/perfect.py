"""The agent of the strongest level: a proven best move, wherever time allows a proof."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from time import perf_counter
from typing import Protocol

from engine.core.analysis import Analysis, SearchResult
from engine.core.game import Game, Move, Position
from engine.core.limits import Limit, Stop
from engine.core.registry import package_of
from engine.core.search import search
from engine.strength.agent import Strength
from engine.strength.traps import Effort, Replies, Traps

LEAST = 0.05
"""Minimum seconds for the search if the proof fails."""

SAME = 1e-3
"""Moves count as equally good chances within this much expected score."""


class Opponent(Protocol):
    """The opponent that perfect play adapts to."""

    def model(self, game: Game) -> Strength:
        """The agent that plays like them."""


@dataclass(frozen=True, slots=True)
class Perfect:
    """An agent that proves the value of every move or, failing that, searches."""

    seconds: float = 2.0
    """How long a move may take, proving, choosing and searching together."""
    name: str = "perfect"
    against: Opponent | None = None
    """Among moves of equal exact value it makes the one after which this opponent is likeliest to
    err. With None it makes any of them."""

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Decide on a move: the proven best or, failing that, the best found.

        Most of the time goes into the proof. The result says whether there is one. Raises
        ValueError for a game that is over.
        """
        if position.outcome is not None:
            raise ValueError("the game is over: there is no move to search for")
        began = perf_counter()
        proof = package_of(position).prove(position, seconds=0.75 * self.seconds, stop=stop)
        left = max(self.seconds - (perf_counter() - began), LEAST)
        if proof is None:
            return search(position, Limit(seconds=left), rng=rng, stop=stop)
        move = rng.choice(self._among(proof, position, left, stop))
        return replace(proof.result(move, position.to_move), seconds=perf_counter() - began)

    def _among(
        self, proof: Analysis, position: Position, seconds: float, stop: Stop | None
    ) -> list[Move]:
        """The moves of the best exact value that make it as hard as can be for the opponent."""
        best = sorted(proof.best())
        # A game that is won is not won any better.
        if self.against is None or len(best) == 1 or proof.top > 0:
            return best
        effort = Effort(seconds=min(seconds, Effort().seconds))
        replies = Replies(self.against.model(position.game))
        solver = package_of(position).solver(position.game, nodes=effort.nodes)
        assert solver is not None, "its values have just been proven"
        worths = Traps(solver, replies, effort, stop).worths(position, best)
        most = max(worths.values())
        return [move for move in best if worths[move] >= most - SAME]
