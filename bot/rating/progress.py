"""Whether somebody has got better without help: what their own moves give away, then and now.

Every game is a sample of its own, as moves of one game resemble each other: the mean loss of a move
is a ratio of sums over games, with the standard error that ratio estimates have (Cochran, Sampling
Techniques, 1977, chapter 6). Games on different ladders are compared only with their like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from bot.store import UnaidedMoves

WEEK = 7 * 24 * 3600.0
RECENTLY, BEFORE = 4, 8
"""The weeks up to now, and the weeks before those, which are compared."""
FEWEST = 10
"""With fewer games on either side nothing is said."""
STUDENT = 2.101
"""How many standard errors hold the truth 19 times in 20, with as few games as that: the quantile
of Student's distribution at 2 x (FEWEST - 1) degrees of freedom."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a move without help gave away on average, then and now."""

    before: float
    """As expected score, from 0 to 1."""
    now: float
    margin: float
    """The true difference lies within so much of the measured one 19 times in 20."""

    @property
    def difference(self) -> float:
        """How much more a move gives away than before; below 0 for whoever has got better."""
        return self.now - self.before

    @property
    def is_certain(self) -> bool:
        """Whether the difference is more than chance would make of none, 19 times in 20."""
        return abs(self.difference) > self.margin


@dataclass(frozen=True, slots=True)
class Progress:
    """What somebody's games of twelve weeks say."""

    before: int
    """Games of the weeks before, on the ladder that has most to tell."""
    now: int
    """Games of the latest weeks there."""
    change: Change | None
    """None where there is too little to tell."""


def since(now: float) -> float:
    """When the first of the games ended that are looked at."""
    return now - (RECENTLY + BEFORE) * WEEK


def progress_of(games: Sequence[UnaidedMoves], now: float) -> Progress:
    """Compare the latest weeks' games with those of the weeks before, each ladder by itself.

    Ladders with enough games on both sides count by their latest moves; the others do not.
    """
    pairs = [
        _halves([game for game in games if game.ladder == ladder], now)
        for ladder in sorted({game.ladder for game in games})
    ]
    most = max(pairs, key=lambda pair: min(map(len, pair)), default=((), ()))
    enough = [pair for pair in pairs if min(map(len, pair)) >= FEWEST]
    return Progress(len(most[0]), len(most[1]), _change(enough) if enough else None)


def _halves(
    games: Sequence[UnaidedMoves], now: float
) -> tuple[tuple[UnaidedMoves, ...], tuple[UnaidedMoves, ...]]:
    first, between = since(now), now - RECENTLY * WEEK
    return (
        tuple(game for game in games if first <= game.at < between),
        tuple(game for game in games if game.at >= between),
    )


def _change(
    pairs: Sequence[tuple[Sequence[UnaidedMoves], Sequence[UnaidedMoves]]],
) -> Change:
    moves = [sum(game.judged for game in late) for _, late in pairs]
    shares = [count / sum(moves) for count in moves]
    then, now, variance = 0.0, 0.0, 0.0
    for share, (early, late) in zip(shares, pairs, strict=True):
        (was, spread), (is_now, wide) = _mean(early), _mean(late)
        then += share * was
        now += share * is_now
        variance += share**2 * (spread + wide)
    return Change(then, now, STUDENT * sqrt(variance))


def _mean(games: Sequence[UnaidedMoves]) -> tuple[float, float]:
    """The mean loss of a move, and the variance of that estimate."""
    moves, count = sum(game.judged for game in games), len(games)
    mean = sum(game.loss for game in games) / moves
    spread = sum((game.loss - mean * game.judged) ** 2 for game in games)
    return mean, count / (count - 1) * spread / moves**2
