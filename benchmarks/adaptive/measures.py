"""Quality of careers: even games, no series of losses, ratings that settle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import fmean, pvariance

from benchmarks.adaptive.careers import Career, Climber
from benchmarks.adaptive.characters import EXPERT
from benchmarks.adaptive.games import Strength
from benchmarks.adaptive.people import IMPROVES_AFTER, Kind
from bot.ratings.glicko import PLACEMENT
from engine.core.game import Player

WEAK = 600.0
"""Elo points below which a rung may more often miss a win."""
EVEN, FAIR = 0.5, 0.1
"""The score of an even game, and the tolerance for the mean of a kind."""
FIRST, SETTLED = slice(0, 10), slice(10, 30)
"""Games 1 to 10, and games 11 to 30, in which a rating should have settled."""
Strengths = Mapping[str, Strength]


@dataclass(frozen=True, slots=True)
class Target:
    """A target for a figure, and whether it is a minimum."""

    name: str
    limit: float
    is_share: bool = False
    is_least: bool = False

    def is_met(self, value: float) -> bool:
        """Whether a figure meets this target."""
        return value >= self.limit if self.is_least else value <= self.limit


TARGETS = {
    "settled": Target("games 11–30: mean distance from ½, without sampling noise", 0.03),
    "within": Target("kinds within 0.40..0.60", 0.90, is_share=True, is_least=True),
    "first": Target("games 1–10: mean distance from ½", 0.06),
    "three": Target("three losses to begin with", 0.08, is_share=True),
    "five_early": Target("five losses in a row in games 1–10", 0.05, is_share=True),
    "five": Target("five losses in a row in thirty games", 0.15, is_share=True),
    "unsure": Target("provisional after game 10", 0.20, is_share=True),
    "single": Target("a single game’s chance from ½", 0.105),
    "change": Target("most points by which one game changes an estimate", 150.0),
    "improved": Target("games until improvers are met again", 12.0),
    "climbers": Target("mean score of players who improve by 20 a game", 0.62),
    "expert": Target("games until a player as strong as perfect meets it", 10.0),
    "gifts": Target("games won in which the opponent had missed a win", 0.04, is_share=True),
    "weak_gifts": Target(f"the same against rungs below {WEAK:.0f}", 0.10, is_share=True),
}
"""The figures with their targets."""


def mean_score(careers: Sequence[Career], games: slice) -> float:
    """The mean score of a kind over some of its games."""
    return fmean(game.score for career in careers for game in career[games])


def figures(
    careers: Mapping[str, Sequence[Career]], kinds: Sequence[Kind], strengths: Strengths
) -> dict[str, float]:
    """The figures of TARGETS, over the careers of every kind."""
    people = [kind for kind in kinds if kind.is_human]
    steady = {kind.name: careers[kind.name] for kind in people if not kind.improves}
    every = [career for own in steady.values() for career in own]
    settled = [abs(mean_score(own, SETTLED) - EVEN) for own in steady.values()]
    first = [abs(mean_score(own, FIRST) - EVEN) for own in steady.values()]
    late = [game for career in every for game in career[SETTLED]]
    climbing = [kind.name for kind in kinds if isinstance(kind, Climber)]
    better = [kind.name for kind in people if kind.improves and kind.name not in climbing]
    climbed = [mean_score(careers[name], slice(None)) for name in climbing]
    won = [game for career in every for game in career if game.score == 1.0]
    chances = [
        expected_score(career, number, strengths)
        for career in every
        for number in range(SETTLED.start, SETTLED.stop)
    ]
    return {
        "settled": fmean(without_noise(own, SETTLED) for own in steady.values()),
        "within": fmean(distance <= FAIR for distance in settled),
        "first": fmean(first),
        "three": fmean(longest_loss(career[:3]) == 3 for career in every),
        "five_early": fmean(longest_loss(career[FIRST]) >= 5 for career in every),
        "five": fmean(longest_loss(career) >= 5 for career in every),
        "unsure": fmean(game.unsure for game in late),
        "single": fmean(abs(chance - EVEN) for chance in chances),
        "change": max(map(largest_change, every)),
        "improved": _mean(games_until_met(careers[name]) for name in better),
        "climbers": _mean(climbed),
        "expert": _mean(map(games_until_perfect, careers.get(EXPERT, ()))),
        "gifts": _mean(game.missed_win for game in won),
        "weak_gifts": _mean(game.missed_win for game in won if game.rung.elo < WEAK),
    }


def _mean(values: Iterable[float]) -> float:
    """The mean of some figures; not a number if there are none."""
    found = list(values)
    return fmean(found) if found else float("nan")


def without_noise(careers: Sequence[Career], games: slice) -> float:
    """The distance of a mean score from one half, less what chance alone adds on average."""
    scores = [game.score for career in careers for game in career[games]]
    distance = fmean(scores) - EVEN
    return float(max(distance**2 - pvariance(scores) / len(scores), 0.0) ** 0.5)


def largest_change(career: Career) -> float:
    """The most points by which one game after placement changed the estimate."""
    settled = career[PLACEMENT:]
    return max((abs(b.rating - a.rating) for a, b in pairwise(settled)), default=0.0)


def games_until_perfect(career: Career) -> int:
    """The number of the first game against the strongest opponent of the career."""
    top = max(game.rung.elo for game in career)
    return next(n for n, game in enumerate(career, 1) if game.rung.elo == top)


def longest_loss(career: Career) -> int:
    """The length of the longest series of losses."""
    runs = [len(list(own)) for lost, own in groupby(career, lambda g: g.score == 0) if lost]
    return max(runs, default=0)


def expected_score(career: Career, number: int, strengths: Strengths) -> float:
    """The expected score of a game by the strength of the style on this ladder."""
    game = career[number]
    return strengths[game.style].expected_score(game.rung.elo, is_first=game.seat is Player.FIRST)


def games_until_met(careers: Sequence[Career]) -> int:
    """The number of games until players who improved get even games again.

    The last of the first three consecutive games with a fair mean, counted from the change; all
    games if there are none.
    """
    count = len(careers[0])
    means = [fmean(career[n].score for career in careers) for n in range(count)]
    for end in range(IMPROVES_AFTER + 3, count + 1):
        if abs(fmean(means[end - 3 : end]) - EVEN) <= FAIR:
            return end - IMPROVES_AFTER
    return count - IMPROVES_AFTER
