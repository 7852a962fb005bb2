"""The bias of ratings that are estimated from moves: `Calibration` of a ladder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.adaptive.games import Outcome, strengths
from benchmarks.adaptive.people import STYLES
from engine.core.package import Calibration
from engine.strength.ladder import Ladder, estimate

MAX_DISTANCE = 250.0
"""Largest distance in Elo points between style and rung of games that count, as with `auto`."""


def calibrate(outcomes: Sequence[Outcome], ladder: Ladder) -> Calibration:
    """Return the calibration that best fits the estimates from these games, by least squares."""
    known = strengths(outcomes, ladder)
    rows, errors = [], []
    for one in outcomes:
        elo = known[one.style].elo
        rung = ladder.rungs[ladder.place_of(one.rung)]
        if one.value is None or abs(elo - rung.elo) > MAX_DISTANCE or one.style not in STYLES:
            continue
        rows.append((1.0, one.score, 1.0 / one.plies))
        errors.append(estimate(ladder, one.value, trimmed=True)[0] - elo)
    inputs, wanted = np.array(rows), np.array(errors)
    (base, won, short), *_ = np.linalg.lstsq(inputs, wanted, rcond=None)
    remains = wanted - inputs @ (base, won, short)
    return Calibration(float(base), float(won), float(short), float(remains.std()))
