"""People share the result of a puzzle of the day without its answer."""

from __future__ import annotations

from typing import Any

from bot.features.daily.rules import RIGHT, WRONG, share_target
from bot.features.daily.store import DailyKey, DailyTries
from bot.features.puzzles.choice import puzzle_of_day
from bot.i18n import say_in
from tests.bot.drills.drilling import Driller
from tests.bot.features.daily.days import at_noon, today
from tests.bot.features.puzzles.solving import solve, wrong


async def solved_daily(venue: Any, person: Driller, actor: Any, *, wrong_first: bool) -> Any:
    """Solve today's puzzle, after a wrong try if asked for; returns the puzzle."""
    found = puzzle_of_day("connect4", today(venue))
    assert found is not None
    await actor.slash(venue.channel, "daily", game="connect4")
    if wrong_first:
        for _ in range(2):
            await person.press(wrong(found))
            await person.press(say_in("en")("button.try_again"))
    await solve(person, found)
    return found


async def test_a_result_is_shared_once_without_its_answer(venue: Any) -> None:
    """A shared result has the name, a square for each try and the streak, but no move."""
    say, ana = say_in("en"), Driller(venue, venue.ana)
    at_noon(venue)
    await solved_daily(venue, ana, venue.ana, wrong_first=False)
    assert ana.labels()[:2] == [say("button.share_day"), say("button.more_puzzles")]
    await ana.press(say("button.share_day"))
    (message,) = [m for m in venue.channel.history() if m.content.startswith("🧩")]
    assert message.content == "🧩 **Ana** · puzzle of the day: ✅ on the first try · 1 day"
    assert not any(letter.isdigit() for letter in message.content.replace("1 day", ""))
    assert message.attachments[0].description
    await ana.press(say("button.share_day"))
    assert len([m for m in venue.channel.history() if m.content.startswith("🧩")]) == 1
    # Others solve it from there.
    bea = Driller(venue, venue.bea)
    await venue.bea.click(message, label=say("button.daily"))
    assert say("puzzle.first_try") in bea.content


async def test_wrong_tries_are_squares_and_count_once(venue: Any) -> None:
    """Each different wrong try is one square; repeating it adds none, nor does playing on later."""
    say, ana = say_in("en"), Driller(venue, venue.ana)
    at_noon(venue)
    found = await solved_daily(venue, ana, venue.ana, wrong_first=True)
    await ana.press(say("button.share_day"))
    (message,) = [m for m in venue.channel.history() if m.content.startswith("🧩")]
    assert message.content == f"🧩 **Ana** · puzzle of the day: {WRONG}{RIGHT}"
    tries, key = DailyTries(venue.services.store.database), DailyKey("connect4", today(venue))
    before = await tries.find(venue.ana.id, key)
    await tries.note(venue.ana.id, key, "0.9", 5.0, solved=False)
    assert await tries.find(venue.ana.id, key) == before
    assert before is not None
    assert before.wrong == f"0.{wrong(found)}"


async def test_who_has_not_solved_it_has_nothing_to_share(venue: Any) -> None:
    """A forged press shares nothing for a person who has not solved the puzzle."""
    say, ana = say_in("en"), Driller(venue, venue.ana)
    at_noon(venue)
    await venue.ana.slash(venue.channel, "daily", game="connect4")
    assert say("button.share_day") not in ana.labels()
    tries, key = DailyTries(venue.services.store.database), DailyKey("connect4", today(venue))
    assert not await tries.share(venue.ana.id, key)
    assert share_target(key).values == ("connect4", key.day)
