"""Results of searches and proofs: the scores of a position's moves, and the choice among them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random

from engine.core.compiled.scores import WON_BOUND
from engine.core.game import Move, Player
from engine.core.values import Score, Value, is_decided, share_of

Verdict = Mapping[Move, float]
"""The result of every legal move under perfect play, as the mover's share of a point: 1 for a win,
0.5 for a draw, 0 for a loss. It is derived from a proven `Analysis`, or computed directly where
that is cheaper: proving who wins takes much less work than proving how soon."""


class Source(StrEnum):
    """How a move or an analysis was found."""

    BOOK = "book"
    """It is in a book: proven earlier, or published."""
    PROOF = "proof"
    SEARCH = "search"
    """A search of some depth, which proves nothing unless it sees the end."""


def source_of(*, proven: bool, depth: int, nodes: int) -> Source:
    """Return the source of a result from its figures, as they are stored with moves.

    What is in a book needs no nodes, and a best move without values has no depth either.
    """
    if nodes == 0 and (proven or depth == 0):
        return Source.BOOK
    return Source.PROOF if proven else Source.SEARCH


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The move that a search or an agent chose, with its score and the effort."""

    move: Move
    score: Score
    """The value of the move for the side that makes it."""
    depth: int
    """Plies of the last completed search; 0 for a move made without one."""
    nodes: int
    seconds: float
    line: tuple[Move, ...]
    """The moves expected from here, beginning with `move`."""
    proven: bool = False
    """Whether the score is the value under perfect play and the move is a best one."""
    exact: tuple[tuple[Move, int], ...] = ()
    """For a hint, the scores of all moves whose value is proven, in the order of the buttons."""

    @property
    def source(self) -> Source:
        """How the move was found."""
        return source_of(proven=self.proven, depth=self.depth, nodes=self.nodes)

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
    """The scores of a position's moves: proven values, or estimates of a search of some depth."""

    scores: Mapping[Move, int]
    """Scores for the side to move, on the scale of `engine.core.compiled.scores`: of every legal
    move if all are proven, otherwise of all moves within the requested margin."""
    lines: Mapping[Move, tuple[Move, ...]]
    """The expected line after each of those moves, beginning with the move."""
    depth: int
    """Plies searched; in a proven position, plies to the end after the best move."""
    nodes: int
    seconds: float
    proven: bool = False
    """Whether the scores are the game's values under perfect play."""
    in_book: tuple[Move, ...] = ()
    """The moves that a book names as the best ones, if it has no values of the moves."""

    @property
    def source(self) -> Source:
        """How the best moves were found."""
        if self.in_book:
            return Source.BOOK
        return source_of(proven=self.proven, depth=self.depth, nodes=self.nodes)

    def naming(self, moves: Collection[Move]) -> Analysis:
        """Return the scores of a search of all moves with moves from a book as the best ones.

        Their scores are raised to the best estimate, and the other moves stay below it. A search
        that sees the end is left as it is.
        """
        top = self.top
        if not moves or is_decided(top):
            return self
        scores = {
            move: top if move in moves else min(score, top - 1)
            for move, score in self.scores.items()
        }
        return replace(self, scores=scores, in_book=tuple(sorted(moves)))

    def lowering(self, moves: Collection[Move]) -> Analysis:
        """Return the scores of a search of all moves with proven worse moves below the others.

        A search that sees the end is left as it is.
        """
        others = [score for move, score in self.scores.items() if move not in moves]
        if not moves or not others or is_decided(max(others)):
            return self
        top = max(others)
        scores = {
            move: min(score, top - 1) if move in moves else score
            for move, score in self.scores.items()
        }
        return replace(self, scores=scores)

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
        """The exact value of a move; None if its score is only an estimate."""
        return Value.from_search(self.scores[move], mover) if self.is_exact(move) else None

    @property
    def verdict(self) -> Verdict:
        """The result of every move under perfect play; raises ValueError if it is not proven."""
        if not self.proven:
            raise ValueError("only proven scores say who wins")
        return {move: share_of(score) for move, score in self.scores.items()}

    def result(self, move: Move, player: Player) -> SearchResult:
        """Return this analysis as a search result in which `player`, who is to move, chose `move`.

        The result is proven if no move has a better score.
        """
        score, is_named = self.scores[move], move in self.in_book
        return SearchResult(
            move,
            Score(score, player, self.is_exact(move)),
            0 if is_named else self.depth,
            0 if is_named else self.nodes,
            self.seconds,
            self.lines[move],
            proven=self.proven and score == self.top,
        )


def pick_least(analysis: Analysis, player: Player, rng: Random) -> SearchResult:
    """Choose the least valued of the moves that are no proven win or loss, at random among equals.

    Chooses as `pick` does if a win was found or every move loses. The search's margin must cover
    all moves.
    """
    quiet = {move: score for move, score in analysis.scores.items() if not is_decided(score)}
    if is_decided(analysis.top) or not quiet:
        return pick(analysis, player, rng)
    least = min(quiet.values())
    moves = sorted(move for move, score in quiet.items() if score == least)
    return analysis.result(rng.choice(moves), player)


def pick(analysis: Analysis, player: Player, rng: Random, noise: int = 0) -> SearchResult:
    """Choose a best move for the side to move, uniformly at random among equal ones.

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
