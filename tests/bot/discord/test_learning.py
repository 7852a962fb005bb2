"""The button Learn from it under a review: better moves than one's worst ones are found."""

from __future__ import annotations

from typing import Any

import pytest

from bot.words import say_in
from tests.bot.discord.drilling import Driller
from tests.bot.discord.stage import Stage

MISSED = ["a1", "b2", "a2", "b3", "a3", "b1", "c2", "a4"]
"""A game of Gato in which the second player misses b4, which would have won at once."""


@pytest.mark.parametrize("language", ["es", "en"])
async def test_a_better_move_is_found(venue: Any, language: str) -> None:
    """A wrong try is refuted and tried again; the right one solves it, and the next is asked."""
    say, bea = say_in(language), await learning(venue, language)
    for label in ("c1", say("button.try_again"), "b4"):
        print(bea.content, "\n--", bea.told, "\n--", bea.labels(), bea.picture)
        await bea.press(label)
    print(bea.content, "\n--", bea.told, "\n--", bea.labels(), bea.picture)
    while say("button.next") in bea.labels():
        await bea.press(say("button.next"))
        print(bea.content, "\n--", bea.told, "\n--", bea.labels(), bea.picture)
        await bea.press(say("button.solve"))
        print(bea.content, "\n--", bea.told, "\n--", bea.labels(), bea.picture)


async def learning(venue: Any, language: str) -> Driller:
    """Bea, who lost at Gato after she had missed a win, and wants to learn from it."""
    stage, bea = Stage(venue, "gato", venue.channel), Driller(venue, venue.bea)
    await stage.pair()
    for square in MISSED:
        await stage.play(await stage.mover(), square)
    await stage.slash(stage.venue.bea, "resign")
    venue.speak(language)
    review = await stage.press(venue.bea, "Review")
    await bea.press(say_in(language)("button.learn"))
    return bea
