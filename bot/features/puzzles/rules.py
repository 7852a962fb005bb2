"""Puzzles as drills: the choice of the next one for a person, and the rating of first tries.

Ratings at puzzles are Glicko-2 ratings apart from those of games. A puzzle is an opponent with its
own rating, on the scale of the ladder of its size class; the first try at it is one game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
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
from bot.features.puzzles.choice import (
    classes_with_puzzles,
    day_of,
    next_puzzle,
    puzzles_of_theme,
    usual_class,
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
from bot.ratings.levels import SizeClass
from bot.sessions.people import Requester
from bot.show.board_text import MINUS
from bot.show.moves import MAX_NAMED
from bot.show.texts import csv_text, csv_time, figures_line, has_sizes, size_title
from bot.store.ratings import Ratings
from bot.store.records import Rating, RatingRecord
from bot.store.rows import Step
from engine.core.game import Game
from engine.core.reason import ReasonKind
from engine.core.registry import game_of
from engine.strength.ladder import Ladder, ladder_of, size_class
from engine.study.puzzles import Puzzle, PuzzleKind
from engine.study.puzzles import puzzle as puzzle_called
from engine.study.reasons import merit_of
from engine.study.themes import Theme
from renderers import Figure

SOURCE = "puzzle"
"""The name of these drills in ids of buttons; their references are ids of puzzles."""


class PuzzleDrills:
    """Gives people puzzles as drills, and rates their first tries; holds no state.

    The reference of a drill is a puzzle's id, and after a dot the theme that its person trains.
    """

    def __init__(self, puzzles: Puzzles, ratings: Ratings, clock: Clock, rng: Random) -> None:
        """Store tries in `puzzles`; begin with the `ratings` of games; choose by `rng`."""
        self._puzzles = puzzles
        self._ratings = ratings
        self._clock = clock
        self._rng = rng

    async def first(
        self, user_id: int, family: str, size: SizeClass | None, theme: Theme | None = None
    ) -> DrillStep:
        """The puzzle for a person who requests one; refused for sizes and themes without any."""
        chosen = size or usual_class(family)
        assert chosen is not None, "there are puzzles for games with this command"
        if chosen not in classes_with_puzzles(family):
            raise Refusal("unknown_size", typed=chosen.name)
        if theme is not None and not puzzles_of_theme(chosen.ladder, theme):
            raise Refusal("no_theme", game=family)
        return await self._next(user_id, game_of(family, chosen.usual), theme)

    async def drill(self, ref: str, requester: Requester) -> Drill:
        """See `DrillSource`; a person who has not had the puzzle before begins to try it now."""
        puzzle, _ = _of_ref(ref)
        tried = await self.begin(requester.user_id, puzzle)
        asked = questions(puzzle, requester.say, try_words(tried, self._clock(), requester.say))
        return Drill(ref, puzzle.played, asked, only=puzzle.only, stars=stars_of(puzzle))

    async def answered(self, drill: Drill, attempt: Attempt, requester: Requester) -> Consequence:
        """Settle the first try as soon as its outcome is known."""
        solved = attempt.solves(drill.problem)
        if attempt.is_right and not solved:
            return NO_CONSEQUENCE
        puzzle, theme = _of_ref(drill.ref)
        said, is_first = await self.settled(puzzle, requester, solved=solved)
        if not solved and attempt.move is not None:
            return Consequence(said)
        more = await self.next_button(puzzle, requester, "button.next_puzzle", theme)
        head = solved_words(requester.say, is_first=is_first) if solved else ""
        return Consequence(said, (more,), head)

    async def begin(self, user_id: int, puzzle: Puzzle) -> PuzzleTry:
        """Record that a person has been given a puzzle, and return their try."""
        attempt = await self._puzzles.attempt(user_id, puzzle.id)
        if attempt is not None:
            return attempt
        ladder = size_class(puzzle.game)
        return await self._puzzles.begin(user_id, puzzle.id, ladder, self._clock())

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

    async def next_button(
        self, puzzle: Puzzle, requester: Requester, label: str, theme: Theme | None = None
    ) -> ButtonSpec:
        """The button for a person's next puzzle on the same ladder."""
        following = await self._next(requester.user_id, puzzle.game, theme)
        return ButtonSpec(requester.say(label), following.target)

    async def _next(self, user_id: int, game: Game, theme: Theme | None) -> DrillStep:
        """A person's next puzzle: a new one that fits their rating, or one that returns."""
        ladder = size_class(game)
        rating = await self._rating(user_id, ladder) or await self._unrated(user_id, game)
        tried = await self._puzzles.tries(user_id, ladder)
        found = next_puzzle(ladder, tried, rating.value, self._clock(), self._rng, theme)
        return DrillStep(SOURCE, _ref_of(found, theme))

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


def _ref_of(puzzle: Puzzle, theme: Theme | None) -> str:
    return puzzle.id if theme is None else f"{puzzle.id}.{theme.replace('_', '-')}"


def _of_ref(ref: str) -> tuple[Puzzle, Theme | None]:
    """The puzzle and the theme of a reference; refused if there are none."""
    id, _, theme = ref.partition(".")
    named = theme.replace("-", "_")
    if theme and named not in list(Theme):
        raise Refusal("unknown_button")
    return puzzle_known(id), Theme(named) if theme else None


def questions(puzzle: Puzzle, say: Translator, note: str = "") -> tuple[Question, ...]:
    """The task for the solver in each step, with a note such as whether the try counts."""
    asked = [prompt_words(puzzle, say, step) for step in range(puzzle.clicks)]
    return tuple(Question(say("puzzle.ask", ask=ask), note, ask.rstrip(".")) for ask in asked)


def try_words(tried: PuzzleTry, now: float, say: Translator) -> str:
    """Whether a try counts, or how long ago a puzzle that has returned was failed."""
    if tried.settled_at is None:
        return say("puzzle.first_try")
    if not tried.is_due(now):
        return ""
    days = max(day_of(now) - day_of(tried.settled_at), 1)
    return say("puzzle.returns", days=say.count("days", days))


def stars_of(puzzle: Puzzle) -> int:
    """The difficulty of a puzzle in stars, from 1 to 3: its grade, or else by its rating."""
    return puzzle.grade or 1 + sum(puzzle.rating >= limit for limit in STARS)


def solved_words(say: Translator, *, is_first: bool) -> str:
    """That a puzzle is solved, and whether on the first try."""
    return say("puzzle.first" if is_first else "puzzle.solved")


OFTEN = 5
"""The tries from which a theme is listed among a person's figures."""

STARS = (800.0, 1200.0)
"""The ratings from which a puzzle has two stars, and three."""


def prompt_words(puzzle: Puzzle, say: Translator, step: int = 0) -> str:
    """The task for the solver in a step, counted from 0."""
    moves = (puzzle.wins_in or puzzle.asked) - step
    is_long = puzzle.wins_in is not None and moves > MAX_NAMED
    if step and (is_long or puzzle.kind is PuzzleKind.REFUTE):
        return say("puzzle.win_on")
    if is_long:
        return say("puzzle.win_later")
    if puzzle.kind is PuzzleKind.HOLD and _is_block(puzzle, step):
        return say("puzzle.block")
    return say(f"puzzle.{puzzle.kind}", moves=say.count("moves", moves))


def _is_block(puzzle: Puzzle, step: int) -> bool:
    """Whether the answer to a step stops a four of the other side."""
    position, answer = puzzle.problem.position(step), puzzle.problem.steps[step].answers[0]
    return merit_of(position, answer, among=(ReasonKind.BLOCKED,)) is not None


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


MOST = 100.0
"""The most points by which one puzzle changes a rating: a single move may decide it."""

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
    rated = after_game(rating, opposition, score, within=limits_of(ladder))
    change = min(max(rated.value - rating.value, -MOST), MOST)
    return replace(rated, value=rating.value + change, shown=rating.shown)


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
    by_theme = theme_figures(await puzzles.tries(user_id, size.ladder), say)
    return (Figure(label, _number(known.rating, say)),), (line, *filter(None, (by_theme,)))


def theme_figures(tries: Sequence[PuzzleTry], say: Translator) -> str:
    """How many puzzles of each theme were solved at the first try, the best share first.

    Themes with few tries are left out.
    """
    solved, tried = Counter[Theme](), Counter[Theme]()
    for one in tries:
        found = None if one.settled_at is None else puzzle_called(one.puzzle)
        themes = () if found is None else found.themes
        tried.update(themes)
        solved.update(themes if one.solved else ())
    often = [theme for theme in Theme if tried[theme] >= OFTEN]
    ranked = sorted(often, key=lambda theme: -solved[theme] / tried[theme])
    counts = ((solved[theme], tried[theme]) for theme in ranked)
    shares = [
        say("stats.puzzles_of", solved=say.number(of), tried=say.number(all_))
        for of, all_ in counts
    ]
    names = (say(f"puzzle_theme.{theme}") for theme in ranked)
    return figures_line(zip(names, shares, strict=True))


FIELDS = (
    "puzzle",
    "size_class",
    "begun",
    "settled",
    "seconds",
    "solved",
    "rating_before",
    "rating_after",
    "returns",
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
            "returns": None if one.returns_at is None else csv_time(one.returns_at),
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
