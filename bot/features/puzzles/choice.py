"""The choice of puzzles: a person's next one, and those of days."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from random import Random

from bot.features.puzzles.store import PuzzleTry
from bot.ratings.levels import SizeClass, class_of, classes_of
from engine.core.registry import games
from engine.study.puzzles import Puzzle, PuzzleKind, has_puzzles, puzzles_in
from engine.study.puzzles import puzzle as puzzle_called
from engine.study.themes import Theme

SPREAD = 80.0
"""The standard deviation, in points, of the difference between a person's rating and the aim."""

AMONG = 8
"""The number of nearest puzzles from which one is drawn."""

NEAR = 300.0
"""Puzzles within this many points of a rating are near it; none is repeated before the others."""

MIN_NEAR = 40
"""The nearest puzzles that count as near in any case: ratings exceed those of the puzzles."""

MIDDLE = (0.2, 0.8)
"""The part of the puzzles, by rating, from which puzzles of the day are taken."""

SHARE = 2
"""One in this many of these is reserved as a puzzle of the day, and not given out otherwise."""

FIRST_WINS = 30
"""A person's first puzzles on a ladder, which are all plain wins."""

EXPERT = 1500.0
"""The rating at puzzles from which a person is given those that ask one move, and defences whose
point is far away."""

FAR = 6
"""The most moves that the refutation of a wrong defence may take for all others."""

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


def is_given(puzzle: Puzzle) -> bool:
    """Whether a puzzle is still given to anyone.

    Refutations that end before the win is seen are not, nor positions from other solutions.
    """
    is_seen = puzzle.forced > 0 or puzzle.kind is PuzzleKind.HOLD
    return is_seen and not puzzle.within


def suits(puzzle: Puzzle, rating: float) -> bool:
    """Whether a person of a rating may be given a puzzle."""
    if not is_given(puzzle):
        return False
    is_far = puzzle.kind is PuzzleKind.HOLD and puzzle.distance > FAR
    return rating >= EXPERT or (puzzle.clicks > 1 and not is_far)


def suiting(
    puzzles: Sequence[Puzzle], rating: float, had: int, theme: Theme | None = None
) -> list[Puzzle]:
    """The puzzles that a person who `had` some before may be given, of a theme if there is one."""
    if theme is not None:
        puzzles = [one for one in puzzles if theme in one.themes]
    fits: list[Callable[[Puzzle], bool]] = [lambda one: suits(one, rating), is_given]
    if had < FIRST_WINS and theme is None:
        fits.insert(0, lambda one: one.is_plain_win and not one.within)
    return next(filter(None, (list(filter(fit, puzzles)) for fit in fits)), list(puzzles))


def puzzles_of_theme(ladder: str, theme: Theme) -> list[Puzzle]:
    """The puzzles of a theme that are given on a ladder."""
    return [one for one in puzzles_in(ladder) if theme in one.themes and is_given(one)]


def for_days(puzzles: Sequence[Puzzle]) -> tuple[Puzzle, ...]:
    """The puzzles that are reserved for days, in the order of the days.

    All are plain wins. The order is random but always the same, without two from one game in a row,
    and starts over after the last one.
    """
    plain = [one for one in puzzles if one.is_plain_win and not one.within]
    ranked = sorted(plain, key=lambda one: (one.rating, one.id))
    low, high = (round(part * len(ranked)) for part in MIDDLE)
    chances = [(sha256(one.id.encode()).digest(), one) for one in ranked[low:high]]
    kept = [(chance, one) for chance, one in chances if chance[-1] % SHARE == 0]
    return _apart([one for _, one in sorted(kept or chances, key=lambda found: found[0])])


def _apart(puzzles: Sequence[Puzzle]) -> tuple[Puzzle, ...]:
    """The puzzles in the same order, but for those that would follow one from the same game."""
    left, found = list(puzzles), list[Puzzle]()
    while left:
        latest = found[-1].source if found else None
        at = next((n for n, one in enumerate(left) if not is_same_game(one, latest)), 0)
        found.append(left.pop(at))
    return tuple(found)


def is_same_game(puzzle: Puzzle, source: str | None) -> bool:
    """Whether a puzzle is from the game that `source` names."""
    return bool(source) and puzzle.source == source


@cache
def days_of(ladder: str) -> tuple[Puzzle, ...]:
    """The puzzles of days on a ladder."""
    return for_days(puzzles_in(ladder))


def puzzle_of_day(family: str, day: int) -> Puzzle | None:
    """The puzzle of a day, the same in every process; None for a family without puzzles."""
    usual = usual_class(family)
    days = days_of(usual.ladder) if usual else ()
    return days[day % len(days)] if days else None


def next_puzzle(
    ladder: str,
    tried: Sequence[PuzzleTry],
    rating: float,
    now: float,
    rng: Random,
    theme: Theme | None = None,
) -> Puzzle:
    """A person's next puzzle; there have to be some on the ladder, of the theme if one is given.

    Args:
        ladder: Which game and size class.
        tried: The person's tries there, the ones longest ago first.
        rating: The person's rating at puzzles.
        now: The time.
        rng: Random numbers.
        theme: What the person wants to train; None for anything.
    """
    kept = {one.id for size in _usual(ladder) for one in days_of(size.ladder)}
    every = suiting(puzzles_in(ladder), rating, len(tried), theme)
    free = [one for one in every if one.id not in kept]
    return choose(free or every, tried, rating, now, rng)


def choose(
    puzzles: Sequence[Puzzle],
    tried: Sequence[PuzzleTry],
    rating: float,
    now: float,
    rng: Random,
    *,
    apart: bool = True,
) -> Puzzle:
    """One of these puzzles, by the arguments of `next_puzzle`.

    The one that the person left open; otherwise one that returns; otherwise a new one near their
    rating; otherwise one of those near it that they had longest ago. If `apart`, two from one game
    do not follow each other, unless there are no others.
    """
    known = {one.id: one for one in puzzles}
    had = [one for one in tried if one.puzzle in known]
    left_open = [one for one in had if one.settled_at is None]
    if left_open:
        return known[left_open[-1].puzzle]
    latest = _source(tried) if apart else None
    others = [one for one in puzzles if not is_same_game(one, latest)] or list(puzzles)
    ids = {one.id for one in others}
    due = [one for one in had if one.puzzle in ids and one.is_due(now)]
    if due:
        return known[min(due, key=lambda one: one.returns_at or 0.0).puzzle]
    near = _near(others, rating)
    seen = {one.puzzle for one in had}
    new = [one for one in near if one.id not in seen]
    if new:
        aim = rng.gauss(rating, SPREAD)
        return rng.choice(sorted(new, key=lambda one: abs(one.rating - aim))[:AMONG])
    ids = {one.id for one in near}
    oldest = [one.puzzle for one in had if one.puzzle in ids]
    return known[rng.choice(oldest[: min(AMONG, -(-len(oldest) // 2))])]


def _source(tried: Sequence[PuzzleTry]) -> str | None:
    """The game of the puzzle that a person had last."""
    last = puzzle_called(tried[-1].puzzle) if tried else None
    return None if last is None else last.source


def _near(puzzles: Sequence[Puzzle], rating: float) -> list[Puzzle]:
    nearest = sorted(puzzles, key=lambda one: abs(one.rating - rating))
    within = sum(abs(one.rating - rating) <= NEAR for one in nearest)
    return nearest[: max(within, MIN_NEAR)]


def _usual(ladder: str) -> list[SizeClass]:
    """The class of a ladder, if puzzles of the day are taken from it."""
    usual = filter(None, map(usual_class, games()))
    return [size for size in usual if size.ladder == ladder]
