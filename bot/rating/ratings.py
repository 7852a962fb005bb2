"""Ratings of players: Glicko-2, one game a rating period.

Mark E. Glickman, "Example of the Glicko-2 system" (2013), through the package `glicko2`. Values and
deviations are Elo points on the scale of the engine's ladders.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from glicko2 import Player as Glicko

from bot.store import Rating, RatingRecord

PERIOD = 7 * 86_400.0
"""Seconds of absence that count as one rating period without games."""
WIDEST = 350.0
"""The deviation of somebody of whom nothing is known; absence never makes it wider."""
PROVISIONAL = 110.0
"""A rating whose deviation is above this is not settled yet: about the first nine."""
AGENT_DEVIATION = 30.0
"""How far an agent's rating may be off: its ladder has been measured in thousands of games."""
NIMBLE = 80.0
"""A deviation never falls below this."""
FADING, STREAK, WIDER = 0.8, 1.0, 250.0
"""Of earlier surprises so much remains after each game; where they add up to more than so many
points, the rating is taken to be out of date, and its deviation is no less than this."""

WIN, DRAW, LOSS = 1.0, 0.5, 0.0
_SCALE = 173.7178
"""Elo points in one unit of Glicko-2's own scale."""
_CENTRE = 1500.0
"""The rating that is 0 on that scale."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a player's moves in one game say about their strength, whatever its result.

    Raises ValueError for figures that no rating could be computed with.
    """

    elo: float
    """A robust estimate: one bad move among many good ones hardly changes it."""
    deviation: float
    """Its standard error."""

    def __post_init__(self) -> None:
        if not math.isfinite(self.elo) or not 0 < self.deviation < math.inf:
            raise ValueError(f"no evidence: {self.elo} ± {self.deviation}")


@dataclass(frozen=True, slots=True)
class Opposition:
    """Who was played: a rating and how sure that is."""

    value: float
    deviation: float = AGENT_DEVIATION


NEWCOMER = Rating(value=1000.0, deviation=WIDEST, volatility=0.06, games=0)
"""Everybody before their first rated game: between `easy` and `medium`, and open to both sides."""


def is_provisional(rating: Rating) -> bool:
    """Whether too little is known for the value to be taken at its word."""
    return rating.deviation > PROVISIONAL


def rating_at(record: RatingRecord, time: float) -> Rating:
    """A stored rating brought forward to a later time: less sure after an absence."""
    return after_absence(record.rating, time - record.updated_at)


def expected(rating: float, elo: float) -> float:
    """The points that a player of this rating makes on average in a game against `elo`."""
    return float(1 / (1 + 10 ** ((elo - rating) / 400)))


def after_game(
    rating: Rating, opposition: Opposition, score: float, evidence: Evidence | None = None
) -> Rating:
    """The rating after one game.

    While the rating is provisional, evidence counts as a second game of the same period, drawn
    against an opponent of the strength that the moves show: so a new player is met sooner, and
    who begins by losing on purpose is not taken for a beginner. Later only results count: moves
    tell careless players from weak ones badly, results do not (docs/adaptive.md). And results
    that are beyond expectation again and again make a rating provisional anew, so that whoever has
    improved is met within ten games.

    Args:
        rating: Before the game; `after_absence` comes first.
        opposition: Who was played.
        score: WIN, DRAW or LOSS.
        evidence: What the moves say, if anybody has looked at them.
    """
    surprise = FADING * rating.surprise + score - expected(rating.value, opposition.value)
    if abs(surprise) > STREAK:
        rating = replace(rating, deviation=max(rating.deviation, WIDER))
    played = [(opposition.value, opposition.deviation, score)]
    if evidence is not None and is_provisional(rating):
        played.append((evidence.elo, evidence.deviation, DRAW))
    after = after_period(rating, played)
    return replace(
        after,
        games=rating.games + 1,
        deviation=max(after.deviation, NIMBLE),
        surprise=surprise,
    )


def after_period(rating: Rating, played: list[tuple[float, float, float]]) -> Rating:
    """The rating after a period with games, each an opponent's value and deviation and the score.

    The count of games stays as it is. The deviation does not grow beyond WIDEST.
    """
    # Version 2.1.0 of the package has the square of the rating where the method has the square of
    # the deviation in the step that finds the volatility. Only differences of ratings matter to all
    # the rest, so everybody is moved to where the player's rating is as far from the centre as the
    # deviation is wide: there the two squares are one, and the package computes what was published.
    shift = _CENTRE + rating.deviation - rating.value
    player = Glicko(rating.value + shift, rating.deviation, rating.volatility)
    player.update_player(
        [value + shift for value, _, _ in played],
        [deviation for _, deviation, _ in played],
        [score for _, _, score in played],
    )
    return replace(
        rating,
        value=player.rating - shift,
        deviation=min(player.rd, WIDEST),
        volatility=player.vol,
    )


def after_absence(rating: Rating, seconds: float) -> Rating:
    """The rating after so long without games: the same value, less sure with every whole period.

    Each period widens the deviation by the volatility (the method's step 6), up to WIDEST.
    """
    periods = max(0.0, seconds) // PERIOD
    wider = math.hypot(rating.deviation, math.sqrt(periods) * rating.volatility * _SCALE)
    return replace(rating, deviation=min(wider, WIDEST))
