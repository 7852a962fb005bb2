"""Ratings of players: Glicko-2 with a rating period for each game, and the public number.

Mark E. Glickman, "Example of the Glicko-2 system" (2013), through the package `glicko2`. Values and
deviations are Elo points on the scale of the engine's ladders.

The rating is an estimate that `auto` uses. It also takes moves into account and becomes less
certain after surprises, so it may rise after a defeat or jump by hundreds of points. The number
that people see depends on their results alone: decision 0045 in docs/decisions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from glicko2 import Player as Glicko

from bot.store.records import Rating, RatingRecord
from engine.strength.ladder import MEDIUM, Ladder

PLACEMENT = 5
"""The number of placement games on a ladder; players have no number before they are over."""

MAX_STEP, MIN_STEP = 60.0, 24.0
"""The points for a win against a far stronger opponent: up to MOST while the estimate is uncertain,
and at least LEAST."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A player's progress in their placement games."""

    game: int
    """The latest game, counted from 1; 0 before the first."""
    of: int = PLACEMENT


def placement(rating: Rating | None) -> Placement | None:
    """The progress of placement; None once there is a number."""
    if rating is None:
        return Placement(0)
    return Placement(rating.games) if rating.shown is None else None


def number_of(rating: Rating) -> float:
    """The value by which a game against this player is rated: the number, or else the estimate."""
    return rating.value if rating.shown is None else rating.shown


def number_after(
    before: Rating,
    after: Rating,
    opponent: float,
    score: float,
    within: tuple[float, float] = (-math.inf, math.inf),
) -> float | None:
    """The number after a game; None during placement.

    It starts at the estimate at the end of placement. After that, a win never lowers it and a
    defeat never raises it.

    Args:
        before: The rating before the game.
        after: The estimate after it.
        opponent: The opponent's value.
        score: WIN, DRAW or LOSS.
        within: The lowest and highest possible number.
    """
    if before.shown is None:
        return after.value if after.games >= PLACEMENT else None
    change = step_size(before.deviation) * (score - expected(before.shown, opponent))
    return min(max(before.shown + change, within[0]), within[1])


def step_size(deviation: float) -> float:
    """The points for a full surprise, given the deviation of the estimate.

    This is Glicko's step to first order, within limits.
    """
    return min(max(deviation**2 * math.log(10) / 400, MIN_STEP), MAX_STEP)


WEEK = 7 * 86_400.0

ABSENCE_GROWTH = 60.0
"""The growth of the deviation per week of absence, in quadrature: people forget, or practise."""

LADDER_MARGIN = 50.0
"""The distance by which a rating may exceed the ends of its ladder, where no opponents are."""

MAXIMUM_DEVIATION = 350.0
"""The upper limit of every deviation after the first game."""

PROVISIONAL = 110.0
"""A rating with a deviation above this is provisional: about the first nine games."""

AGENT_DEVIATION = 30.0
"""The deviation of an agent's rating, which was measured in thousands of games."""

MINIMUM_DEVIATION = 80.0
"""The lower limit of every deviation, so that ratings stay responsive."""

FIRST_GAMES = 10
"""The number of games after which a rating has usually settled."""

MAX_CHANGE = 150.0
"""The most points by which one game changes an estimate after placement."""

FADING, STREAK = 0.8, 1.6
"""After each game the sum of earlier surprises is multiplied by FADING. If the sum, in points,
exceeds STREAK, the rating counts as out of date: its deviation is raised, and the sum begins at 0
again, so that one streak has one effect. With fair coins the sum has a standard deviation of 0.83,
so STREAK is nearly two of these."""

REOPENED_DEVIATION, REOPENED_EARLY = 200.0, 350.0
"""The deviation after a streak, and after one in the FIRST_GAMES."""

CALM, MOMENTUM = 0.5, 20.0
"""A rating rises by MOMENTUM points for each point of surprise beyond CALM: players who improve
a little with each game would otherwise stay ahead of their ratings. Few get worse like that."""

WIN, DRAW, LOSS = 1.0, 0.5, 0.0

_CENTRE = 1500.0
"""The rating that is 0 on Glicko-2's scale."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a player's moves in one game say about their strength, independent of its result.

    Raises ValueError for figures from which no rating can be computed.
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
"""The rating of an unknown person; the deviation is the largest, so first results count most.
The value is that on ladders for which nothing is known about people."""


def newcomer(ladder: Ladder) -> Rating:
    """The rating of an unknown person on a ladder: that of the average person.

    Without figures about people, it is at least half way between the lowest rung and `medium`.
    """
    if ladder.people is not None:
        return replace(NEWCOMER, value=ladder.people.mean)
    half_way = (ladder.rungs[0].elo + ladder.named(MEDIUM).elo) / 2
    return replace(NEWCOMER, value=max(NEWCOMER.value, half_way))


def is_provisional(rating: Rating) -> bool:
    """Whether the value is too uncertain to be trusted."""
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
    and a player who loses on purpose at first does not count as a beginner. Later only results
    count, because moves do not distinguish careless players from weak ones (docs/adaptive.md).
    A streak of surprising results makes a rating provisional again, so that a player who has
    improved gets even games within ten games. After placement one game changes a rating by
    MAX_CHANGE at most.

    Args:
        rating: Before the game, with `after_absence` already applied.
        opposition: The opponent.
        score: WIN, DRAW or LOSS.
        evidence: The estimate from the moves, if they were judged.
        within: The lowest and highest possible rating.
    """
    surprise = FADING * rating.surprise + _surprise(rating, opposition, score)
    if abs(surprise) > STREAK:
        wide = REOPENED_EARLY if rating.games < FIRST_GAMES else REOPENED_DEVIATION
        rating = replace(rating, deviation=max(rating.deviation, wide))
        surprise = 0.0
    played = [(opposition.value, opposition.deviation, score)]
    if evidence is not None and is_provisional(rating):
        played.append((evidence.elo, evidence.deviation, DRAW))
    after = after_period(rating, played)
    change = after.value - rating.value + MOMENTUM * max(surprise - CALM, 0.0)
    return replace(
        after,
        value=_value_after(rating, change, within),
        games=rating.games + 1,
        deviation=max(after.deviation, MINIMUM_DEVIATION),
        surprise=surprise,
    )


def after_moves(
    rating: Rating,
    evidence: Evidence | None,
    within: tuple[float, float] = (-math.inf, math.inf),
) -> Rating:
    """The rating after a game whose result says nothing: the moves count while it is provisional.

    Args:
        rating: Before the game, with `after_absence` already applied.
        evidence: The estimate from the moves that the player found alone, if they were judged.
        within: The lowest and highest possible rating.
    """
    if evidence is None or not is_provisional(rating):
        return rating
    after = after_period(rating, [(evidence.elo, evidence.deviation, DRAW)])
    return replace(after, value=_value_after(rating, after.value - rating.value, within))


def _value_after(rating: Rating, change: float, within: tuple[float, float]) -> float:
    """The value after a game: a change is limited after placement, and a value always."""
    if rating.games >= PLACEMENT:
        change = min(max(change, -MAX_CHANGE), MAX_CHANGE)
    return min(max(rating.value + change, within[0]), within[1])


def _surprise(rating: Rating, opposition: Opposition, score: float) -> float:
    """By how much a score exceeds expectation.

    A loss to a weaker opponent counts as one to an equal: `auto` is weaker after losses, and that
    must not make a streak longer.
    """
    chance = expected(rating.value, opposition.value)
    return score - (min(chance, DRAW) if score == LOSS else chance)


def after_period(rating: Rating, played: list[tuple[float, float, float]]) -> Rating:
    """The rating after a period of games, each given as (value, deviation, score).

    The number of games does not change. The deviation does not exceed MAXIMUM_DEVIATION.
    """
    # In the step that finds the volatility, version 2.1.0 of the package uses the square of the
    # rating instead of the square of the deviation. Everything else depends only on differences of
    # ratings, so all ratings are shifted until the player's distance from the centre equals the
    # deviation: then the two squares are equal and the result is that of the published method.
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
    """The rating after a time without games: the same value, with a deviation that grows each week.

    The deviation grows up to the maximum, as in the method's step 6, but by AWAY per week: the
    volatility used there is meant for players with many more games than people play here.
    """
    weeks = max(0.0, seconds) // WEEK
    wider = math.hypot(rating.deviation, math.sqrt(weeks) * ABSENCE_GROWTH)
    # Before the first game the deviation is above the maximum.
    return replace(rating, deviation=min(wider, max(MAXIMUM_DEVIATION, rating.deviation)))


def limits_of(ladder: Ladder) -> tuple[float, float]:
    """The lowest and highest rating on a ladder."""
    return ladder.rungs[0].elo - LADDER_MARGIN, ladder.rungs[-1].elo + LADDER_MARGIN
