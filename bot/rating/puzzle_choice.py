"""Which puzzle somebody gets next, and which one is the puzzle of a day."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from random import Random

from bot.rating.size_classes import SizeClass, class_of, classes_of
from bot.store import PuzzleTry
from engine.core.registry import games
from engine.study.puzzles import Puzzle, has_puzzles, puzzles_in

SPREAD = 80.0
"""The standard deviation, in points, of how far from the rating a puzzle is looked for."""
AMONG = 8
"""How many of the puzzles nearest to that one is drawn from."""
NEAR = 300.0
"""Puzzles within so many points of a rating are near it; all are new before one comes again."""
LEAST_NEAR = 40
"""So many of the nearest are near in any case: ratings go beyond those of the puzzles."""
MIDDLE = (0.2, 0.8)
"""Which part of the puzzles, by their ratings, days have theirs from: anybody may try them."""
SHARE = 2
"""One in so many of these is kept for days, and given to nobody before."""
DAY = 86_400.0


def day_of(time: float) -> int:
    """The day of a time, counted from 1970 on, in UTC."""
    return int(time // DAY)


@cache
def classes_with_puzzles(family: str) -> tuple[SizeClass, ...]:
    """The size classes of a family for which there are puzzles."""
    return tuple(size for size in classes_of(family) if has_puzzles(size.ladder))


def usual_class(family: str) -> SizeClass | None:
    """The size class of a family's usual board; another one if that has no puzzles."""
    found = classes_with_puzzles(family)
    usual = class_of(family, games()[family].usual)
    return usual if usual in found else next(iter(found), None)


def for_days(puzzles: Sequence[Puzzle]) -> tuple[Puzzle, ...]:
    """The puzzles that are kept for days, in the order of their days.

    The order is by chance and always the same, and after the last comes the first again.
    """
    ranked = sorted(puzzles, key=lambda one: (one.rating, one.id))
    low, high = (round(part * len(ranked)) for part in MIDDLE)
    chances = [(sha256(one.id.encode()).digest(), one) for one in ranked[low:high]]
    kept = [(chance, one) for chance, one in chances if chance[-1] % SHARE == 0]
    return tuple(one for _, one in sorted(kept or chances, key=lambda found: found[0]))


@cache
def _days(ladder: str) -> tuple[Puzzle, ...]:
    return for_days(puzzles_in(ladder))


def puzzle_of_day(family: str, day: int) -> Puzzle | None:
    """The puzzle of a day, the same in every process; None for a family without puzzles."""
    usual = usual_class(family)
    days = _days(usual.ladder) if usual else ()
    return days[day % len(days)] if days else None


def next_puzzle(ladder: str, tried: Sequence[PuzzleTry], rating: float, rng: Random) -> Puzzle:
    """The puzzle that somebody gets next; there have to be some on the ladder.

    Args:
        ladder: Which game and size class.
        tried: The person's tries there, those they had longest ago first.
        rating: How strong the person is at puzzles.
        rng: Chance.
    """
    kept = {one.id for size in _usual(ladder) for one in _days(size.ladder)}
    free = [one for one in puzzles_in(ladder) if one.id not in kept]
    return choose(free or puzzles_in(ladder), tried, rating, rng)


def choose(
    puzzles: Sequence[Puzzle], tried: Sequence[PuzzleTry], rating: float, rng: Random
) -> Puzzle:
    """One of these puzzles, by the arguments of `next_puzzle`.

    The one that the person left open; else a new one near their rating; else one of those near it
    that they had longest ago.
    """
    known = {one.id: one for one in puzzles}
    had = [one for one in tried if one.puzzle in known]
    left_open = [one for one in had if one.settled_at is None]
    if left_open:
        return known[left_open[-1].puzzle]
    near = _near(puzzles, rating)
    seen = {one.puzzle for one in had}
    new = [one for one in near if one.id not in seen]
    if new:
        aim = rng.gauss(rating, SPREAD)
        return rng.choice(sorted(new, key=lambda one: abs(one.rating - aim))[:AMONG])
    ids = {one.id for one in near}
    oldest = [one.puzzle for one in had if one.puzzle in ids]
    return known[rng.choice(oldest[: min(AMONG, -(-len(oldest) // 2))])]


def _near(puzzles: Sequence[Puzzle], rating: float) -> list[Puzzle]:
    nearest = sorted(puzzles, key=lambda one: abs(one.rating - rating))
    within = sum(abs(one.rating - rating) <= NEAR for one in nearest)
    return nearest[: max(within, LEAST_NEAR)]


def _usual(ladder: str) -> list[SizeClass]:
    """The class of a ladder, if days have their puzzles from it."""
    usual = filter(None, map(usual_class, games()))
    return [size for size in usual if size.ladder == ladder]
