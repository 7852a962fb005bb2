"""Scenes in which a replay is refused."""

from __future__ import annotations

from functools import partial

from bot.settings import Rate
from tests.bot.discord.refusals_of_haste import limited
from tests.bot.discord.stage import Stage, scene
from tests.bot.present import require

TESTED_ELSEWHERE = {
    "nothing_to_replay": "only finished games have the button",
}
"""The reasons why the other refusals cannot occur."""


@scene("not_to_be_shared")
async def a_game_of_a_person_who_does_not_share(stage: Stage) -> None:
    """A replay that a player does not share is refused to others; each may watch it privately."""
    venue = stage.venue
    await stage.pair(4)
    await stage.resign(venue.bea)
    await venue.services.store.players.set(venue.ana.id, 0.0, shares=False)
    replay = await stage.replay(venue.bea)
    assert replay.ephemeral
    share = partial(venue.bea.click, replay.response.message, label="Share")
    await stage.refuses("not_to_be_shared", share)
    replay = await stage.replay(venue.ana)
    shared = await venue.ana.click(replay.response.message, label="Share")
    assert not shared.followups[-1].flags.ephemeral


@scene("often_pictures")
async def replaying_again_and_again(stage: Stage) -> None:
    """Too many replays in a short time are refused; a later one works."""
    require("reviews")
    ana = stage.venue.ana
    await stage.pair(4)
    await stage.resign(ana)
    review = (await stage.press(ana, "Review")).response
    with limited(stage, pictures=Rate(1, 60.0)):
        replay = await ana.click(review, label="Replay")
        for press in (
            lambda: ana.click(review, label="Replay"),
            lambda: ana.click(replay.response.message, label="Last"),
            lambda: ana.click(replay.response.message, label="Share"),
        ):
            await stage.refuses("often_pictures", press)
        stage.venue.services.clock.forward(61.0)
        assert (await ana.click(review, label="Replay")).response.attachments
