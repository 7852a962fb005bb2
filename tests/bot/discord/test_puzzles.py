"""Puzzles by command, and the puzzle of the day."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.puzzles.rules import DAY, classes_with_puzzles, day_of, puzzle_of_day
from bot.i18n import say_in
from engine.core.registry import games as all_games
from engine.study.puzzles import Puzzle, puzzle
from tests.bot.discord.refusals_of_puzzles import manager
from tests.bot.discord.stage import Stage
from tests.bot.drills.drilling import Driller

LADDER = "connect4-classic"


@pytest.mark.parametrize("language", ["en", "es"])
async def test_a_puzzle_is_solved_and_the_next_one_follows(venue: Any, language: str) -> None:
    """Only the solver sees it; what it changed is told, and stats know of it."""
    say, ana = say_in(language), Driller(venue, venue.ana)
    venue.speak(language)
    asked = await venue.ana.slash(venue.channel, "connect4 puzzle")
    assert asked.ephemeral
    first = await had(venue)
    assert ana.content.startswith(say("puzzle.title", id=first.id, board=board(say)))
    assert say(f"puzzle.{first.kind}", moves=say.count("moves", first.asked)) in ana.content
    await solve(ana, first)
    record = await venue.services.store.puzzles.rating(venue.ana.id, LADDER)
    assert (record.rating.games, record.solved) == (1, 1)
    own = say("leaders.provisional", rating=say.rating(record.rating.value))
    tried = await venue.services.store.puzzles.attempt(venue.ana.id, first.id)
    change = f"{round(tried.value_after) - round(tried.value_before):+d}"
    told = {"rating": own, "change": change, "puzzle": first.rating}
    assert say("puzzle.changed", **told) in ana.content
    await ana.press(say("button.next_puzzle"))
    second = await had(venue)
    assert second.id != first.id
    assert say("puzzle.title", id=second.id, board=board(say)) in ana.content
    stats = await venue.ana.slash(venue.channel, "connect4 stats")
    solved = say("stats.puzzles_of", solved=1, tried=1)
    assert solved in stats.response.content
    assert say("stats.puzzles") in stats.response.attachments[0].description


async def test_only_the_first_try_is_rated(venue: Any) -> None:
    """A wrong one is refuted and can be made good, which changes no rating; a restart neither."""
    say, ana = say_in("en"), Driller(venue, venue.ana)
    await venue.ana.slash(venue.channel, "connect4 puzzle")
    first = await had(venue)
    await ana.press(wrong(first))
    assert say("drill.wrong") in ana.content
    before = await venue.services.store.puzzles.rating(venue.ana.id, LADDER)
    assert (before.rating.games, before.solved) == (1, 0)
    await venue.restart()
    await ana.press(say("button.try_again"))
    await solve(ana, first)
    assert say("drill.solved") in ana.content
    assert "Only the first try counts" in ana.content
    assert await venue.services.store.puzzles.rating(venue.ana.id, LADDER) == before


async def test_each_size_has_puzzles_of_its_own(venue: Any) -> None:
    """Sizes are typed as everywhere; those that have puzzles are suggested."""
    for typed, variant in (("small", "5x4"), ("clásico", "6x7"), ("5x4", "5x4")):
        await venue.ana.slash(venue.channel, "connect4 puzzle", size=typed)
        assert f"Connect 4 {variant}" in Driller(venue, venue.ana).content
    offered = await venue.ana.autocomplete(venue.channel, "connect4 puzzle", "size", "")
    assert [choice["value"] for choice in offered][:2] == ["small", "classic"]
    tries, _ = await venue.services.store.puzzles.all_of(venue.ana.id)
    assert [one.ladder for one in tries] == ["connect4-small", LADDER]


@pytest.mark.parametrize(
    "family", [family for family in all_games() if classes_with_puzzles(family)]
)
async def test_every_game_with_puzzles_has_both_commands(venue: Any, family: str) -> None:
    """A puzzle by rating, and today's, are solved to their end."""
    at_noon(venue)
    ana = Driller(venue, venue.ana)
    await venue.ana.slash(venue.channel, f"{family} daily")
    await solve(ana, puzzle_of_day(family, today(venue)))
    assert say_in("en")("drill.solved") in ana.content
    await ana.press(say_in("en")("button.more_puzzles"))
    tries, _ = await venue.services.store.puzzles.all_of(venue.ana.id)
    await solve(ana, puzzle(tries[-1].puzzle))
    assert say_in("en")("drill.solved") in ana.content
    tries, _ = await venue.services.store.puzzles.all_of(venue.ana.id)
    assert [one.solved for one in tries] == [True, True]


async def test_a_puzzle_left_open_is_asked_again(venue: Any) -> None:
    """Nobody gets an easier one by asking twice; who has it shown to them has not solved it."""
    say, ana = say_in("en"), Driller(venue, venue.ana)
    await venue.ana.slash(venue.channel, "connect4 puzzle")
    first = await had(venue)
    await venue.ana.slash(venue.channel, "connect4 puzzle")
    assert await had(venue) == first
    await ana.press(say("button.solve"))
    assert say("drill.shown") in ana.content
    tried = await venue.services.store.puzzles.attempt(venue.ana.id, first.id)
    assert tried.solved is False
    await venue.ana.slash(venue.channel, "connect4 puzzle")
    assert await had(venue) != first


@pytest.mark.parametrize("language", ["en", "es"])
async def test_a_server_gets_its_puzzle_of_the_day(venue: Any, language: str) -> None:
    """In its channel, with a picture in words, without a ping; whoever solves it is named there."""
    say = say_in(language)
    venue.speak(language)
    at_noon(venue)
    answer = await subscribe(venue)
    assert answer.ephemeral
    assert f"<#{venue.channel.id}>" in answer.response.content
    assert answer.response.content == say(
        "daily.on_today",
        channel=f"<#{venue.channel.id}>",
        time=f"<t:{int(today(venue) * DAY + 43200)}:t>",
    )
    await sweep(venue)
    message = posted(venue)
    assert message.content.splitlines()[0].startswith(say("daily.title", date="", board="")[:18])
    assert message.content.endswith(say("daily.nobody"))
    assert message.attachments[0].description
    assert not message.mentions
    ana, bea = Driller(venue, venue.ana), Driller(venue, venue.bea)
    daily = puzzle_of_day("connect4", today(venue))
    assert daily is not None
    await venue.ana.click(message, label=say("button.daily"))
    await solve(ana, daily)
    assert say("daily.solved", days=say.count("days", 1)) in ana.content
    await venue.bea.click(message, label=say("button.daily"))
    await bea.press(wrong(daily))
    assert say("daily.missed") in bea.content
    await later(venue, 60.0)
    told = posted(venue).content
    assert say("daily.board", solved=1, tried=2) in told
    assert told.splitlines()[-1] == "**Ana**"


async def test_streaks_are_told_and_hidden_people_are_not(venue: Any) -> None:
    """Day after day each server has one message; who hides their statistics is only counted."""
    at_noon(venue)
    await subscribe(venue)
    say = say_in("en")
    for day in range(2):
        await sweep(venue)
        found = puzzle_of_day("connect4", today(venue))
        assert found is not None
        for person in (venue.ana, venue.bea):
            await person.click(posted(venue), label=say("button.daily"))
            await solve(Driller(venue, person), found)
        await later(venue, DAY if day == 0 else 60.0)
    assert len(messages(venue)) == 2
    assert posted(venue).content.splitlines()[-1] == (
        "**Ana** (2 days in a row), **Bea** (2 days in a row)"
    )
    await venue.bea.slash(venue.channel, "connect4 privacy", stats="hide")
    await later(venue, 60.0)
    assert posted(venue).content.splitlines()[-2:] == [
        say("daily.board", solved=2, tried=2),
        "**Ana** (2 days in a row)",
    ]


async def test_today_can_be_solved_without_a_subscription(venue: Any) -> None:
    """In private, once; yesterday's is for practice."""
    at_noon(venue)
    found = puzzle_of_day("connect4", today(venue))
    await venue.ana.slash(venue.channel, "connect4 daily")
    ana = Driller(venue, venue.ana)
    await later(venue, DAY)
    await solve(ana, found)
    assert "row" not in ana.content
    store = venue.services.store.puzzles
    assert (await store.rating(venue.ana.id, LADDER)).solved == 1
    await venue.ana.slash(venue.channel, "connect4 daily")
    second = puzzle_of_day("connect4", today(venue))
    assert second != found
    await solve(ana, second)
    assert say_in("en")("daily.solved", days="1 day") in ana.content


async def test_a_server_can_have_its_puzzles_elsewhere_or_no_more(venue: Any) -> None:
    """What was posted stays; on the next day it is in the other channel, and then nowhere."""
    at_noon(venue)
    await subscribe(venue)
    await sweep(venue)
    moved = await subscribe(venue, channel=venue.other_channel)
    assert "in a moment" not in moved.response.content
    await later(venue, DAY)
    assert len(messages(venue)) == 1
    assert len(messages(venue, venue.other_channel)) == 1
    ended = await subscribe(venue, post="off")
    assert ended.response.content == say_in("en")("daily.off", game="connect4")
    await later(venue, DAY)
    assert len(messages(venue, venue.other_channel)) == 1


async def test_puzzles_are_handed_out_and_deleted_with_everything_else(venue: Any) -> None:
    """A line a puzzle and a line a day; after that the server's message names nobody."""
    at_noon(venue)
    await subscribe(venue)
    await sweep(venue)
    found = puzzle_of_day("connect4", today(venue))
    await venue.ana.click(posted(venue), label="Solve it")
    await solve(Driller(venue, venue.ana), found)
    await later(venue, 60.0)
    assert posted(venue).content.endswith("**Ana**")
    sent = await venue.ana.slash(venue.channel, "privacy export")
    files = {file.filename: (await file.read()).decode() for file in sent.response.attachments}
    assert files["cuatro-puzzles.csv"].splitlines()[1].startswith(f"{found.id},{LADDER},")
    assert f",connect4,{found.id}," in files["cuatro-days.csv"]
    shown = await venue.ana.slash(venue.channel, "privacy show")
    assert "Puzzles you were given: 1" in shown.response.content
    asked = await venue.ana.slash(venue.channel, "privacy delete")
    await venue.ana.click(asked.response, label=say_in("en")("button.forget"))
    await later(venue, 60.0)
    assert posted(venue).content.endswith(say_in("en")("daily.nobody"))


def at_noon(venue: Any) -> None:
    """Go on to the noon of tomorrow, in UTC: no midnight comes in between."""
    now = venue.services.clock()
    venue.services.clock.forward((day_of(now) + 1.5) * DAY - now)


def today(venue: Any) -> int:
    """The day by the bot's clock."""
    return day_of(venue.services.clock())


async def later(venue: Any, seconds: float) -> None:
    """Some time later."""
    venue.services.clock.forward(seconds)
    await sweep(venue)


async def sweep(venue: Any) -> None:
    """Post and edit what is due."""
    await venue.app.handlers.daily.sweep()


async def subscribe(venue: Any, **options: Any) -> Any:
    """Who manages the server says where it gets its puzzles."""
    options = options or {"channel": venue.channel}
    return await manager(Stage(venue, "connect4", venue.channel)).slash(
        venue.other_channel, "connect4 daily", **options
    )


def messages(venue: Any, channel: Any = None) -> list[Any]:
    """The public messages with a picture, the oldest first."""
    history = (channel or venue.channel).history()
    return [m for m in history if m.attachments and not m.flags.ephemeral]


def posted(venue: Any) -> Any:
    """The newest message with a puzzle of the day."""
    return messages(venue)[-1]


async def had(venue: Any) -> Puzzle:
    """The puzzle that Ana has begun last."""
    tries = await venue.services.store.puzzles.tries(venue.ana.id, LADDER)
    found = puzzle(tries[-1].puzzle)
    assert found is not None
    return found


async def solve(person: Driller, found: Any) -> None:
    """Make the right moves."""
    for step in found.problem.steps:
        await person.press(found.game.label(step.answers[0]))


def wrong(found: Puzzle) -> str:
    """A move that is not the solution's first, as its button says it."""
    problem = found.problem
    legal = problem.position(0).legal_moves()
    return next(found.game.label(move) for move in legal if not problem.is_answer(0, move))


def board(say: Any) -> str:
    """The usual board of Connect 4."""
    game, variant = say("game.connect4"), say.variant("connect4", "6x7")
    return str(say("game.variant", game=game, variant=variant))
