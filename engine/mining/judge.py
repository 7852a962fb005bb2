"""What is proven about every move of a position: the ground that puzzles stand on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from engine.alphabeta import LARGE_TABLE
from engine.game import Game, Move, Position
from engine.games import FAMILIES, no_proof
from engine.kernels.scores import WIN
from engine.search import Stop
from engine.values import is_decided

Scores = Mapping[Move, int]
"""The value of every legal move for the side that makes it, on the scale of
`engine.kernels.scores`: a win or a loss with its distance, or 0 for neither."""
Results = Mapping[Move, int]
"""The same without distances: 1 for a win, -1 for a loss, 0 for neither."""
NODES = 1_000_000
"""Positions after which an exact proof is given up."""
SECONDS = 60.0
"""The same by the clock, for machines that stand still."""
HORIZON = 8
"""Movements of BOOM within which a win or a loss counts: two turns of either side."""


def result(score: int) -> int:
    """What a score comes to: 1 for a win, -1 for a loss, 0 for neither."""
    return (score > 0) - (score < 0) if is_decided(score) else 0


class Judge(Protocol):
    """Proves the moves of one game's positions, and remembers what it can."""

    def results(self, positions: Sequence[Position]) -> list[Results | None]:
        """What each move leads to, for the positions of a game; None where that takes too long."""

    def scores(self, position: Position) -> Scores | None:
        """What each move of a position that is not over is worth; None if that takes too long."""


class ExactJudge:
    """Perfect play to the end of the game: 0 is a draw."""

    def __init__(self, game: Game, nodes: int = NODES) -> None:
        self._family = FAMILIES[game.key]
        self._prover = self._family.prover(game)
        self._nodes = nodes

    def results(self, positions: Sequence[Position]) -> list[Results | None]:
        """Win, draw and loss, within the limit that the game's verdicts have."""
        found = self._family.verdicts(positions)
        return [
            None if one is None else {move: round(2 * share - 1) for move, share in one.items()}
            for one in found
        ]

    def scores(self, position: Position) -> Scores | None:
        """The exact values; None if proving them takes too many nodes."""
        proof = self._prover.prove(position, nodes=self._nodes, seconds=SECONDS)
        return None if proof is None else proof.scores


class HorizonJudge:
    """What can be forced within a number of moves, by searching all of them: 0 is the rest.

    Every win and loss is proven; of the others it is proven that neither side can force anything so
    soon.
    """

    def __init__(self, horizon: int = HORIZON) -> None:
        self._horizon = horizon

    def results(self, positions: Sequence[Position]) -> list[Results | None]:
        """Wins and losses within the horizon, without distances."""
        found = map(self.scores, positions)
        return [{move: result(score) for move, score in one.items()} for one in found]

    def scores(self, position: Position) -> Scores:
        """Wins and losses within the horizon."""
        kernel = FAMILIES[position.game.key].load(position, LARGE_TABLE)
        kernel.allow(None)
        depth = min(self._horizon, kernel.deepest)
        found = kernel.score_moves(depth, 2 * WIN, position.legal_moves(), Stop().flag)
        assert found is not None, "nothing stops this search"
        last = position.ply + depth
        return {
            move: score if is_decided(score) and WIN - abs(score) <= last else 0
            for move, score in found.items()
        }


def judge_of(game: Game) -> Judge:
    """The judge for a game: exact where there is an exact solver."""
    return HorizonJudge() if FAMILIES[game.key].prove is no_proof else ExactJudge(game)
