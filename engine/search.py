"""Searching a position of any game: limits, results, and how a move is picked from scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

import numpy as np

from engine.game import Move
from engine.kernels.scores import WON_BOUND


@dataclass(frozen=True, slots=True)
class Limit:
    """What a search may spend; it ends at the first limit that it meets."""

    depth: int | None = None
    """Plies."""
    seconds: float | None = None
    """Wall-clock time."""
    nodes: int | None = None
    """Positions visited."""

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise ValueError(f"depth must be at least 1, not {self.depth}")
        if self.seconds is not None and not self.seconds > 0:
            raise ValueError(f"seconds must be more than 0, not {self.seconds}")
        if self.nodes is not None and self.nodes < 1:
            raise ValueError(f"nodes must be at least 1, not {self.nodes}")


@dataclass(frozen=True, slots=True, eq=False)
class Stop:
    """A flag that another thread sets to end a search; one flag may serve several searches."""

    flag: np.ndarray[tuple[int], np.dtype[np.uint8]] = field(
        default_factory=lambda: np.zeros(1, np.uint8)
    )
    """What the kernels read at every node."""

    def set(self) -> None:
        """End the searches that watch this flag, within 20 ms."""
        self.flag[0] = 1

    @property
    def is_set(self) -> bool:
        """Whether `set` has been called."""
        return bool(self.flag[0])


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The move that a search or an agent decided on, and what it took."""

    move: Move
    score: int
    """For the side to move, on the scale of `engine.kernels.scores`."""
    depth: int
    """Plies of the last search that was completed; 0 for a move made without one."""
    nodes: int
    seconds: float
    line: tuple[Move, ...]
    """The moves expected from here, beginning with `move`."""
    proven: bool = False
    """Whether the score is the game's value under perfect play, and no move has a better one."""

    @property
    def is_win(self) -> bool:
        """Whether the move is proven to win."""
        return self.score > WON_BOUND

    @property
    def is_loss(self) -> bool:
        """Whether every move is proven to lose."""
        return self.score < -WON_BOUND


Verdict = Mapping[Move, float]
"""What every legal move of a position is worth under perfect play, to who makes it: 1 is a win, 0.5
a draw and 0 a loss."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The value of every legal move of a position under perfect play."""

    scores: Mapping[Move, int]
    """On the scale of `engine.kernels.scores`; 0 for a draw."""
    depth: int
    """Plies to the end of the game that the best move leads to."""
    nodes: int


@dataclass(frozen=True, slots=True)
class Exploration:
    """What a search found out about the moves of one position."""

    scores: Mapping[Move, int]
    """The exact scores of all moves within the margin that was asked for."""
    lines: Mapping[Move, tuple[Move, ...]]
    """For each of those moves the line expected from it, beginning with it."""
    depth: int
    nodes: int
    seconds: float

    def best(self) -> tuple[Move, ...]:
        """All moves with the best score."""
        top = max(self.scores.values())
        return tuple(move for move, score in self.scores.items() if score == top)

    def result(self, move: Move) -> SearchResult:
        """The search's result, if `move` is what it is used for."""
        return SearchResult(
            move, self.scores[move], self.depth, self.nodes, self.seconds, self.lines[move]
        )


def pick(exploration: Exploration, rng: Random, noise: int = 0) -> SearchResult:
    """Choose a move: the best, equal ones uniformly at random.

    With `noise`, each score that is no proven win or loss first gets a whole number added that is
    drawn uniformly from -noise..noise; the exploration's margin must be at least twice that. A
    proven win is then still taken at its nearest, a proven loss is still avoided, and where all
    is lost the latest loss is still chosen.
    """
    top = max(exploration.scores.values())
    if noise and abs(top) <= WON_BOUND:
        noisy = {
            move: score + rng.randint(-noise, noise)
            for move, score in exploration.scores.items()
            if score >= -WON_BOUND
        }
        top = max(noisy.values())
        moves = [move for move, score in noisy.items() if score == top]
    else:
        moves = list(exploration.best())
    return exploration.result(rng.choice(sorted(moves)))
