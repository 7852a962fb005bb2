"""Puzzles that other drills lead to."""

from __future__ import annotations

from typing import Any

from bot.i18n import say_in
from tests.bot.drills.drilling import Driller
from tests.bot.features.reviews.test_learning import learning


async def test_a_lesson_leads_to_puzzles(venue: Any) -> None:
    """After the last position of a lesson, a button gives a puzzle of its game."""
    say, ana = say_in("en"), Driller(venue, venue.ana)
    asked = await venue.ana.slash(venue.channel, "learn", game="connect4", lesson=1)
    assert asked.ephemeral
    await ana.press("Start")
    for move in "43":
        await ana.press(move)
        await ana.press("Next")
    await ana.press("5")
    assert ana.labels() == ["Next lesson", "Practise with puzzles", "All lessons"]
    await ana.press("Practise with puzzles")
    assert ana.content.endswith(say("puzzle.first_try"))


async def test_a_review_leads_to_puzzles(venue: Any) -> None:
    """After the last exercise of a review, a button gives a puzzle of its game, if it has any."""
    say, bea = say_in("es"), await learning(venue, "gato", "es")
    await bea.press("a4")
    await bea.press(say("button.next"))
    await bea.press(say("button.solve"))
    labels = bea.labels()
    assert labels[:2] == [say("button.try_again"), say("button.puzzle")]
    await bea.press(say("button.try_again"))
    await bea.press("b4")
    assert bea.labels() == [say("button.done"), say("button.puzzle")]
    await bea.press(say("button.puzzle"))
    assert bea.content.endswith(say("puzzle.first_try"))
