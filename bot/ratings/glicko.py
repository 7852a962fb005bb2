"""Ratings of players: Glicko-2 with a rating period for each game, and the number people see.

Mark E. Glickman, "Example of the Glicko-2 system" (2013), through the package `glicko2`. Values and
deviations are Elo points on the scale of the engine's ladders.

The rating is an estimate that `auto` goes by. It listens to moves as well, and forgets what it knew
after surprises, so it may rise after a defeat or leap by hundreds. The number that people see
follows from their results alone: decision 0045 in docs/decisions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from glicko2 import Player as Glicko

from bot.store.records import Rating, RatingRecord
from engine.strength.ladder import MEDIUM, Ladder

PLACEMENT = 5
"""How many games on a ladder are placement: there is no number before the last of them is over."""

MOST, LEAST = 60.0, 24.0
"""What a win against a far stronger opponent adds: as much as MOST while the estimate is
uncertain, never less than LEAST."""


@dataclass(frozen=True, slots=True)
class Placement:
    """How far a player is with their placement games."""

    game: int
    """The latest one, counted from 1; 0 before the first."""
    of: int = PLACEMENT


def placement(rating: Rating | None) -> Placement | None:
    """How far placement is; None once there is a number."""
    if rating is None:
        return Placement(0)
    return Placement(rating.games) if rating.shown is None else None


def number_of(rating: Rating) -> float:
    """What a game against this player is rated by: the number, before there is one the estimate."""
    return rating.value if rating.shown is None else rating.shown


def number_after(
    before: Rating,
    after: Rating,
    opponent: float,
    score: float,
    within: tuple[float, float] = (-math.inf, math.inf),
) -> float | None:
    """The number after a game; None while placement lasts.

    It begins as the estimate does when placement ends. From then on a win never lowers it and a
    defeat never raises it.

    Args:
        before: The rating before the game.
        after: The estimate after it.
        opponent: As whom the other side counts.
        score: WIN, DRAW or LOSS.
        within: The lowest and highest number that there is.
    """
    if before.shown is None:
        return after.value if after.games >= PLACEMENT else None
    change = step(before.deviation) * (score - expected(before.shown, opponent))
    return min(max(before.shown + change, within[0]), within[1])


def step(deviation: float) -> float:
    """How many points a whole surprise is worth, by how uncertain the estimate is.

    This is Glicko's own step to the first order, within limits.
    """
    return min(max(deviation**2 * math.log(10) / 400, LEAST), MOST)


WEEK = 7 * 86_400.0

AWAY = 60.0
"""By how much a week away widens the deviation, in quadrature: people forget, or practise."""

BEYOND = 50.0
"""How far a rating may lie beyond the ends of its ladder, where there are no opponents."""

MAXIMUM_DEVIATION = 350.0
"""Neither absence nor a game widens a deviation beyond this."""

PROVISIONAL = 110.0
"""A rating with a deviation above this is provisional: about the first nine games."""

AGENT_DEVIATION = 30.0
"""The deviation of an agent's rating, which was measured in thousands of games."""

MINIMUM_DEVIATION = 80.0
"""The floor of every deviation, so that ratings stay nimble."""

FADING, STREAK, REOPENED_DEVIATION = 0.8, 1.5, 350.0
"""After each game the sum of earlier surprises fades by this factor. If the sum, in points, exceeds
STREAK, the rating is taken to be out of date, and its deviation is raised to REOPENED_DEVIATION.
With fair coins the sum has a deviation of 0.83, so STREAK is 1.8 of these."""

WIN, DRAW, LOSS = 1.0, 0.5, 0.0

_CENTRE = 1500.0
"""The rating that is 0 on that scale."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a player's moves in one game say about their strength, independent of its result.

    Raises ValueError for figures that no rating could be computed with.
    """

    elo: float
    """A robust estimate: one bad move among many good ones hardly affects it."""
    deviation: float
    """Its standard error."""

    def __post_init__(self) -> None:
        if not math.isfinite(self.elo) or not 0 < self.deviation < math.inf:
            raise ValueError(f"no evidence: {self.elo} ± {self.deviation}")


@dataclass(frozen=True, slots=True)
class Opposition:
    """An opponent's rating, and how certain it is."""

    value: float
    deviation: float = AGENT_DEVIATION


NEWCOMER = Rating(value=850.0, deviation=600.0, volatility=0.06, games=0)
"""The rating before the first rated game on a long ladder: near `easy`, and wider open than any
other, so that the first results count most."""


def newcomer(ladder: Ladder) -> Rating:
    """The rating before the first rated game on a ladder.

    Where the ladder hardly goes further down, it is half way between the lowest rung and `medium`.
    """
    half_way = (ladder.rungs[0].elo + ladder.named(MEDIUM).elo) / 2
    return replace(NEWCOMER, value=max(NEWCOMER.value, half_way))


def is_provisional(rating: Rating) -> bool:
    """Whether too little is known yet to trust the value."""
    return rating.deviation > PROVISIONAL


def rating_at(record: RatingRecord, time: float) -> Rating:
    """A stored rating brought forward to a later time: less certain after an absence."""
    return after_absence(record.rating, time - record.updated_at)


def expected(rating: float, elo: float) -> float:
    """The expected score of a player of this rating in a game against `elo`."""
    return float(1 / (1 + 10 ** ((elo - rating) / 400)))


def after_game(
    rating: Rating,
    opposition: Opposition,
    score: float,
    evidence: Evidence | None = None,
    within: tuple[float, float] = (-math.inf, math.inf),
) -> Rating:
    """The rating after one game.

    While the rating is provisional, evidence counts as a second game of the same period, drawn
    against an opponent of the strength that the moves show. So new players get even games sooner,
    and a player who starts by losing on purpose is not taken for a beginner. Later only results
    count: moves do not tell a careless player from a weak one, results do (docs/adaptive.md).
    A streak of surprising results makes a rating provisional again, so that a player who has
    improved gets even games within ten games.

    Args:
        rating: Before the game, with `after_absence` already applied.
        opposition: The opponent.
        score: WIN, DRAW or LOSS.
        evidence: What the moves say, if they were judged.
        within: The lowest and highest rating that there is.
    """
    surprise = FADING * rating.surprise + score - expected(rating.value, opposition.value)
    if abs(surprise) > STREAK:
        rating = replace(rating, deviation=max(rating.deviation, REOPENED_DEVIATION))
    played = [(opposition.value, opposition.deviation, score)]
    if evidence is not None and is_provisional(rating):
        played.append((evidence.elo, evidence.deviation, DRAW))
    after = after_period(rating, played)
    return replace(
        after,
        value=min(max(after.value, within[0]), within[1]),
        games=rating.games + 1,
        deviation=max(after.deviation, MINIMUM_DEVIATION),
        surprise=surprise,
    )


def after_period(rating: Rating, played: list[tuple[float, float, float]]) -> Rating:
    """The rating after a period of games, each given as (value, deviation, score).

    The count of games is left alone. The deviation does not grow beyond MAXIMUM_DEVIATION.
    """
    # Version 2.1.0 of the package has the square of the rating where the method has the square of
    # the deviation in the step that finds the volatility. All else depends only on differences of
    # ratings, so all of them are shifted until the player's distance from the centre equals the
    # deviation: there the two squares agree, and the package computes what was published.
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
        deviation=min(player.rd, MAXIMUM_DEVIATION),
        volatility=player.vol,
    )


def after_absence(rating: Rating, seconds: float) -> Rating:
    """The rating after a time without games: the same value, less certain with every whole week.

    The deviation grows up to the maximum, as in the method's step 6; but by AWAY a week, since the
    volatility there is meant for players who are known by many more games than people play here.
    """
    weeks = max(0.0, seconds) // WEEK
    wider = math.hypot(rating.deviation, math.sqrt(weeks) * AWAY)
    return replace(rating, deviation=min(wider, MAXIMUM_DEVIATION))


def limits_of(ladder: Ladder) -> tuple[float, float]:
    """The lowest and highest rating on a ladder."""
    return ladder.rungs[0].elo - BEYOND, ladder.rungs[-1].elo + BEYOND
