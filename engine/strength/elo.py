"""Ratings from the results of many games at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]

SCALE = 400 / np.log(10)
"""Elo points by which the odds of winning grow by e."""

PRIOR_GAMES = 1.0
"""Drawn games against an average player that are added for every player, to keep ratings finite."""

Z_95 = 1.96
"""Standard errors to either side of an estimate that make a 95 % confidence interval."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings estimated from a table of results, in Elo."""

    elo: Numbers
    """For each player; their mean is 0."""
    errors: Numbers
    """Half the width of each rating's 95 % interval."""


def expected(difference: float | Numbers) -> float | Numbers:
    """Return the expected score of a player rated `difference` Elo points above the opponent."""
    share: float | Numbers = 1 / (1 + np.exp(-np.asarray(difference) / SCALE))
    return share


def difference(score: float) -> float:
    """Return by how many Elo points a player is stronger who scores this much, above 0 and below 1.

    The inverse of `expected`.
    """
    return float(SCALE * np.log(score / (1 - score)))


def fit(points: Numbers, games: Numbers) -> Ratings:
    """The most likely ratings behind a cross table (Bradley and Terry 1952, draws as half wins).

    Args:
        points: In row i and column j, what player i scored against player j.
        games: How many games the two played; symmetric.

    Newton's method on the log-likelihood, with the prior above; the errors come from its curvature.
    """
    count = len(points)
    elo = np.zeros(count)
    for _ in range(100):
        chances = np.asarray(expected(elo[:, None] - elo[None, :]))
        gradient = (points - games * chances).sum(axis=1)
        gradient += PRIOR_GAMES * (0.5 - np.asarray(expected(elo)))
        curvature = _curvature(games, chances, elo)
        step = np.linalg.solve(curvature, gradient) * SCALE
        elo += np.clip(step, -400, 400)
        if np.abs(step).max() < 1e-6:
            break
    # Ratings are relative to their mean, so an error that all of them share does not count.
    centred = np.eye(count) - 1 / count
    spread = np.sqrt(np.diag(centred @ np.linalg.inv(curvature) @ centred)) * SCALE
    return Ratings(elo - elo.mean(), Z_95 * spread)


def _curvature(games: Numbers, chances: Numbers, elo: Numbers) -> Numbers:
    """The curvature of the likelihood at the ratings, in natural units."""
    weights = games * chances * (1 - chances)
    own = np.asarray(expected(elo))
    diagonal = weights.sum(axis=1) + PRIOR_GAMES * own * (1 - own)
    curvature: Numbers = np.diag(diagonal) - weights
    return curvature
