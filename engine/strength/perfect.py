"""The agent of the strongest level: a proven best move if time allows a proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from time import perf_counter
from typing import Protocol

from engine.core.agent import FULL_MARGIN
from engine.core.analysis import Analysis, SearchResult, pick
from engine.core.game import Game, Move, Position
from engine.core.kernel import KernelKind
from engine.core.limits import Limit, Stop
from engine.core.registry import package_of
from engine.core.search import analyse, search
from engine.strength.traps import Effort, Replies, Traps

LEAST = 0.05
"""Minimum seconds for the search if the proof fails."""

BRIEF = Limit(nodes=100_000)
"""The limit of a search that only estimates the score of a move from a book."""

SAME = 1e-3
"""Moves whose expected scores differ by at most this count as equally good traps."""


class Opponent(Protocol):
    """A model of the opponent to whom perfect play adapts."""

    def replies(self, game: Game) -> Replies:
        """The probabilities of the opponent's moves."""


@dataclass(frozen=True, slots=True)
class Perfect:
    """An agent that proves the value of every move or, failing that, searches."""

    seconds: float = 2.0
    """Seconds for a move: proof, choice and search together."""
    name: str = "perfect"
    against: Opponent | None = None
    """The opponent for whom it sets traps: among moves of equal exact value it chooses the one
    after which this opponent is likeliest to err. With None it chooses at random."""

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Choose the proven best move or, failing that, the best found.

        Most of the time goes into the proof, unless it would probably fail; then the search has all
        of it. The result's `source` shows how the move was found.
        Raises ValueError for a game that is over.
        """
        if position.outcome is not None:
            raise ValueError("the game is over: there is no move to search for")
        began = perf_counter()
        package = package_of(position)
        proof = package.prove_if_likely(position, seconds=0.75 * self.seconds, stop=stop)
        left = max(self.seconds - (perf_counter() - began), LEAST)
        if proof is None:
            named = package.named_best(position)
            if named:
                found = analyse(position, BRIEF, stop, FULL_MARGIN, kind=KernelKind.FITTED)
                return pick(found.naming(named), position.to_move, rng)
            return self._searched(position, package.known_worse(position), left, rng, stop)
        move = rng.choice(self._among(proof, position, left, stop))
        return replace(proof.result(move, position.to_move), seconds=perf_counter() - began)

    def _searched(
        self,
        position: Position,
        worse: Sequence[Move],
        seconds: float,
        rng: Random,
        stop: Stop | None,
    ) -> SearchResult:
        """The move that a search finds; if it is known to be worse, the best of the others."""
        share = seconds / 2 if worse else seconds
        limit = Limit(seconds=share)
        found = search(
            position, limit, rng=rng, stop=stop, keeps_table=True, kind=KernelKind.STRONGEST
        )
        if found.move not in worse:
            return found
        every = analyse(position, limit, stop, FULL_MARGIN, kind=KernelKind.FITTED)
        return pick(every.lowering(worse), position.to_move, rng)

    def _among(
        self, proof: Analysis, position: Position, seconds: float, stop: Stop | None
    ) -> list[Move]:
        """The moves of the best exact value after which the opponent is likeliest to err."""
        best = sorted(proof.best())
        # In a won position there is nothing to gain from traps.
        if self.against is None or len(best) == 1 or proof.top > 0:
            return best
        effort = Effort(seconds=min(seconds, Effort().seconds))
        replies = self.against.replies(position.game)
        solver = package_of(position).solver(position.game, nodes=effort.nodes)
        assert solver is not None, "its values have just been proven"
        values = Traps(solver, replies, effort, stop).values(position, best)
        most = max(values.values())
        return [move for move in best if values[move] >= most - SAME]
