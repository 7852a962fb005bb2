"""A check that puzzles measure the same strength as games do.

Rungs are ranked by the share of the puzzles that they solve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.core.game import Game
from engine.strength.elo import expected
from engine.strength.ladder import Rung
from engine.study.mining.files import Graded
from engine.study.mining.grading import Answers, graders, rating_of


@dataclass(frozen=True, slots=True)
class Ranked:
    """A rung with its results."""

    rung: Rung
    share: float
    """The share of its tries at all puzzles in which it found the line."""
    held_out: float
    """The same share, of tries with the second half of the seeds."""
    foreseen: float
    """The share predicted by ratings of the puzzles that are based only on the first half."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """All rungs of a ladder that were asked, and the correlation of ratings and shares."""

    rungs: tuple[Ranked, ...]
    pearson: float
    """Correlation of the rungs' ratings with the shares of puzzles that they solve."""
    spearman: float
    """The rank correlation of the same."""
    halves: float
    """Correlation of the puzzles' ratings by one half of the seeds with those by the other."""
    error: float
    """Mean difference between the predicted and the held-out shares."""


def ranking(game: Game, graded: Sequence[Graded]) -> Ranking:
    """Rank the rungs by their answers to the puzzles of a board; there must be some."""
    rungs = graders(game)
    elo = np.array([rung.elo for rung in rungs])
    second = _shares([one.halves[1] for one in graded])
    both = _shares([one.halves[0] + one.halves[1] for one in graded])
    ratings = [np.array([rating_of(game, one.halves[half]) for one in graded]) for half in (0, 1)]
    foreseen = np.array([np.mean(expected(own - ratings[0])) for own in elo])
    ranked = zip(rungs, both.tolist(), second.tolist(), foreseen.tolist(), strict=True)
    return Ranking(
        tuple(Ranked(*one) for one in ranked),
        correlation(elo, both),
        correlation(ranks(elo), ranks(both)),
        correlation(*ratings),
        float(np.abs(foreseen - second).mean()),
    )


def correlation(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> float:
    """Pearson's correlation; NaN if either series is constant."""
    with np.errstate(invalid="ignore"):
        return float(np.corrcoef(one, other)[0, 1])


def ranks(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The rank of each number, from 0; equal ones share their mean rank."""
    below = (numbers[:, None] > numbers[None, :]).sum(axis=1)
    same = (numbers[:, None] == numbers[None, :]).sum(axis=1)
    found: npt.NDArray[np.float64] = below + (same - 1) / 2
    return found


def _shares(answers: Sequence[Answers]) -> npt.NDArray[np.float64]:
    solved = np.array([one.solved for one in answers]).sum(axis=0)
    asked = np.array([one.asked for one in answers]).sum(axis=0)
    shares: npt.NDArray[np.float64] = solved / asked
    return shares
