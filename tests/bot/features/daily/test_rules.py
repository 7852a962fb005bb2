"""Daily puzzles: which one a person gets, and until when it counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.drills.rules import Attempt
from bot.features.daily.rules import (
    GRACE,
    Daily,
    missed_streak_words,
    solved_streak_words,
    step_of,
    streak,
    streak_of,
)
from bot.features.daily.store import DailyChannel, DailyKey, DailyPosts, DailyTries
from bot.features.puzzles.choice import DAY, day_of, puzzle_of_day
from bot.game.refusal import Refusal
from bot.i18n import say_in
from bot.sessions.people import Requester
from engine.study.puzzles import puzzles_in
from tests.bot.features.daily.days import daily_of

ANA, HERE = Requester(11, 5, say_in("en")), 5


@pytest.fixture
def today(services: Any) -> DailyKey:
    """A day at 23:50, with a minute of midnight to come."""
    now = services.clock()
    services.clock.forward((day_of(now) + 2) * DAY - 600.0 - now)
    return DailyKey("connect4", day_of(services.clock()))


@pytest.fixture
def drills(services: Any, today: DailyKey) -> Daily:
    """The daily puzzles as drills."""
    return daily_of(services)


async def solve(drills: Daily, ref: str, *, right: bool = True, by: Requester = ANA) -> str:
    """Answer the last step; return the result."""
    drill = await drills.drill(ref, by)
    last = len(drill.problem.steps) - 1
    move = drill.problem.steps[last].answers[0]
    found = await drills.answered(drill, Attempt(last, move, is_right=right), by)
    return f"{found.head}\n{found.text}"


@pytest.mark.parametrize("late", [600.0 + GRACE - 60.0, 600.0 + GRACE + 60.0])
async def test_a_puzzle_begun_before_midnight_counts_for_an_hour(
    services: Any, drills: Daily, today: DailyKey, late: float
) -> None:
    """A puzzle begun before midnight counts for its day for one more hour, and then as practice."""
    ref = step_of(today).ref
    await drills.drill(ref, ANA)
    services.clock.forward(late)
    said = await solve(drills, ref)
    counts = late < 600.0 + GRACE
    assert (" 1 day." in said) == counts
    found = await streak(DailyTries(services.store.database), ANA.user_id, today)
    assert found.length == counts
    # The first try at a puzzle is rated on any day.
    assert "Puzzle rating" in said


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            [
                "1 day.",
                "",
                "2 days in a row. Yesterday was your rest day of this week.",
                "No more rest days this week, so your streak starts again. Your best is 2 days.",
                "1 day. You get a new rest day on Monday.",
                "2 days in a row. This week: 4 of 7.",
                "3 days in a row.",
                "Today is your rest day of this week, so your streak stays at 3 days.",
            ],
        ),
        (
            "es",
            [
                "1 día.",
                "",
                "2 días seguidos. Ayer usaste tu día libre de la semana.",
                "Ya no quedan días libres esta semana: tu racha vuelve a empezar. "
                "Tu mejor racha es de 2 días.",
                "1 día. El lunes tienes otro día libre.",
                "2 días seguidos. Esta semana: 4 de 7.",
                "3 días seguidos.",
                "Hoy usas tu día libre de la semana: tu racha sigue en 3 días.",
            ],
        ),
    ],
)
def test_a_streak_survives_one_missed_day_of_a_week(language: str, said: list[str]) -> None:
    """A missed or failed day of a week is a rest day, the next one ends the streak."""
    say, days, words = say_in(language), set[int](), []
    # Tuesday to Tuesday: nothing on Wednesday, wrong tries on Friday and the last day.
    for day, solved in zip(range(5, 13), (1, None, 1, 0, 1, 1, 1, 0), strict=True):
        before = streak_of(days, day - 1)
        days |= {day} if solved else set()
        found = streak_of(days, day)
        if solved is None:
            words.append("")
        elif solved:
            words.append(solved_streak_words(found, day, say))
        else:
            words.append(missed_streak_words(before, found, day, say))
    assert words == said


async def test_a_day_that_is_over_is_for_practice(services: Any, drills: Daily) -> None:
    """A past day's puzzle can still be solved as practice and is not part of a streak."""
    key = DailyKey("connect4", day_of(services.clock()) - 1)
    said = await solve(drills, step_of(key).ref)
    assert "row" not in said
    assert await DailyTries(services.store.database).find(ANA.user_id, key) is None


async def test_a_wrong_try_stays_one(services: Any, drills: Daily, today: DailyKey) -> None:
    """A wrong first try remains wrong after the solution is found."""
    ref = step_of(today).ref
    assert say_in("en")("daily.missed") in await solve(drills, ref, right=False)
    again = await solve(drills, ref)
    assert "row" not in again
    assert "Only the first try counts" in again
    assert (await DailyTries(services.store.database).find(ANA.user_id, today)).solved is False


@pytest.mark.parametrize(
    "ref", ["connect4", "chess.3", "connect4.x", "connect4.999999", "connect4.-1", "gato:3", ""]
)
async def test_days_to_come_and_forged_ones_are_refused(drills: Daily, ref: str) -> None:
    """Future days, unknown games and malformed references are refused as unknown buttons."""
    with pytest.raises(Refusal, match="unknown_button"):
        await drills.drill(ref, ANA)


async def test_tomorrows_is_refused_until_midnight(
    services: Any, drills: Daily, today: DailyKey
) -> None:
    """Tomorrow's puzzle is refused until midnight, and then available."""
    ref = step_of(replace(today, day=today.day + 1)).ref
    with pytest.raises(Refusal):
        await drills.drill(ref, ANA)
    services.clock.forward(601.0)
    assert await drills.drill(ref, ANA)


async def test_a_servers_puzzle_stays_the_same_for_its_day(
    services: Any, drills: Daily, today: DailyKey
) -> None:
    """A server's puzzle stays for its day even if other servers have a new one after a release."""
    usual = puzzle_of_day("connect4", today.day)
    assert usual is not None
    other = next(one for one in puzzles_in("connect4-classic") if one != usual)
    posts = DailyPosts(services.store.database)
    await posts.subscribe(DailyChannel(HERE, 7, "connect4", "en", 0, 0.0))
    now = replace(daily_of(services).now(), puzzles={"connect4": other.id})
    await posts.claim_unsent(now, 1)
    ref = step_of(today).ref
    assert (await drills.drill(ref, ANA)).problem == other.played
    bea = replace(ANA, user_id=12, guild_id=6)
    assert (await drills.drill(ref, bea)).problem == usual.played
    # Ana keeps her puzzle wherever she continues.
    assert (await drills.drill(ref, replace(ANA, guild_id=6))).problem == other.played
