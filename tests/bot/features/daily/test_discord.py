"""The daily puzzle by command and on a server."""

from __future__ import annotations

from typing import Any

from bot.features.daily.rules import daily_files
from bot.features.daily.store import DailyTries, delete_tries
from bot.features.puzzles.choice import DAY, classes_with_puzzles, puzzle_of_day
from bot.features.puzzles.store import Puzzles
from bot.i18n import say_in
from engine.core.registry import games as all_games
from tests.bot.drills.drilling import Driller
from tests.bot.features.daily.days import (
    at_noon,
    later,
    messages,
    one_day,
    posted,
    subscribe,
    sweep,
    today,
)
from tests.bot.features.puzzles.solving import solve, wrong

LADDER = "connect4-classic"


async def test_a_server_gets_its_puzzle_of_the_day(venue: Any) -> None:
    """A server's puzzle has a picture with alternative text and no ping; solvers are named.

    A restart posts no second message, and the button of the first one still works.
    """
    say = say_in("es")
    venue.speak("es")
    at_noon(venue)
    assert await subscribe(venue, locale="es") == (today(venue) * DAY + 43200, True)
    await sweep(venue)
    message = posted(venue)
    assert message.content.startswith(say("daily.title", ask=""))
    assert message.content.endswith(say("daily.nobody"))
    await venue.restart()
    venue.speak("es")
    await later(venue, 60.0)
    assert len(messages(venue)) == 1
    assert message.attachments[0].description
    assert not message.mentions
    ana, bea = Driller(venue, venue.ana), Driller(venue, venue.bea)
    daily = puzzle_of_day("connect4", today(venue))
    assert daily is not None
    await venue.ana.click(message, label=say("button.daily"))
    await solve(ana, daily)
    assert ana.content.startswith(f"{say('puzzle.first')} {say.count('streak', 1)}")
    await venue.bea.click(message, label=say("button.daily"))
    await bea.press(wrong(daily))
    assert say("daily.missed") in bea.content
    await later(venue, 60.0)
    content = posted(venue).content
    names = say("daily.streak", name="**Ana**", days=say.count("days", 1))
    listed = say("daily.board", names=names, solved=1, people=say.count("people", 2))
    assert content.splitlines()[-1] == listed


async def test_streaks_are_listed_without_hidden_people(venue: Any) -> None:
    """Each day has one message per server with streaks.

    People who hide statistics are only counted.
    """
    at_noon(venue)
    await subscribe(venue)
    say = say_in("en")
    people = (venue.ana, venue.bea)
    await sweep(venue)
    for person in people:
        await one_day(venue.services.store, person.id, today(venue), venue.env.guild.id)
    await later(venue, DAY)
    found = puzzle_of_day("connect4", today(venue))
    assert found is not None
    for person in people:
        await person.click(posted(venue), label=say("button.daily"))
        await solve(Driller(venue, person), found)
    await later(venue, 60.0)
    assert len(messages(venue)) == 2
    assert posted(venue).content.splitlines()[-1] == (
        "Solved on the first try: **Ana** (2 days), **Bea** (2 days) · 2 of 2 people"
    )
    await venue.services.store.players.set(venue.bea.id, 0.0, private=True)
    await venue.app.core.contributions.visibility_changed(venue.bea.id)
    await later(venue, 60.0)
    assert posted(venue).content.splitlines()[-1] == (
        "Solved on the first try: **Ana** (2 days) · 2 of 2 people"
    )


async def test_today_can_be_solved_without_a_subscription(venue: Any) -> None:
    """Today's puzzle can be solved once in private; yesterday's is for practice."""
    at_noon(venue)
    found = puzzle_of_day("connect4", today(venue))
    await venue.ana.slash(venue.channel, "daily", game="connect4")
    ana = Driller(venue, venue.ana)
    await later(venue, DAY)
    await solve(ana, found)
    assert "row" not in ana.content
    puzzles = Puzzles(venue.services.store.database)
    assert (await puzzles.rating(venue.ana.id, LADDER)).solved == 1
    await venue.ana.slash(venue.channel, "daily", game="connect4")
    second = puzzle_of_day("connect4", today(venue))
    assert second != found
    await solve(ana, second)
    assert say_in("en").count("streak", 1) in ana.content


async def test_a_server_can_change_its_channel_or_unsubscribe(venue: Any) -> None:
    """After a change of channel the next puzzle goes there; after unsubscribing, nowhere."""
    at_noon(venue)
    await subscribe(venue)
    await sweep(venue)
    _, comes_now = await subscribe(venue, channel=venue.other_channel)
    assert not comes_now
    await later(venue, DAY)
    assert len(messages(venue)) == 1
    assert len(messages(venue, venue.other_channel)) == 1
    posts, guild_id = venue.app.core.contributions.puzzle_posts, venue.env.guild.id
    assert await posts.find(guild_id) == (venue.other_channel.id, 12)
    await posts.stop(guild_id)
    assert await posts.find(guild_id) is None
    await later(venue, DAY)
    assert len(messages(venue, venue.other_channel)) == 1


async def test_every_game_with_puzzles_has_the_command(venue: Any) -> None:
    """Every game with puzzles has the command, and today's puzzle leads on to another puzzle."""
    at_noon(venue)
    ana, tries = Driller(venue, venue.ana), Puzzles(venue.services.store.database)
    families = [family for family in all_games() if classes_with_puzzles(family)]
    for number, family in enumerate(families, 1):
        await venue.ana.slash(venue.channel, "daily", game=family)
        await solve(ana, puzzle_of_day(family, today(venue)))
        assert say_in("en")("puzzle.first") in ana.content
        await ana.press(say_in("en")("button.more_puzzles"))
        solved = [one.solved for one in await tries.all_of(venue.ana.id)]
        assert (solved.count(True), solved.count(None)) == (number, number)


async def test_tries_are_exported_and_deleted(venue: Any) -> None:
    """The export has a line for each day; after the deletion the message names no person."""
    at_noon(venue)
    await subscribe(venue)
    await sweep(venue)
    found = puzzle_of_day("connect4", today(venue))
    await venue.ana.click(posted(venue), label="Solve it")
    await solve(Driller(venue, venue.ana), found)
    await later(venue, 60.0)
    assert "**Ana**" in posted(venue).content
    database = venue.services.store.database
    files = await daily_files(DailyTries(database), Puzzles(database), venue.ana.id)
    assert f",connect4,{found.id}," in files["days.csv"]
    async with database.writing() as connection:
        await delete_tries(connection, venue.ana.id)
    await later(venue, 60.0)
    assert posted(venue).content.endswith(say_in("en")("daily.nobody"))
