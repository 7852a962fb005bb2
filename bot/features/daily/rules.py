"""The puzzle of the day: its choice, tries at it, and the servers that want it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from functools import partial

from bot.database.errors import isolated
from bot.drills.rules import (
    NO_CONSEQUENCE,
    Attempt,
    ButtonSpec,
    Consequence,
    Drill,
    DrillStep,
    Practice,
    RouteTarget,
)
from bot.features.daily.store import (
    DailyChannel,
    DailyKey,
    DailyPosts,
    DailyTries,
    DailyTry,
    Today,
    settle_daily,
)
from bot.features.puzzles.choice import DAY, classes_with_puzzles, day_of, puzzle_of_day
from bot.features.puzzles.rules import (
    PuzzleDrills,
    prompt_words,
    puzzle_known,
    questions,
    solved_words,
    tried_columns,
    try_words,
)
from bot.features.puzzles.store import Puzzles
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.i18n import Translator
from bot.sessions.people import Requester
from bot.show.texts import csv_text, csv_time
from engine.core.registry import default_game, games
from engine.strength.ladder import size_class
from engine.study.puzzles import Puzzle

SOURCE = "daily"
"""The name of these drills in ids of buttons."""

REF = re.compile(r"(?P<family>[a-z0-9]{1,20})\.(?P<day>[0-9]{1,6})")
"""The reference of a drill: the game, and the day counted from 1970."""

GRACE = 3600.0
"""Seconds after midnight in which a try that was begun before still counts for its day."""

MAX_NAMED = 10
"""The most solvers of a day that are named."""


@dataclass(frozen=True, slots=True)
class SolverBoard:
    """The members of a server who have tried the puzzle of a day."""

    tried: int
    solved: int
    """The number of solvers; people who hide their statistics are counted but not named."""
    first: tuple[tuple[int, int], ...] = ()
    """The earliest of them, with the number of days in a row, this one included."""
    more: bool = False
    """Whether there are others who may be named."""


@dataclass(frozen=True, slots=True)
class Streak:
    """Days on which a person has solved the puzzle, but for at most one day of each week."""

    length: int = 0
    """The days solved in a row; a rest day neither adds to them nor ends them."""
    best: int = 0
    """The greatest length so far."""
    rested: int | None = None
    """The latest rest day; None before the first."""
    in_week: int = 0
    """The days solved in the week of the last day."""


async def streak(
    tries: DailyTries, user_id: int, key: DailyKey, *, is_over: bool = False
) -> Streak:
    """A person's streak up to this day.

    The day itself is left out until they have solved it, unless it `is_over` for them.
    """
    days = (await tries.days([user_id], key))[user_id]
    return streak_of(days, key.day if is_over or key.day in days else key.day - 1)


async def solver_board(tries: DailyTries, guild_id: int, key: DailyKey) -> SolverBoard:
    """The members of a server who have tried the puzzle of a day, the earliest solvers first."""
    found = await tries.solvers(guild_id, key)
    solved = [one for one in found if one.has_solved]
    known = [one.user_id for one in solved if not one.is_private]
    named = known[:MAX_NAMED]
    days = await tries.days(named, key)
    first = tuple((user_id, streak_of(days[user_id], key.day).length) for user_id in named)
    return SolverBoard(len(found), len(solved), first, more=len(known) > len(named))


def streak_of(days: Set[int], last: int) -> Streak:
    """The streak among the `days` on which a puzzle was solved, up to and with the day `last`.

    The first day of a week, from Monday to Sunday, that is missed is a rest day; the next one ends
    the streak. Before a streak begins, no rest day is used.
    """
    length, best, rested = 0, 0, None
    for day in range(min(days, default=last), last + 1):
        if day in days:
            length += 1
            best = max(best, length)
        elif length and (rested is None or week_of(rested) != week_of(day)):
            rested = day
        else:
            length = 0
    in_week = sum(week_of(day) == week_of(last) for day in days if day <= last)
    return Streak(length, best, rested, in_week)


def week_of(day: int) -> int:
    """The week of a day; weeks begin on Mondays, and 1970 began on a Thursday."""
    return (day + 3) // 7


def solved_streak_words(found: Streak, day: int, say: Translator) -> str:
    """A streak after a day's puzzle was solved, and what became of the week's rest day."""
    said = [say.count("streak", found.length)]
    is_used = found.rested is not None and week_of(found.rested) == week_of(day)
    is_sunday = week_of(day + 1) != week_of(day)
    if is_used and found.rested == day - 1:
        said.append(say("daily.rested"))
    elif is_used and found.length == 1 and not is_sunday:
        said.append(say("daily.new_rest"))
    if is_sunday:
        said.append(say("daily.week", solved=say.number(found.in_week)))
    return " ".join(said)


def missed_streak_words(before: Streak, found: Streak, day: int, say: Translator) -> str:
    """What a wrong first try means for a streak; `before` is the one up to the day before."""
    if not before.length:
        return say("daily.missed")
    if found.rested == day:
        return say("daily.resting", days=say.count("days", found.length))
    return say("daily.restarts", days=say.count("days", found.best))


class Daily:
    """The puzzles of days, which are the same everywhere, and the servers that want them.

    A day begins at midnight, UTC. As a source of drills it also offers puzzles of past days, which
    are for practice.
    """

    def __init__(
        self,
        tries: DailyTries,
        posts: DailyPosts,
        clock: Clock,
        puzzles: PuzzleDrills,
        practice: Practice,
    ) -> None:
        """Choose and rate with `puzzles`; `practice` are the buttons once a puzzle is over."""
        self._tries = tries
        self._posts = posts
        self._clock = clock
        self._puzzles = puzzles
        self._practice = practice

    def now(self) -> Today:
        """The day and the hour, and the puzzles of this day."""
        at = self._clock()
        puzzles = {}
        for family in games():
            with isolated("puzzle of the day of", family):
                found = puzzle_of_day(family, day_of(at))
                if found is not None:
                    puzzles[family] = found.id
        return Today(at, day_of(at), int(at % DAY // 3600), puzzles)

    def step(self, family: str) -> DrillStep:
        """The drill of today's puzzle."""
        return step_of(DailyKey(family, day_of(self._clock())))

    async def drill(self, ref: str, requester: Requester) -> Drill:
        """See `DrillSource`; a person who has not had the puzzle before begins to try it now."""
        key = _key_of(ref)
        puzzle = await self._puzzle(key, requester)
        await self._begin(key, puzzle, requester)
        tried = await self._puzzles.begin(requester.user_id, puzzle)
        asked = questions(puzzle, requester.say, try_words(tried, self._clock(), requester.say))
        plain = tuple(one._replace(task="") for one in asked)
        return Drill(ref, puzzle.played, plain, only=puzzle.only)

    async def answered(self, drill: Drill, attempt: Attempt, requester: Requester) -> Consequence:
        """Settle the first try as soon as its outcome is known."""
        solved = attempt.solves(drill.problem)
        if attempt.is_right and not solved:
            return NO_CONSEQUENCE
        key, user_id, say = _key_of(drill.ref), requester.user_id, requester.say
        puzzle, at = await self._puzzle(key, requester), self._clock()
        tried = await self._tries.find(user_id, key)
        if tried is not None:
            await self._tries.note(user_id, key, _noted(drill, attempt), at, solved=solved)
        in_time = at < (key.day + 1) * DAY + GRACE
        counts = tried is not None and tried.settled_at is None and in_time
        settle = partial(settle_daily, user_id=user_id, key=key, solved=solved, at=at)
        said, is_first = await self._puzzles.settled(
            puzzle, requester, solved=solved, also=settle if counts else None
        )
        head = solved_words(say, is_first=counts or is_first) if solved else ""
        if counts and solved:
            found = await streak(self._tries, user_id, key)
            head = f"{head} {solved_streak_words(found, key.day, say)}"
        elif counts:
            before = await streak(self._tries, user_id, replace(key, day=key.day - 1))
            found = await streak(self._tries, user_id, key, is_over=True)
            said = f"{said} {missed_streak_words(before, found, key.day, say)}".lstrip()
        if not solved and attempt.move is not None:
            return Consequence(said)
        more = await self._puzzles.next_button(puzzle, requester, "button.more_puzzles")
        share = [ButtonSpec(say("button.share_day"), share_target(key))]
        may_share = solved and tried is not None and not tried.shared
        buttons = (*(share if may_share else []), more)
        return Consequence(said, buttons, head, self._practice(key.family, say))

    async def shared(self, requester: Requester, key: DailyKey) -> tuple[Puzzle, str]:
        """The puzzle and the squares of a result that a person shares; refused if that was done."""
        tried = await self._tries.find(requester.user_id, key)
        if tried is None or tried.done_at is None:
            raise Refusal("unknown_button")
        if not await self._tries.share(requester.user_id, key):
            raise Refusal("daily_shared")
        return puzzle_known(tried.puzzle), squares_of(tried)

    async def unshare(self, requester: Requester, key: DailyKey) -> None:
        """Record that a result could not be posted, so that it may be shared again."""
        await self._tries.share(requester.user_id, key, shared=False)

    async def share_words(
        self, user_id: int, name: str, key: DailyKey, squares: str, say: Translator
    ) -> str:
        """A shared result, which names no move."""
        what = say("daily.what")
        if key.family != default_game().key:
            what = say("daily.what_of", game=say(f"game.{key.family}"))
        if squares != RIGHT:
            return say("daily.shared", name=name, what=what, squares=squares)
        days = say.count("streak", (await streak(self._tries, user_id, key)).length).rstrip(".")
        return say("daily.shared_first", name=name, what=what, squares=squares, days=days)

    async def _puzzle(self, key: DailyKey, requester: Requester) -> Puzzle:
        """The puzzle of a day for a person; refused for days to come.

        The puzzle that they have begun, or that their server was shown, stays the puzzle of that
        day if a release ships other puzzles.
        """
        if key.day > day_of(self._clock()) or key.family not in games():
            raise Refusal("unknown_button")
        tried = await self._tries.find(requester.user_id, key)
        if tried is not None:
            return puzzle_known(tried.puzzle)
        guild_id = requester.guild_id
        shown = None if guild_id is None else await self._posts.puzzle(guild_id, key)
        if shown is not None:
            return puzzle_known(shown)
        found = puzzle_of_day(key.family, key.day)
        if found is None:
            raise Refusal("unknown_button")
        return found

    async def _begin(self, key: DailyKey, puzzle: Puzzle, requester: Requester) -> None:
        """Record that a person has been given today's puzzle, unless it is recorded."""
        if key.day != day_of(self._clock()):
            return
        user_id, guild_id = requester.user_id, requester.guild_id
        tried = await self._tries.find(user_id, key)
        if tried is None or (tried.guild_id is None and guild_id is not None):
            ladder = size_class(puzzle.game)
            await self._tries.begin(user_id, key, puzzle.id, ladder, self._clock(), guild_id)

    async def posting(self, guild_id: int) -> tuple[int, int] | None:
        """The channel and the hour of a server's puzzles; None if it wants none."""
        found = await self._posts.channel(guild_id)
        return None if found is None else (found.channel_id, found.hour)

    async def post_in(
        self, guild_id: int, channel_id: int, locale: str, hour: int
    ) -> tuple[float, bool]:
        """Post a server's puzzle in a channel from now on, of the game that it had before.

        Returns the time of today's puzzle, and whether that comes now.
        """
        now, before = self._clock(), await self._posts.channel(guild_id)
        family = usual_family() if before is None else before.family
        wanted = DailyChannel(guild_id, channel_id, family, locale, hour, now)
        time = day_of(now) * DAY + hour * 3600.0
        if before is not None and replace(before, since=now) == wanted:
            return time, False
        await self._posts.subscribe(wanted)
        is_posted = await self._posts.is_begun(guild_id, day_of(now))
        return time, now >= time and not is_posted

    async def stop_posting(self, guild_id: int) -> None:
        """Stop posting on a server, if it is subscribed."""
        await self._posts.unsubscribe(guild_id)


RIGHT, WRONG = "✅", "❌"
"""The squares of a shared result: one for each try."""


def squares_of(tried: DailyTry) -> str:
    """The tries at a puzzle that has been solved."""
    return WRONG * len(tried.wrong.split()) + RIGHT


def _noted(drill: Drill, attempt: Attempt) -> str:
    """An answer as it is stored: the number of the step and the move; `?` for the solution."""
    move = "?" if attempt.move is None else drill.problem.game.label(attempt.move)
    return f"{attempt.step}.{move}"


SHARE = "daily:share"
"""The route that posts a person's result."""


def share_target(key: DailyKey) -> RouteTarget:
    """The button that shares a result."""
    return RouteTarget(SHARE, (key.family, key.day))


def usual_family() -> str:
    """The game of a server's puzzles if its managers have not chosen one."""
    usual = default_game().key
    return next(key for key in (usual, *games()) if classes_with_puzzles(key))


def step_of(key: DailyKey) -> DrillStep:
    """The drill of a day's puzzle."""
    return DrillStep(SOURCE, f"{key.family}.{key.day}")


def daily_title(puzzle: Puzzle, say: Translator) -> str:
    """The first line of a puzzle of the day: its task, and its game unless it is the usual one."""
    family, ask = puzzle.game.key, prompt_words(puzzle, say)
    if family == default_game().key:
        return say("daily.title", ask=ask)
    return say("daily.title_of", game=say(f"game.{family}"), ask=ask)


def _key_of(ref: str) -> DailyKey:
    parts = REF.fullmatch(ref)
    if parts is None:
        raise Refusal("unknown_button")
    return DailyKey(parts["family"], int(parts["day"]))


FIELDS = ("date", "family", "puzzle", "begun", "settled", "solved", "wrong", "done")


async def daily_files(tries: DailyTries, puzzles: Puzzles, user_id: int) -> Mapping[str, str]:
    """A file with one line for each of a person's tries; none if they have never had a puzzle."""
    if not await puzzles.all_of(user_id):
        return {}
    rows = (
        {
            "date": csv_time(one.day * DAY)[:10],
            "family": one.family,
            "puzzle": one.puzzle,
            **tried_columns(one.begun_at, one.settled_at, solved=one.solved),
            "wrong": one.wrong,
            "done": None if one.done_at is None else csv_time(one.done_at),
        }
        for one in await tries.all_of(user_id)
    )
    return {"days.csv": csv_text(FIELDS, rows)}
