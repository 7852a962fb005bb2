"""The puzzle of the day: its choice, tries at it, and the servers that want it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from functools import partial

from bot.database.errors import isolated
from bot.drills.rules import NO_CONSEQUENCE, Attempt, Consequence, Drill, DrillStep
from bot.features.daily.store import (
    DailyChannel,
    DailyKey,
    DailyPosts,
    DailyTries,
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


async def streak(tries: DailyTries, user_id: int, key: DailyKey) -> int:
    """The number of days in a row on which a person has solved the puzzle, up to this day.

    The day itself is left out until they have solved it, because it is not over.
    """
    days = (await tries.days([user_id], key))[user_id]
    return _streak(days, key.day if key.day in days else key.day - 1)


async def solver_board(tries: DailyTries, guild_id: int, key: DailyKey) -> SolverBoard:
    """The members of a server who have tried the puzzle of a day, the earliest solvers first."""
    found = await tries.solvers(guild_id, key)
    solved = [one for one in found if one.has_solved]
    known = [one.user_id for one in solved if not one.is_private]
    named = known[:MAX_NAMED]
    days = await tries.days(named, key)
    first = tuple((user_id, _streak(days[user_id], key.day)) for user_id in named)
    return SolverBoard(len(found), len(solved), first, more=len(known) > len(named))


def _streak(days: Set[int], last: int) -> int:
    """The number of days in a row among `days`, up to and with the day `last`."""
    length = 0
    while last - length in days:
        length += 1
    return length


class Daily:
    """The puzzles of days, which are the same everywhere, and the servers that want them.

    A day begins at midnight, UTC. As a source of drills it also offers puzzles of past days, which
    are for practice.
    """

    def __init__(
        self, tries: DailyTries, posts: DailyPosts, clock: Clock, puzzles: PuzzleDrills
    ) -> None:
        self._tries = tries
        self._posts = posts
        self._clock = clock
        self._puzzles = puzzles

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
        return Drill(ref, puzzle.played, tuple(one._replace(task="") for one in asked))

    async def answered(self, drill: Drill, attempt: Attempt, requester: Requester) -> Consequence:
        """Settle the first try as soon as its outcome is known."""
        solved = attempt.solves(drill.problem)
        if attempt.is_right and not solved:
            return NO_CONSEQUENCE
        key, user_id, say = _key_of(drill.ref), requester.user_id, requester.say
        puzzle, at = await self._puzzle(key, requester), self._clock()
        tried = await self._tries.find(user_id, key)
        in_time = at < (key.day + 1) * DAY + GRACE
        counts = tried is not None and tried.settled_at is None and in_time
        settle = partial(settle_daily, user_id=user_id, key=key, solved=solved, at=at)
        said, is_first = await self._puzzles.settled(
            puzzle, requester, solved=solved, also=settle if counts else None
        )
        head = solved_words(say, is_first=counts or is_first) if solved else ""
        if counts and solved:
            days = say.count("streak", await streak(self._tries, user_id, key))
            head = f"{head} {days}"
        elif counts:
            said = f"{said} {say('daily.missed')}".lstrip()
        if not solved and attempt.move is not None:
            return Consequence(said)
        more = await self._puzzles.next_button(puzzle, requester, "button.more_puzzles")
        return Consequence(said, (more,), head)

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


FIELDS = ("date", "family", "puzzle", "begun", "settled", "solved")


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
        }
        for one in await tries.all_of(user_id)
    )
    return {"days.csv": csv_text(FIELDS, rows)}
