"""Fits `Habits` to the moves of games.

The weights are the most likely ones (the posterior mode of a conditional logit) with a normal prior
around 0, that is around the rungs: few moves change little. The likelihood is concave, so Newton's
method finds the only optimum.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.core.game import Game, Move, Position
from engine.core.registry import package_of
from engine.strength.habits import FEATURES, Habits, rows_of
from engine.strength.opponent import RatedOpponent
from engine.strength.traps import Replies

Numbers = npt.NDArray[np.float64]

SPREAD = 0.5
"""The standard deviation of the prior of each weight."""

NODES = 20_000
"""Positions that may be visited to find who wins after each move; beyond, it is left out."""

STEPS = 50
"""The most steps of Newton's method, which needs about six."""


NEAR, TINY = 1e-6, 1e-300
"""The step at which the fit ends, and the least probability of which a logarithm is taken."""


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move of a player with a rating; None if that is unknown."""

    position: Position
    move: Move
    elo: float | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """A move as the fit sees it: the features of all moves, and which one was made."""

    features: Numbers
    made: int


def samples_of(moves: Iterable[PlayedMove]) -> list[Sample]:
    """Return the samples of moves; those without a choice or a verdict are left out."""
    found, replies = list[Sample](), dict[tuple[Game, float | None], Replies]()
    for one in moves:
        game, legal = one.position.game, one.position.legal_moves()
        if len(legal) < 2 or one.move not in legal:
            continue
        best = _best(one.position)
        if best is None:
            continue
        key = game, None if one.elo is None else round(one.elo, -1)
        if key not in replies:
            replies[key] = RatedOpponent(key[1]).replies(game)
        rows = rows_of(one.position, best, replies[key].chances(one.position, best))
        order = [move for move, _ in rows]
        found.append(Sample(np.array([row for _, row in rows]), order.index(one.move)))
    return found


def _best(position: Position) -> list[Move] | None:
    """The moves that keep the best result; None if that is not found quickly."""
    solver = package_of(position.game).solver(position.game, nodes=NODES)
    verdict = None if solver is None else solver.winners(position)
    if verdict is None:
        return None
    top = max(verdict.values())
    return [move for move, share in verdict.items() if share == top]


def fit(samples: Sequence[Sample]) -> Habits:
    """Return the most likely habits; without samples those of the rungs."""
    weights = np.zeros(len(FEATURES))
    for _ in range(STEPS):
        gradient, curvature = -weights / SPREAD**2, np.eye(len(FEATURES)) / SPREAD**2
        for sample in samples:
            chances = _chances(sample, weights)
            mean = chances @ sample.features
            gradient += sample.features[sample.made] - mean
            centred = sample.features - mean
            curvature += (centred * chances[:, None]).T @ centred
        step = np.linalg.solve(curvature, gradient)
        # Far from the optimum a whole step may lead beyond it.
        before = _cost(samples, weights)
        while _cost(samples, weights + step) > before and np.abs(step).max() > NEAR:
            step /= 2
        weights += step
        if np.abs(step).max() <= NEAR:
            break
    return Habits(tuple(float(weight) for weight in weights))


def _cost(samples: Sequence[Sample], weights: Numbers) -> float:
    """The negative logarithm of the posterior, but for a constant."""
    chances = [_chances(sample, weights)[sample.made] for sample in samples]
    prior = float(weights @ weights) / (2 * SPREAD**2)
    return prior - float(np.log(np.maximum(chances, TINY)).sum())


def surprise(samples: Sequence[Sample], habits: Habits) -> float:
    """Return the mean negative log-likelihood of the moves that were made; smaller is better."""
    weights = np.array(habits.weights)
    chances = [_chances(sample, weights)[sample.made] for sample in samples]
    return -float(np.log(chances).mean())


def _chances(sample: Sample, weights: Numbers) -> Numbers:
    """The probabilities of a sample's moves."""
    sums = sample.features @ weights + sample.features[:, 0]
    shares: Numbers = np.exp(sums - sums.max())
    total: Numbers = shares / shares.sum()
    return total
