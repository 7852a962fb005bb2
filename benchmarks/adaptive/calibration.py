"""The bias of ratings that are estimated from moves: `Calibration` of a ladder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.adaptive.games import Outcome, strengths
from benchmarks.adaptive.people import STYLES
from engine.core.package import Calibration
from engine.strength.ladder import Ladder, estimate

MIN_SLOPE = 0.3
"""The least slope: below it, estimates say hardly anything."""

MAX_DISTANCE = 250.0
"""Largest distance in Elo points between style and rung of games that count, as with `auto`."""


def calibrate(outcomes: Sequence[Outcome], ladder: Ladder) -> Calibration:
    """Return the calibration that best fits the estimates from these games, by least squares."""
    known = strengths(outcomes, ladder)
    rows, ratings, estimates = [], [], []
    for one in outcomes:
        elo = known[one.style].elo
        rung = ladder.rungs[ladder.place_of(one.rung)]
        if one.value is None or abs(elo - rung.elo) > MAX_DISTANCE or one.style not in STYLES:
            continue
        rows.append((1.0, one.score, 1.0 / one.plies))
        ratings.append(elo)
        estimates.append(estimate(ladder, one.value, trimmed=True)[0])
    inputs, elos, wanted = np.array(rows), np.array(ratings), np.array(estimates)
    slope = 1.0
    if np.ptp(elos) > MAX_DISTANCE:
        fitted, *_ = np.linalg.lstsq(np.column_stack((inputs, elos)), wanted, rcond=None)
        slope = max(float(fitted[-1]), MIN_SLOPE)
    remains = wanted - slope * elos
    (base, won, short), *_ = np.linalg.lstsq(inputs, remains, rcond=None)
    errors = remains - inputs @ (base, won, short)
    return Calibration(
        float(base), float(won), float(short), float(errors.std()) / slope, round(slope, 2)
    )
