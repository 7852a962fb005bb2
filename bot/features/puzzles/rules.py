"""Puzzles as drills: the choice of the next one for a person, and the rating of first tries.

Ratings at puzzles are Glicko-2 ratings apart from those of games. A puzzle is an opponent with its
own rating, on the scale of the ladder of its size class; the first try at it is one game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from hashlib import sha256
from random import Random
from typing import Any

from bot.drills.rules import (
    NO_CONSEQUENCE,
    Attempt,
    ButtonSpec,
    Consequence,
    Drill,
    DrillStep,
    Question,
)
from bot.features.puzzles.store import PuzzleRecord, Puzzles, PuzzleTry, Settled
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.i18n import Translator
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
from bot.sessions.people import Requester
from bot.show.board_text import MINUS
from bot.show.moves import MAX_TOLD
from bot.show.texts import csv_text, csv_time, figures_line, has_sizes, size_title
from bot.store.ratings import Ratings
from bot.store.records import Rating, RatingRecord
from bot.store.rows import Step
from engine.core.game import Game
from engine.core.registry import game_of, games
from engine.strength.ladder import Ladder, ladder_of, size_class
from engine.study.puzzles import Puzzle, PuzzleKind, has_puzzles, puzzles_in
from engine.study.puzzles import puzzle as puzzle_called
from renderers import Figure

SOURCE = "puzzle"
"""The name of these drills in ids of buttons; their references are ids of puzzles."""


class PuzzleDrills:
    """Gives people puzzles as drills, and rates their first tries; holds no state."""

    def __init__(self, puzzles: Puzzles, ratings: Ratings, clock: Clock, rng: Random) -> None:
        """Store tries in `puzzles`; begin with the `ratings` of games; choose by `rng`."""
        self._puzzles = puzzles
        self._ratings = ratings
        self._clock = clock
        self._rng = rng

    async def first(self, user_id: int, family: str, size: SizeClass | None) -> DrillStep:
        """The puzzle for a person who requests one; refused for sizes without any."""
        chosen = size or usual_class(family)
        assert chosen is not None, "there are puzzles for games with this command"
        if chosen not in classes_with_puzzles(family):
            raise Refusal("unknown_size", typed=chosen.name)
        return await self._next(user_id, game_of(family, chosen.usual))

    async def drill(self, ref: str, requester: Requester) -> Drill:
        """See `DrillSource`; a person who has not had the puzzle before begins to try it now."""
        puzzle = puzzle_known(ref)
        counts = await self.begin(requester.user_id, puzzle)
        asked = questions(puzzle, requester.say, counts=counts)
        return Drill(puzzle.id, puzzle.problem, asked, stars=stars_of(puzzle.rating))

    async def answered(self, drill: Drill, attempt: Attempt, requester: Requester) -> Consequence:
        """Settle the first try as soon as its outcome is known."""
        solved = attempt.solves(drill.problem)
        if attempt.is_right and not solved:
            return NO_CONSEQUENCE
        puzzle = puzzle_known(drill.ref)
        said, is_first = await self.settled(puzzle, requester, solved=solved)
        if not solved and attempt.move is not None:
            return Consequence(said)
        more = await self.next_button(puzzle, requester, "button.next_puzzle")
        head = solved_words(requester.say, is_first=is_first) if solved else ""
        return Consequence(said, (more,), head)

    async def begin(self, user_id: int, puzzle: Puzzle) -> bool:
        """Record that a person has been given a puzzle, and return whether their try counts."""
        attempt = await self._puzzles.attempt(user_id, puzzle.id)
        if attempt is None:
            ladder = size_class(puzzle.game)
            await self._puzzles.begin(user_id, puzzle.id, ladder, self._clock())
        return attempt is None or attempt.settled_at is None

    async def settled(
        self, puzzle: Puzzle, requester: Requester, *, solved: bool, also: Step | None = None
    ) -> tuple[str, bool]:
        """Settle a first try, with a further step in its transaction.

        Returns the change of the rating in words, and whether the try counted. Later tries change
        nothing.
        """
        user_id, game, at = requester.user_id, puzzle.game, self._clock()
        rate = partial(_rated, puzzle, await self._unrated(user_id, game))
        settled = await self._puzzles.settle(user_id, puzzle.id, at, rate, solved=solved, also=also)
        rating = await self._rating(user_id, size_class(game))
        is_first = settled is not None and settled.counted
        return rating_words(settled, rating, requester.say), is_first

    async def next_button(self, puzzle: Puzzle, requester: Requester, label: str) -> ButtonSpec:
        """The button for a person's next puzzle on the same ladder."""
        return ButtonSpec(
            requester.say(label), (await self._next(requester.user_id, puzzle.game)).target
        )

    async def _next(self, user_id: int, game: Game) -> DrillStep:
        """A person's next puzzle: a new one that fits their rating."""
        ladder = size_class(game)
        rating = await self._rating(user_id, ladder) or await self._unrated(user_id, game)
        tried = await self._puzzles.tries(user_id, ladder)
        return DrillStep(SOURCE, next_puzzle(ladder, tried, rating.value, self._rng).id)

    async def _rating(self, user_id: int, ladder: str) -> Rating | None:
        """A person's rating at puzzles, as of now; None before the first try."""
        known = await self._puzzles.rating(user_id, ladder)
        return None if known is None else present_rating(known, self._clock())

    async def _unrated(self, user_id: int, game: Game) -> Rating:
        """A person's first rating at puzzles."""
        games = await self._ratings.of(user_id, size_class(game))
        return first_rating(ladder_of(game), games, self._clock())


def puzzle_known(id: str) -> Puzzle:
    """The puzzle of an id; refused if there is none."""
    found = puzzle_called(id)
    if found is None or found.id != id:
        raise Refusal("unknown_button")
    return found


def questions(puzzle: Puzzle, say: Translator, *, counts: bool) -> tuple[Question, ...]:
    """The task for the solver in each step, and whether the try counts."""
    asked = [prompt_words(puzzle, say, step) for step in range(puzzle.asked)]
    first_try = say("puzzle.first_try") if counts else ""
    return tuple(Question(say("puzzle.ask", ask=ask), first_try, ask.rstrip(".")) for ask in asked)


def stars_of(rating: float) -> int:
    """The difficulty of a puzzle in stars, from 1 to 3."""
    return 1 + sum(rating >= limit for limit in STARS)


def solved_words(say: Translator, *, is_first: bool) -> str:
    """That a puzzle is solved, and whether on the first try."""
    return say("puzzle.first" if is_first else "puzzle.solved")


STARS = (800.0, 1200.0)
"""The ratings from which a puzzle has two stars, and three."""


def prompt_words(puzzle: Puzzle, say: Translator, step: int = 0) -> str:
    """The task for the solver in a step, counted from 0."""
    moves = (puzzle.wins_in or puzzle.asked) - step
    is_long = puzzle.wins_in is not None and moves > MAX_TOLD
    if step and (is_long or puzzle.kind is PuzzleKind.REFUTE):
        return say("puzzle.win_on")
    if is_long:
        return say("puzzle.win_later")
    return say(f"puzzle.{puzzle.kind}", moves=say.count("moves", moves))


def rating_words(settled: Settled | None, rating: Rating | None, say: Translator) -> str:
    """The change of a person's rating, if the try counted."""
    if settled is None or rating is None:
        return ""
    own, attempt = _number(rating, say), settled.attempt
    if not settled.counted:
        return say("puzzle.unchanged", rating=own)
    assert attempt.value_before is not None
    assert attempt.value_after is not None
    points = round(attempt.value_after) - round(attempt.value_before)
    return say("puzzle.changed", rating=own, change=f"{points:+d}".replace("-", MINUS))


def _number(rating: Rating, say: Translator) -> str:
    value = say.rating(rating.value)
    return say("puzzle.provisional", rating=value) if is_provisional(rating) else value


def _rated(
    puzzle: Puzzle, unrated: Rating, known: PuzzleRecord | None, attempt: PuzzleTry
) -> tuple[Rating, Rating]:
    """The rating before and after a first try that has just been settled."""
    assert attempt.settled_at is not None
    assert attempt.solved is not None
    before = unrated if known is None else present_rating(known, attempt.settled_at)
    ladder = ladder_of(puzzle.game)
    return before, after_try(before, puzzle.rating, ladder, solved=attempt.solved)


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
    """The puzzles that are reserved for days, in the order of the days.

    The order is random but always the same, and starts over after the last one.
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
    """A person's next puzzle; there have to be some on the ladder.

    Args:
        ladder: Which game and size class.
        tried: The person's tries there, the ones longest ago first.
        rating: The person's rating at puzzles.
        rng: Random numbers.
    """
    kept = {one.id for size in _usual(ladder) for one in _days(size.ladder)}
    free = [one for one in puzzles_in(ladder) if one.id not in kept]
    return choose(free or puzzles_in(ladder), tried, rating, rng)


def choose(
    puzzles: Sequence[Puzzle], tried: Sequence[PuzzleTry], rating: float, rng: Random
) -> Puzzle:
    """One of these puzzles, by the arguments of `next_puzzle`.

    The one that the person left open; otherwise a new one near their rating; otherwise one of those
    near it that they had longest ago.
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
    return nearest[: max(within, MIN_NEAR)]


def _usual(ladder: str) -> list[SizeClass]:
    """The class of a ladder, if puzzles of the day are taken from it."""
    usual = filter(None, map(usual_class, games()))
    return [size for size in usual if size.ladder == ladder]


PUZZLE_DEVIATION = 60.0
"""The deviation of a puzzle's rating, which was measured with agents, not with people."""

FIRST_DEVIATION = (200.0, 250.0)
"""The least and the greatest deviation at the start. A settled rating in games says less about
solving puzzles; and as one guess in seven is right, a single puzzle says little."""


def first_rating(ladder: Ladder, games: RatingRecord | None, at: float) -> Rating:
    """The rating before the first puzzle: near that in games, or a newcomer's."""
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


async def puzzle_figures(
    puzzles: Puzzles, user_id: int, size: SizeClass, say: Translator
) -> tuple[Sequence[Figure], Sequence[str]]:
    """The rating at puzzles for a person's card, and how many were solved at the first try."""
    known = await puzzles.rating(user_id, size.ladder)
    if known is None:
        return (), ()
    label = say("stats.puzzles")
    if has_sizes(size.family):
        label = say("stats.puzzles_in", size=size_title(size, say))
    solved, tried = say.number(known.solved), say.number(known.rating.games)
    share = say("stats.puzzles_of", solved=solved, tried=tried)
    line = figures_line([(say("stats.puzzles_solved"), share)])
    return (Figure(label, _number(known.rating, say)),), (line,)


FIELDS = (
    "puzzle",
    "size_class",
    "begun",
    "settled",
    "seconds",
    "solved",
    "rating_before",
    "rating_after",
)


async def puzzle_files(puzzles: Puzzles, user_id: int) -> Mapping[str, str]:
    """A file with one line for each of a person's first tries; none if there are none."""
    tries = await puzzles.all_of(user_id)
    rows = (
        {
            "puzzle": one.puzzle,
            "size_class": one.ladder,
            **tried_columns(one.begun_at, one.settled_at, solved=one.solved),
            "seconds": None if one.seconds is None else round(one.seconds, 3),
            "rating_before": _rounded(one.value_before),
            "rating_after": _rounded(one.value_after),
        }
        for one in tries
    )
    return {"puzzles.csv": csv_text(FIELDS, rows)} if tries else {}


def tried_columns(
    begun_at: float, settled_at: float | None, *, solved: bool | None
) -> dict[str, Any]:
    """The columns of an export that all kinds of first tries have."""
    settled = None if settled_at is None else csv_time(settled_at)
    return {"begun": csv_time(begun_at), "settled": settled, "solved": solved}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
