"""Searching a position of any game: the limits, and how a move is picked from scores."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from engine.analysis import Analysis, SearchResult
from engine.kernels.scores import WON_BOUND
from engine.values import is_decided

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Limit", "SearchResult", "Stop", "pick"]


@dataclass(frozen=True, slots=True)
class Limit:
    """What a search may spend; it ends at the first limit it reaches."""

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


def _lowered_flag() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    # Imported here because a process is connected before it needs NumPy.
    import numpy as np

    return np.zeros(1, np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Stop:
    """A flag that another thread sets to end a search; several searches may share one."""

    flag: np.ndarray[tuple[int], np.dtype[np.uint8]] = field(default_factory=_lowered_flag)
    """The kernels read it at every node."""

    def set(self) -> None:
        """End the searches that watch this flag, within 20 ms."""
        self.flag[0] = 1

    @property
    def is_set(self) -> bool:
        """Whether `set` has been called."""
        return bool(self.flag[0])


def pick(analysis: Analysis, rng: Random, noise: int = 0) -> SearchResult:
    """Choose a move: the best, equal ones uniformly at random.

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
    return analysis.result(rng.choice(sorted(moves)))
