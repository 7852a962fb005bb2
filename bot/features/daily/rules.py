"""The puzzle of the day: which one it is, what a try at it counts, and where servers want it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from bot.database.errors import isolated
from bot.drills.rules import NOTHING_FOLLOWS, Attempt, Consequence, Drill, DrillStep
from bot.features.daily.store import (
    DailyChannel,
    DailyKey,
    DailyPosts,
    DailyTries,
    Today,
    settle_daily,
)
from bot.features.puzzles.rules import (
    DAY,
    PuzzleDrills,
    Puzzling,
    board_words,
    day_of,
    prompt_words,
    puzzle_known,
    puzzle_of_day,
    tried_columns,
)
from bot.features.puzzles.store import Puzzles
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.i18n import Say
from bot.sessions.people import Asker
from bot.show.export import csv_text, csv_time
from bot.store.rows import Step
from engine.core.registry import games
from engine.strength.ladder import size_class
from engine.study.puzzles import Puzzle

SOURCE = "daily"
"""The name of these drills in ids of buttons."""

REF = re.compile(r"(?P<family>[a-z0-9]{1,20})\.(?P<day>[0-9]{1,6})")
"""Which one it is: the game, and the day counted from 1970."""

GRACE = 3600.0
"""Seconds after midnight in which a try that was begun before still counts for its day."""

USUAL_HOUR = 12
"""The hour, in UTC, from which puzzles of the day are posted unless another one is chosen."""


@dataclass(frozen=True, slots=True)
class Promise:
    """When a server gets its puzzle of the day."""

    time: float
    """The hour, on this day."""
    comes_today: bool
    """Whether the hour has passed, so that today's puzzle is posted right now."""


class Daily:
    """The puzzles of days, which are the same everywhere, and the servers that want them."""

    def __init__(self, tries: DailyTries, posts: DailyPosts, clock: Clock) -> None:
        """Store `tries` and the channels for `posts`; a day begins at midnight, UTC."""
        self._tries = tries
        self._posts = posts
        self._clock = clock

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

    async def puzzle(self, key: DailyKey, user_id: int, guild_id: int | None) -> Puzzle:
        """The puzzle of a day for a person; refused for days to come.

        The puzzle that they have begun, or that their server was shown, stays the puzzle of that
        day if a release ships other puzzles.
        """
        if key.day > day_of(self._clock()) or key.family not in games():
            raise Refusal("unknown_button")
        tried = await self._tries.find(user_id, key)
        if tried is not None:
            return puzzle_known(tried.puzzle)
        shown = None if guild_id is None else await self._posts.puzzle(guild_id, key)
        if shown is not None:
            return puzzle_known(shown)
        found = puzzle_of_day(key.family, key.day)
        if found is None:
            raise Refusal("unknown_button")
        return found

    async def begin(self, key: DailyKey, puzzle: Puzzle, asker: Asker) -> None:
        """Record that a person has been given today's puzzle, unless it is recorded."""
        if key.day != day_of(self._clock()):
            return
        tried = await self._tries.find(asker.user_id, key)
        if tried is None or (tried.guild_id is None and asker.guild_id is not None):
            await self._tries.begin(
                asker.user_id,
                key,
                puzzle.id,
                size_class(puzzle.game),
                self._clock(),
                asker.guild_id,
            )

    def settling(self, key: DailyKey, user_id: int, *, solved: bool) -> Step:
        """The step of a transaction that settles a person's try at the puzzle of a day."""
        return partial(settle_daily, user_id=user_id, key=key, solved=solved, at=self._clock())

    async def is_open(self, key: DailyKey, user_id: int) -> bool:
        """Whether a person's next answer counts for a day."""
        tried = await self._tries.find(user_id, key)
        in_time = self._clock() < (key.day + 1) * DAY + GRACE
        return tried is not None and tried.settled_at is None and in_time

    async def streak(self, user_id: int, key: DailyKey) -> int:
        """On how many days in a row a person has solved the puzzle of the day."""
        return await self._tries.streak(user_id, key)

    async def subscribe(
        self, guild_id: int, channel_id: int, family: str, locale: str, hour: int | None
    ) -> Promise:
        """Post a server's puzzle of the day in a channel from now on."""
        now, chosen = self._clock(), USUAL_HOUR if hour is None else hour
        wanted = DailyChannel(guild_id, channel_id, family, locale, chosen, now)
        await self._posts.subscribe(wanted)
        time = day_of(now) * DAY + chosen * 3600.0
        is_posted = await self._posts.is_begun(guild_id, day_of(now))
        return Promise(time, comes_today=now >= time and not is_posted)

    async def unsubscribe(self, guild_id: int) -> None:
        """Post nothing more on a server; refused if nothing is posted there."""
        if not await self._posts.unsubscribe(guild_id):
            raise Refusal("daily_is_off")


class DailyDrills:
    """The source of drills from the puzzles of days. A day that is over is for practice."""

    def __init__(self, daily: Daily, puzzling: Puzzling, puzzles: PuzzleDrills) -> None:
        """Ask the puzzles of `daily`, rated by `puzzling`; lead to `puzzles`."""
        self._daily = daily
        self._puzzling = puzzling
        self._puzzles = puzzles

    async def drill(self, ref: str, asker: Asker) -> Drill:
        """See `DrillSource`; a person who has not had the puzzle before begins to try it now."""
        key = _key_of(ref)
        puzzle = await self._daily.puzzle(key, asker.user_id, asker.guild_id)
        await self._daily.begin(key, puzzle, asker)
        await self._puzzling.begin(asker.user_id, puzzle)
        title = daily_title(key, puzzle, asker.say)
        return Drill(ref, puzzle.problem, title, prompt_words(puzzle, asker.say))

    async def answered(self, drill: Drill, attempt: Attempt, asker: Asker) -> Consequence:
        """Settle the first try as soon as it is known what comes of it."""
        solved = attempt.solves(drill.problem)
        if attempt.is_right and not solved:
            return NOTHING_FOLLOWS
        key = _key_of(drill.ref)
        puzzle = await self._daily.puzzle(key, asker.user_id, asker.guild_id)
        counts = await self._daily.is_open(key, asker.user_id)
        also = self._daily.settling(key, asker.user_id, solved=solved) if counts else None
        said = await self._puzzles.settled(puzzle, asker, solved=solved, also=also)
        if counts:
            said += "\n" + await self._streak_words(key, asker, solved=solved)
        if not solved and attempt.move is not None:
            return Consequence(said)
        more = await self._puzzles.onward(puzzle, asker, "button.more_puzzles")
        return Consequence(said, (more,))

    async def _streak_words(self, key: DailyKey, asker: Asker, *, solved: bool) -> str:
        if not solved:
            return asker.say("daily.missed")
        days = await self._daily.streak(asker.user_id, key)
        return asker.say("daily.solved", days=asker.say.count("days", days))


def step_of(key: DailyKey) -> DrillStep:
    """The drill of a day's puzzle."""
    return DrillStep(SOURCE, f"{key.family}.{key.day}")


def daily_title(key: DailyKey, puzzle: Puzzle, say: Say) -> str:
    """The first line of a puzzle of the day: its date, its game and its board."""
    # At noon it is the same date nearly everywhere.
    date = f"<t:{int((key.day + 0.5) * DAY)}:D>"
    return say("daily.title", date=date, board=board_words(puzzle, say))


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
            "date": csv_time(one.key.day * DAY)[:10],
            "family": one.key.family,
            "puzzle": one.puzzle,
            **tried_columns(one.begun_at, one.settled_at, solved=one.solved),
        }
        for one in await tries.all_of(user_id)
    )
    return {"days.csv": csv_text(FIELDS, rows)}
