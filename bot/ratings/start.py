"""The rating with which a person begins on a ladder.

It comes from their rating on another ladder, else from what they said about how often they play,
else it is that of the average person. Positions on two ladders correspond if as many people are
below them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from bot.ratings.glicko import NEWCOMER, limits_of, newcomer, rating_at
from bot.store.records import Background, Experience, Rating, RatingRecord
from engine.core.package import Population
from engine.strength.ladder import Ladder, ladder_named

TRANSFER = 250.0
"""The deviation of a rating that is taken from another ladder, if that one were certain."""

STANDING = {
    Experience.FIRST: -1.2,
    Experience.SOMETIMES: -0.3,
    Experience.OFTEN: 0.5,
    Experience.CLUB: 1.5,
}
"""How far from the average people are who give an answer, in standard deviations of people."""

ANSWERED = 450.0
"""The deviation of a rating that is based on an answer alone."""


def rating_on(ladder: Ladder, name: str, known: Background, at: float) -> Rating:
    """A person's rating on the ladder of this name at a time, or the one to begin with."""
    record = known.ratings.get(name)
    return starting_rating(ladder, known) if record is None else rating_at(record, at)


def starting_rating(ladder: Ladder, known: Background) -> Rating:
    """The rating before the first rated game on a ladder, by what is known about the person."""
    here = ladder.people
    if here is None:
        return newcomer(ladder)
    low, high = limits_of(ladder)
    found = min(_elsewhere(known), key=lambda one: one[0].rating.deviation, default=None)
    if found is not None:
        record, there = found
        scale = here.deviation / there.deviation
        value = here.mean + scale * (record.rating.value - there.mean)
        wide = min(math.hypot(scale * record.rating.deviation, TRANSFER), NEWCOMER.deviation)
        return replace(NEWCOMER, value=min(max(value, low), high), deviation=wide)
    standing = None if known.experience is None else STANDING.get(known.experience)
    if standing is None:
        return newcomer(ladder)
    value = here.mean + standing * here.deviation
    return replace(NEWCOMER, value=min(max(value, low), high), deviation=ANSWERED)


def _elsewhere(known: Background) -> Iterator[tuple[RatingRecord, Population]]:
    """The ratings on ladders for which the ratings of people are known, with these."""
    for name, record in known.ratings.items():
        ladder = ladder_named(name)
        if ladder is not None and ladder.people is not None:
            yield record, ladder.people
