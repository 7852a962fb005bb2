"""The price of a hint: a win no longer raises the rating, and the first hint asks before."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.features.hints.rules import HintLevel
from tests.bot.discord.stage import Stage


@pytest.fixture
async def stage(venue: Any) -> Stage:
    """A rated game of Ana's against Cuatro."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.begins(venue.ana)
    return stage


def private(stage: Stage) -> Any:
    """The last message that only Ana sees."""
    history = stage.channel.history(viewer=stage.venue.ana)
    return [m for m in history if m.flags.ephemeral][-1]


async def test_the_first_hint_of_a_rated_game_says_its_price(stage: Stage) -> None:
    """The question about a hint's price can be declined; once accepted it is not asked again."""
    ana, games = stage.venue.ana, stage.venue.services.store.games
    hint = next(b for row in stage.board().components for b in row.children if b.label == "Hint")
    assert hint.style is discord.ButtonStyle.secondary
    for answer in ("No, thanks", "Show the hint"):
        assert (await games.find(1)).hints == ()
        asked = await stage.press(ana, "Hint")
        assert asked.ephemeral
        assert asked.response.content == (
            "With a hint, winning this game won't raise your rating. Losing still counts."
        )
        await ana.click(asked.response.message, label=answer)
        if answer == "No, thanks":
            assert private(stage).content == "All right, no hint."
            assert not private(stage).components
    first = private(stage)
    assert first.attachments
    assert first.content == "Nobody can win on the spot. Look at the middle."
    again = await stage.slash(ana, "hint", level="area")
    assert again.response.content == first.content
    assert again.response.attachments[0].description == first.attachments[0].description
    (hint,) = (await games.find(1)).hints
    assert (hint.level, hint.given) == (HintLevel.AREA, 1)


async def test_the_same_hint_is_given_after_an_undo_and_a_restart(stage: Stage) -> None:
    """The same position gives the same stored hint after an undo and a restart."""
    ana = stage.venue.ana
    await stage.venue.hint(ana)
    before = private(stage).content
    await stage.play(ana)
    await stage.venue.services.sessions.take_back(stage.channel.id, lambda _: 0)
    await stage.venue.restart()
    again = await stage.slash(ana, "hint")
    assert again.response.content == before
    assert before.split("\n")[0] == "Play column 4. You win from here."
    assert (await stage.slash(ana, "hint", level="threat")).response.content != before
    await stage.resign(ana)
    (hint,) = (await stage.venue.services.store.games.find(1)).hints
    assert hint.given == 1


async def test_a_hint_that_chooses_nothing_is_told_without_a_price(venue: Any) -> None:
    """Where all moves are worth the same, the answer comes at once and the game stays rated."""
    stage = Stage(venue, "gato", venue.channel)
    await stage.begins(venue.ana)
    told = await stage.press(venue.ana, "Hint")
    assert told.response.content == ("All your moves are equally good here. Play the one you like.")
    assert not told.response.components
    assert (await venue.services.store.games.find(1)).hints == ()


async def test_a_hint_in_an_unrated_game_costs_nothing(stage: Stage) -> None:
    """In a game that an undo has made unrated, the hint comes at once."""
    await stage.play(stage.venue.ana)
    await stage.venue.services.sessions.take_back(stage.channel.id, lambda _: 0)
    assert (await stage.slash(stage.venue.ana, "hint")).response.attachments
