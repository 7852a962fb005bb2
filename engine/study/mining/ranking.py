"""Whether puzzles measure what games measure: the rungs by the share of puzzles that they solve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.core.game import Game
from engine.strength.elo import expected
from engine.strength.ladder import Rung
from engine.study.mining.files import Graded
from engine.study.mining.grading import Answers, judges, rating_of


@dataclass(frozen=True, slots=True)
class Ranked:
    """A rung, and how it did."""

    rung: Rung
    share: float
    """Of its tries at all puzzles, those in which it found the line."""
    held_out: float
    """The share of its tries with the second half of the seeds."""
    foreseen: float
    """That share as ratings foresee it which only rest on the first half."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """All rungs of a ladder that were asked, and how well ratings and shares go together."""

    rungs: tuple[Ranked, ...]
    pearson: float
    """Correlation of the rungs' ratings with the shares of puzzles that they solve."""
    spearman: float
    """The same of their ranks."""
    halves: float
    """Correlation of the puzzles' ratings by one half of the seeds with those by the other."""
    error: float
    """Mean difference between the shares that are foreseen and those that are held out."""


def ranking(game: Game, graded: Sequence[Graded]) -> Ranking:
    """Rank the rungs by their answers to the puzzles of a board; there must be some."""
    rungs = judges(game)
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
    """Pearson's; not a number where one of both never changes."""
    with np.errstate(invalid="ignore"):
        return float(np.corrcoef(one, other)[0, 1])


def ranks(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The rank of each number, from 0; equal ones share the mean of theirs."""
    below = (numbers[:, None] > numbers[None, :]).sum(axis=1)
    same = (numbers[:, None] == numbers[None, :]).sum(axis=1)
    found: npt.NDArray[np.float64] = below + (same - 1) / 2
    return found


def _shares(answers: Sequence[Answers]) -> npt.NDArray[np.float64]:
    solved = np.array([one.solved for one in answers]).sum(axis=0)
    asked = np.array([one.asked for one in answers]).sum(axis=0)
    shares: npt.NDArray[np.float64] = solved / asked
    return shares
