"""Helpers for tests of the daily puzzle: time, subscriptions and posted messages."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from bot.drills.rules import ButtonSpec
from bot.features.daily.rules import Daily
from bot.features.daily.store import (
    DailyChannel,
    DailyKey,
    DailyPosts,
    DailyTries,
    Today,
    settle_daily,
)
from bot.features.puzzles.choice import DAY, day_of
from bot.features.puzzles.rules import PuzzleDrills
from bot.features.puzzles.store import Puzzles
from bot.i18n import Translator
from bot.store.store import Store
from tests.bot.features.puzzles.test_store import solve

ANA, BEA, HERE, THERE = 5_550_001, 5_550_002, 7_770_001, 7_770_002
LADDER = "connect4-classic"
TODAY = DailyKey("connect4", 20_000)
CHANNEL = DailyChannel(HERE, 8_880_001, "connect4", "es", 9, 1.0)
NOON = Today(TODAY.day * 86_400.0 + 43_200.0, TODAY.day, 12, {"connect4": "AAAAAA"})


def at_noon(venue: Any) -> None:
    """Move the clock to noon of the next day in UTC, so that midnight is far."""
    now = venue.services.clock()
    venue.services.clock.forward((day_of(now) + 1.5) * DAY - now)


def daily_of(services: Any) -> Daily:
    """The service of daily puzzles."""
    store, clock = services.store, services.clock
    drills = PuzzleDrills(Puzzles(store.database), store.ratings, clock, Random(1))
    return Daily(DailyTries(store.database), DailyPosts(store.database), clock, drills, nothing)


def nothing(_family: str, _say: Translator) -> tuple[ButtonSpec, ...]:
    """No practice after a puzzle."""
    return ()


def today(venue: Any) -> int:
    """Today by the bot's clock."""
    return day_of(venue.services.clock())


async def later(venue: Any, seconds: float) -> None:
    """Let this much time pass."""
    venue.services.clock.forward(seconds)
    await sweep(venue)


async def sweep(venue: Any) -> None:
    """Post and edit all due messages."""
    (task,) = [one for one in venue.app.tasks if one.name == "daily puzzles"]
    await task.run()


async def subscribe(venue: Any, channel: Any = None, *, locale: str = "en") -> tuple[float, bool]:
    """Subscribe a channel to daily puzzles at noon, as the settings of a server do."""
    posts = venue.app.core.contributions.puzzle_posts
    place = (channel or venue.channel).id
    found: tuple[float, bool] = await posts.start(venue.env.guild.id, place, locale, 12)
    return found


def messages(venue: Any, channel: Any = None) -> list[Any]:
    """The public messages with a picture, oldest first."""
    history = (channel or venue.channel).history()
    return [m for m in history if m.attachments and not m.flags.ephemeral]


def posted(venue: Any) -> Any:
    """The newest message with a daily puzzle."""
    return messages(venue)[-1]


async def subscribed(venue: Any, channel: Any = None) -> None:
    """Subscribe the server to its daily puzzle at noon."""
    at = venue.services.clock()
    place = (channel or venue.channel).id
    wanted = DailyChannel(venue.env.guild.id, place, "connect4", "en", 12, at)
    await DailyPosts(venue.services.store.database).subscribe(wanted)


async def one_day(
    store: Store, user: int, day: int, guild: int = HERE, *, at: float = 50.0, solved: bool = True
) -> None:
    """A person tries the puzzle of a day."""
    key, puzzle = DailyKey("connect4", day), f"D{day}"
    await DailyTries(store.database).begin(user, key, puzzle, LADDER, 10.0, guild)
    also = partial(settle_daily, user_id=user, key=key, solved=solved, at=at)
    await solve(Puzzles(store.database), user, puzzle, at, solved=solved, also=also)
