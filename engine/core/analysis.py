"""Results of searches and proofs: the scores of a position's moves, and the choice among them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from engine.core.compiled.scores import WON_BOUND
from engine.core.game import Move, Player
from engine.core.values import Score, Value, is_decided, share_of

Verdict = Mapping[Move, float]
"""Who wins after every legal move under perfect play, as the mover's share of a point: 1 for a win,
0.5 for a draw, 0 for a loss. It is derived from a proven `Analysis`, or found directly where that
is cheaper: finding out who wins takes far less than finding out with which stone."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The move that a search or an agent decided on, and what it took to find."""

    move: Move
    score: Score
    """What the move is worth to the side that makes it."""
    depth: int
    """Plies of the last search that was completed; 0 for a move made without one."""
    nodes: int
    seconds: float
    line: tuple[Move, ...]
    """The moves expected from here, beginning with `move`."""
    proven: bool = False
    """Whether the score is the game's value under perfect play, and no move has a better one."""
    exact: tuple[tuple[Move, int], ...] = ()
    """For a hint, the scores of all moves whose value is proven, in the order of the controls."""

    @property
    def is_win(self) -> bool:
        """Whether the move is proven to win."""
        return self.score.is_decided and self.score.points > 0

    @property
    def is_loss(self) -> bool:
        """Whether every move is proven to lose."""
        return self.score.is_decided and self.score.points < 0


@dataclass(frozen=True, slots=True)
class Analysis:
    """The scores of a position's moves: proven values, or what a search of some depth says."""

    scores: Mapping[Move, int]
    """For the side to move, on the scale of `engine.core.compiled.scores`: every legal move where
    all is proven, else all moves within the margin that was asked for."""
    lines: Mapping[Move, tuple[Move, ...]]
    """For each of those moves the line expected from it, beginning with it."""
    depth: int
    """Plies that the search has seen; in a proven position, to the end that the best move leads to.
    """
    nodes: int
    seconds: float
    proven: bool = False
    """Whether the scores are the game's values under perfect play."""

    @property
    def top(self) -> int:
        """The score of the best moves."""
        return max(self.scores.values())

    def best(self) -> tuple[Move, ...]:
        """All moves with the best score."""
        top = self.top
        return tuple(move for move, score in self.scores.items() if score == top)

    def is_exact(self, move: Move) -> bool:
        """Whether a move's score is its value under perfect play, and not an estimate."""
        return self.proven or is_decided(self.scores[move])

    def value(self, move: Move, mover: Player) -> Value | None:
        """The exact value of a move; None where a search has only guessed it."""
        return Value.from_search(self.scores[move], mover) if self.is_exact(move) else None

    @property
    def verdict(self) -> Verdict:
        """What every move leads to; raises ValueError for an analysis that has proven nothing."""
        if not self.proven:
            raise ValueError("only proven scores say who wins")
        return {move: share_of(score) for move, score in self.scores.items()}

    def result(self, move: Move, player: Player) -> SearchResult:
        """Return this analysis as what `player`, who is to move, decided on, if that is `move`.

        It counts as proven where no move has a better score.
        """
        score = self.scores[move]
        return SearchResult(
            move,
            Score(score, player, self.is_exact(move)),
            self.depth,
            self.nodes,
            self.seconds,
            self.lines[move],
            proven=self.proven and score == self.top,
        )


def pick(analysis: Analysis, player: Player, rng: Random, noise: int = 0) -> SearchResult:
    """Choose a move for the side to move: the best, equal ones uniformly at random.

    With `noise`, a whole number drawn uniformly from -noise..noise is first added to each score
    that is not a proven win or loss; the search's margin must be at least twice that. The nearest
    proven win is still taken, proven losses are still avoided, and in a lost position the latest
    loss is still chosen.
    """
    top = analysis.top
    if noise and not is_decided(top):
        noisy = {
            move: score + rng.randint(-noise, noise)
            for move, score in analysis.scores.items()
            if score >= -WON_BOUND
        }
        top = max(noisy.values())
        moves = [move for move, score in noisy.items() if score == top]
    else:
        moves = list(analysis.best())
    return analysis.result(rng.choice(sorted(moves)), player)
