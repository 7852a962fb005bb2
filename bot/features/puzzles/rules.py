"""Puzzles as drills: what is asked, and what is said of a first try.

Puzzles for one person: which one comes next, and what a first try changes.

Which puzzle somebody gets next, and which one is the puzzle of a day.

Ratings at puzzles: Glicko-2 as for games, and apart from theirs.

A puzzle is an opponent of its own rating, on the scale of the ladder of its size class; the first
try at it is one game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from hashlib import sha256
from random import Random
from typing import Any

from bot.drills.rules import NOTHING_FOLLOWS, Attempt, Consequence, Drill, DrillStep, Way
from bot.features.puzzles.store import DailyKey, DailyTry, PuzzleRecord, PuzzleTry, Settled
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.i18n import Say
from bot.ratings.glicko import (
    LOSS,
    NEWCOMER,
    WIN,
    Opposition,
    after_absence,
    after_game,
    is_provisional,
    limits_of,
    newcomer,
    rating_at,
)
from bot.ratings.levels import SizeClass, class_of, classes_of
from bot.sessions.people import Asker
from bot.show.export import csv_text, csv_time
from bot.store.records import Rating, RatingRecord
from bot.store.store import Store
from engine.core.game import Game
from engine.core.registry import game_of, games
from engine.strength.ladder import Ladder, ladder_of, size_class
from engine.study.puzzles import Puzzle, has_puzzles, puzzles_in
from engine.study.puzzles import puzzle as puzzle_called

SOURCE = "puzzle"
"""What buttons call these drills; which one it is says the puzzle's id."""


class PuzzleDrills:
    """Drills from the puzzles that are shipped."""

    def __init__(self, puzzling: Puzzling) -> None:
        """Have first tries kept and rated by `puzzling`."""
        self._puzzling = puzzling

    async def first(self, user_id: int, family: str, size: SizeClass | None) -> DrillStep:
        """The puzzle for somebody who asks for one; refused for sizes without any."""
        return DrillStep(SOURCE, await self._puzzling.first(user_id, family, size))

    async def drill(self, ref: str, asker: Asker) -> Drill:
        """See `DrillSource`; whoever has not had the puzzle before begins to try it now."""
        puzzle = puzzle_known(ref)
        await self._puzzling.begin(asker.user_id, puzzle)
        title = asker.say("puzzle.title", id=puzzle.id, board=board_words(puzzle, asker.say))
        return Drill(puzzle.id, puzzle.problem, title, prompt_words(puzzle, asker.say))

    async def answered(self, drill: Drill, attempt: Attempt, asker: Asker) -> Consequence:
        """Settle the first try as soon as it is known what comes of it."""
        solved = attempt.solves(drill.problem)
        if attempt.is_right and not solved:
            return NOTHING_FOLLOWS
        puzzle = puzzle_known(drill.ref)
        said = await self.settled(puzzle, asker, solved=solved)
        if not solved and attempt.move is not None:
            return Consequence(said)
        return Consequence(said, (await self.onward(puzzle, asker, "button.next_puzzle"),))

    async def settled(
        self, puzzle: Puzzle, asker: Asker, *, solved: bool, daily: DailyKey | None = None
    ) -> str:
        """Settle a first try, for a day too if it counts for one; returns what it changed."""
        settled = await self._puzzling.settle(asker.user_id, puzzle, solved=solved, daily=daily)
        rating = await self._puzzling.rating(asker.user_id, size_class(puzzle.game))
        return rating_words(puzzle, settled, rating, asker.say)

    async def onward(self, puzzle: Puzzle, asker: Asker, label: str) -> Way:
        """The way to somebody's next puzzle on the same ladder."""
        following = await self._puzzling.next(asker.user_id, puzzle.game)
        return Way(asker.say(label), DrillStep(SOURCE, following).press)


def puzzle_known(id: str) -> Puzzle:
    """The puzzle of an id; refused where there is none."""
    found = puzzle_called(id)
    if found is None or found.id != id:
        raise Refusal("unknown_button")
    return found


def board_words(puzzle: Puzzle, say: Say) -> str:
    """Which game a puzzle is from, and on which board."""
    game = puzzle.game
    variant = say.variant(game.key, game.variant)
    return say("game.variant", game=say(f"game.{game.key}"), variant=variant)


def prompt_words(puzzle: Puzzle, say: Say) -> str:
    """What is to be found."""
    moves = puzzle.wins_in or puzzle.asked
    return say(f"puzzle.{puzzle.kind}", moves=say.count("moves", moves))


def rating_words(puzzle: Puzzle, settled: Settled | None, rating: Rating | None, say: Say) -> str:
    """What a try changed, or that only the first one counts, and the puzzle's own rating."""
    of_puzzle = say.rating(puzzle.rating)
    if settled is None or rating is None:
        return say("puzzle.rated", puzzle=of_puzzle)
    own = say.rating(rating.value)
    if is_provisional(rating):
        own = say("leaders.provisional", rating=own)
    if not settled.counted:
        return say("puzzle.unchanged", rating=own, puzzle=of_puzzle)
    change = f"{_points(settled.attempt):+d}"
    return say("puzzle.changed", rating=own, change=change, puzzle=of_puzzle)


def _points(attempt: PuzzleTry) -> int:
    assert attempt.value_before is not None
    assert attempt.value_after is not None
    return round(attempt.value_after) - round(attempt.value_before)


class Puzzling:
    """Gives people puzzles and rates their first tries; knows nothing of Discord."""

    def __init__(self, store: Store, clock: Clock, rng: Random) -> None:
        """Keep tries in `store`, by `clock`; choose by `rng`."""
        self._store = store
        self._clock = clock
        self._rng = rng

    async def first(self, user_id: int, family: str, size: SizeClass | None) -> str:
        """The id of the puzzle for somebody who asks for one; refused for sizes without any."""
        chosen = size or usual_class(family)
        assert chosen is not None, "there are puzzles for games with this command"
        if chosen not in classes_with_puzzles(family):
            raise Refusal("unknown_size", typed=chosen.name)
        return await self.next(user_id, game_of(family, chosen.usual))

    async def next(self, user_id: int, game: Game) -> str:
        """The id of the puzzle that somebody gets next: a new one that fits their rating."""
        ladder = size_class(game)
        rating = await self.rating(user_id, ladder) or await self._unrated(user_id, game)
        tried = await self._store.puzzles.tries(user_id, ladder)
        return next_puzzle(ladder, tried, rating.value, self._rng).id

    async def rating(self, user_id: int, ladder: str) -> Rating | None:
        """Somebody's rating at puzzles, as of now; None before the first one was tried."""
        known = await self._store.puzzles.rating(user_id, ladder)
        return None if known is None else present_rating(known, self._clock())

    async def begin(self, user_id: int, puzzle: Puzzle) -> None:
        """Note that somebody has a puzzle before them, unless that is known."""
        if await self._store.puzzles.attempt(user_id, puzzle.id) is None:
            ladder = size_class(puzzle.game)
            await self._store.puzzles.begin(user_id, puzzle.id, ladder, self._clock())

    async def settle(
        self, user_id: int, puzzle: Puzzle, *, solved: bool, daily: DailyKey | None = None
    ) -> Settled | None:
        """Settle a first try, for a day too if it counts for one; later ones change nothing.

        Returns None where nothing is known of the person any more.
        """
        at = self._clock()
        rate = partial(_rated, puzzle, await self._unrated(user_id, puzzle.game))
        return await self._store.puzzles.settle(
            user_id, puzzle.id, at, rate, solved=solved, daily=daily
        )

    async def _unrated(self, user_id: int, game: Game) -> Rating:
        """What somebody's rating at puzzles begins with."""
        games = await self._store.ratings.of(user_id, size_class(game))
        return first_rating(ladder_of(game), games, self._clock())


def _rated(
    puzzle: Puzzle, unrated: Rating, known: PuzzleRecord | None, attempt: PuzzleTry
) -> tuple[Rating, Rating]:
    """A rating before and after a first try that has just been settled."""
    assert attempt.settled_at is not None
    assert attempt.solved is not None
    before = unrated if known is None else present_rating(known, attempt.settled_at)
    ladder = ladder_of(puzzle.game)
    return before, after_try(before, puzzle.rating, ladder, solved=attempt.solved)


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


PUZZLE_DEVIATION = 60.0
"""The deviation of a puzzle's rating: it was measured with the ladder's rungs, not with people."""

FIRST_DEVIATION = (200.0, 250.0)
"""The least and the most with which somebody begins: playing is not solving, so a settled rating in
games is less certain here; and one guess in seven is right, so no single puzzle says much."""


def first_rating(ladder: Ladder, games: RatingRecord | None, at: float) -> Rating:
    """The rating before the first puzzle: near that in games, or else a newcomer's."""
    known = newcomer(ladder) if games is None else rating_at(games, at)
    least, most = FIRST_DEVIATION
    deviation = min(max(known.deviation, least), most)
    return Rating(known.value, deviation, NEWCOMER.volatility, 0)


def present_rating(known: PuzzleRecord, at: float) -> Rating:
    """A stored rating at puzzles, brought forward to a later time."""
    return after_absence(known.rating, at - known.updated_at)


def after_try(rating: Rating, puzzle: float, ladder: Ladder, *, solved: bool) -> Rating:
    """The rating after the first try at a puzzle of a rating."""
    opposition = Opposition(puzzle, PUZZLE_DEVIATION)
    score = WIN if solved else LOSS
    return replace(
        after_game(rating, opposition, score, within=limits_of(ladder)), shown=rating.shown
    )


PUZZLE_FIELDS = (
    "puzzle",
    "size_class",
    "begun",
    "settled",
    "seconds",
    "solved",
    "rating_before",
    "rating_after",
)


def puzzles_as_csv(tries: Sequence[PuzzleTry]) -> str:
    """One line for a person's first try at each puzzle."""
    return csv_text(
        PUZZLE_FIELDS,
        (
            {
                "puzzle": one.puzzle,
                "size_class": one.ladder,
                **_tried(one),
                "seconds": None if one.seconds is None else round(one.seconds, 3),
                "rating_before": _rounded(one.value_before),
                "rating_after": _rounded(one.value_after),
            }
            for one in tries
        ),
    )


def _tried(one: PuzzleTry | DailyTry) -> dict[str, Any]:
    settled = None if one.settled_at is None else csv_time(one.settled_at)
    return {"begun": csv_time(one.begun_at), "settled": settled, "solved": one.solved}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
