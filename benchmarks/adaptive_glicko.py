"""Glicko-2 for many players at once: what `bot.rating.ratings` does, in NumPy.

It is here so that parameters can be tried in seconds. A test holds it to `bot.rating.ratings`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.rating.difficulty import EVEN, KINDLY, MOST_STEPS
from bot.rating.ratings import (
    AGENT_DEVIATION,
    FADING,
    MAXIMUM_DEVIATION,
    MINIMUM_DEVIATION,
    NEWCOMER,
    PROVISIONAL,
    REOPENED_DEVIATION,
    STREAK,
)
from engine.ladder import Ladder

Numbers = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

SCALE = 173.7178
"""Elo points in one unit of Glicko-2's own scale."""
TAU = 0.5
"""How fast volatility changes; the package's."""
ROUNDS = 60
"""More steps than the search for a volatility has ever taken."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """Parameters of the rule `auto`; the defaults are the bot's."""

    start: float = NEWCOMER.value
    start_volatility: float = NEWCOMER.volatility
    least_deviation: float = MINIMUM_DEVIATION
    """The floor of every deviation, so that ratings stay nimble."""
    kindly: float = KINDLY
    even: float = EVEN
    provisional: float = PROVISIONAL
    steps: int = MOST_STEPS
    evidence: bool = True
    evidence_wider: float = 1.0
    """A factor for the deviation of evidence: the larger, the less weight it has."""
    streak: float = STREAK
    """Surprises that add up to more than this make a rating provisional again."""


@dataclass(frozen=True, slots=True)
class Many:
    """The ratings of many players."""

    value: Numbers
    deviation: Numbers
    volatility: Numbers
    surprise: Numbers


@dataclass(frozen=True, slots=True)
class Seen:
    """The outcome of one game of every player; NaN stands for no evidence."""

    elo: Numbers
    """The opponents' ratings."""
    score: Numbers
    evidence: Numbers
    evidence_deviation: Numbers


def newcomers(count: int, tuning: Tuning) -> Many:
    """This many players before their first game."""
    return Many(
        np.full(count, tuning.start),
        np.full(count, MAXIMUM_DEVIATION),
        np.full(count, tuning.start_volatility),
        np.zeros(count),
    )


def after_games(many: Many, seen: Seen, tuning: Tuning) -> Many:
    """Everybody's rating after one game."""
    chance = 1 / (1 + 10 ** ((seen.elo - many.value) / 400))
    surprise = FADING * many.surprise + seen.score - chance
    out_of_date = np.abs(surprise) > tuning.streak
    wider = np.where(out_of_date, np.maximum(many.deviation, REOPENED_DEVIATION), many.deviation)
    many = Many(many.value, wider, many.volatility, surprise)
    told = np.isfinite(seen.evidence) & tuning.evidence & (many.deviation > tuning.provisional)
    elo = np.where(told, seen.evidence, 0.0)
    wide = np.where(told, seen.evidence_deviation, MAXIMUM_DEVIATION) * tuning.evidence_wider
    played = [
        (seen.elo, np.full(len(elo), AGENT_DEVIATION), seen.score, np.ones(len(elo))),
        (elo, wide, np.full(len(elo), 0.5), told.astype(np.float64)),
    ]
    return _after_period(many, played, tuning)


def _after_period(
    many: Many, played: list[tuple[Numbers, Numbers, Numbers, Numbers]], tuning: Tuning
) -> Many:
    """Steps 3 to 8 of the method; the last array of each game says for whom it counts."""
    phi = many.deviation / SCALE
    precision, surplus = np.zeros(len(phi)), np.zeros(len(phi))
    for elo, deviation, score, counts in played:
        g = 1 / np.sqrt(1 + 3 * (deviation / SCALE) ** 2 / np.pi**2)
        chance = 1 / (1 + np.exp(-g * (many.value - elo) / SCALE))
        precision += counts * g**2 * chance * (1 - chance)
        surplus += counts * g * (score - chance)
    variance = 1 / precision
    volatility = _volatility(many.volatility, phi, variance, variance * surplus)
    wider = phi**2 + volatility**2
    narrow = 1 / (1 / wider + precision)
    deviation = np.clip(np.sqrt(narrow) * SCALE, tuning.least_deviation, MAXIMUM_DEVIATION)
    return Many(many.value + narrow * surplus * SCALE, deviation, volatility, many.surprise)


def _volatility(old: Numbers, phi: Numbers, variance: Numbers, delta: Numbers) -> Numbers:
    """Step 5: the root of a decreasing function, by the Illinois variant of regula falsi."""
    start = np.log(old**2)

    def f(x: Numbers) -> Numbers:
        grown = np.exp(x)
        whole = phi**2 + variance + grown
        value: Numbers = grown * (delta**2 - whole) / (2 * whole**2) - (x - start) / TAU**2
        return value

    surprise = delta**2 - phi**2 - variance
    low = start - TAU
    while (short := f(low) < 0).any():
        low = np.where(short & (surprise <= 0), low - TAU, low)
        if not (short & (surprise <= 0)).any():
            break
    a, b = start, np.where(surprise > 0, np.log(np.maximum(surprise, 1e-12)), low)
    fa, fb = f(a), f(b)
    for _ in range(ROUNDS):
        open_ = np.abs(b - a) > 1e-6
        if not open_.any():
            break
        c = a + (a - b) * fa / np.where(open_ & (fb != fa), fb - fa, 1.0)
        fc = f(c)
        crossed = fc * fb <= 0
        a, fa = (
            np.where(open_ & crossed, b, a),
            np.where(open_, np.where(crossed, fb, fa / 2), fa),
        )
        b, fb = np.where(open_, c, b), np.where(open_, fc, fb)
    return np.exp(a / 2)


def fitting_rungs(ladder: Ladder, many: Many, last: Places | None, tuning: Tuning) -> Places:
    """Everybody's next rung, counted from 0."""
    elos = np.array([rung.elo for rung in ladder.rungs])
    settled = many.deviation <= tuning.provisional
    target = np.where(settled, tuning.even, tuning.kindly)
    chances = 1 / (1 + 10 ** ((elos - many.value[:, None]) / 400))
    misfit = np.abs(chances - target[:, None])
    if last is not None:
        away = np.abs(np.arange(len(elos)) - last[:, None]) > tuning.steps
        misfit = np.where(away & settled[:, None], np.inf, misfit)
    fitting: Places = misfit.argmin(axis=1)
    return fitting
