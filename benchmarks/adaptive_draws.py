"""Careers under the bot's rule, drawn for all types at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.adaptive_careers import GAMES, Outcomes
from benchmarks.adaptive_games import evidence
from benchmarks.adaptive_glicko import (
    Numbers,
    Places,
    Seen,
    Tuning,
    after_games,
    fitting_rungs,
    newcomers,
)
from benchmarks.adaptive_types import PlayerType
from engine.ladder import Ladder


@dataclass(frozen=True, slots=True)
class Table:
    """The outcomes of all games as arrays, indexed by style, rung and number of the game."""

    styles: Sequence[str]
    scores: Numbers
    evidence: Numbers
    deviations: Numbers
    counts: Places
    """How many games each style played against each rung."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Careers as arrays, indexed by type, career and game."""

    scores: Numbers
    elos: Numbers
    """The opponents' ratings."""
    ratings: Numbers
    """The players', after each game."""


def table_of(ladder: Ladder, outcomes: Outcomes) -> Table:
    """Build the arrays from the outcomes of each style against each rung."""
    styles = sorted({style for style, _ in outcomes})
    most = max(len(ones) for ones in outcomes.values())
    shape = (len(styles), len(ladder.rungs), most)
    scores, elos, deviations = (np.full(shape, np.nan) for _ in range(3))
    counts = np.zeros(shape[:2], np.int64)
    for (style, rung), ones in outcomes.items():
        at = styles.index(style), ladder.place_of(rung)
        counts[at] = len(ones)
        for number, one in enumerate(ones):
            scores[*at, number] = one.score
            found = evidence(ladder, one)
            if found is not None:
                elos[*at, number], deviations[*at, number] = found.elo, found.deviation
    return Table(styles, scores, elos, deviations, counts)


def draw(
    players: Sequence[PlayerType],
    ladder: Ladder,
    table: Table,
    careers: int,
    seed: int,
    tuning: Tuning | None = None,
) -> Drawn:
    """Draw this many `careers` of every type under the rule `auto`."""
    tuning = tuning or Tuning()
    rng = np.random.default_rng(seed)
    elos = np.array([rung.elo for rung in ladder.rungs])
    own = np.array([[table.styles.index(style) for style in p.styles] for p in players])
    own = np.repeat(own, careers, axis=0)
    everybody = np.arange(len(own))
    shares = np.array([[p.share(number + 1) for number in range(GAMES)] for p in players])
    many, last = newcomers(len(own), tuning), None
    scores, met, ratings = (np.empty((len(own), GAMES)) for _ in range(3))
    for number in range(GAMES):
        second = rng.random(len(own)) < np.repeat(shares[:, number], careers)
        style = own[everybody, second.astype(np.int64)]
        last = fitting_rungs(ladder, many, last, tuning)
        which = (rng.random(len(own)) * table.counts[style, last]).astype(np.int64)
        at = (style, last, which)
        seen = Seen(elos[last], table.scores[at], table.evidence[at], table.deviations[at])
        many = after_games(many, seen, tuning)
        scores[:, number], met[:, number], ratings[:, number] = seen.score, seen.elo, many.value
    shape = (len(players), careers, GAMES)
    return Drawn(scores.reshape(shape), met.reshape(shape), ratings.reshape(shape))
